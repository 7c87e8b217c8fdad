"""Port lists (``-p``): what is named, what is cabled, and which ports are down."""

from __future__ import annotations

import pytest

from discovery.observations import SPEEDS, Record
from discovery.probes.ibnetdiscover import summary
from tests.ibnetdiscover.texts import SMALL, cables, read, same

LIST = """\
CA    11  1 0x0c42a10300000011 4x NDR - SW     1  1 0x2c5eab0300000040 ( 'node001 mlx5_0' - 'leaf-1' )
SW     1  1 0x2c5eab0300000040 4x NDR - CA    11  1 0x0c42a10300000011 ( 'leaf-1' - 'node001 mlx5_0' )
SW     1 33 0x2c5eab0300000040 4x NDR - SW     3  1 0x2c5eab0300000140 ( 'leaf-1' - 'spine 'one'' )
SW     1 34 0x2c5eab0300000040 4x ???                                    'leaf-1'
RT     9  1 0x0c42a10300000340 ?? XDR                                    a router
"""


def test_what_is_named_is_a_device_without_a_record():
    sweep = read(LIST)
    devices = sweep.devices
    assert sweep.dialect == "ports"
    assert not devices.defined.any()
    assert devices.kind.tolist() == [Record.CA, Record.SWITCH, Record.SWITCH, Record.ROUTER]
    assert [devices.name[row] for row in range(4)] == ["node001 mlx5_0", "leaf-1", "spine 'one'", "a router"]
    assert devices.lid.tolist() == [11, 1, 3, 9]
    assert devices.line.tolist() == [1, 1, 3, 5]
    assert summary(sweep) == {"switches": 2, "channelAdapters": 1, "routers": 1, "links": 2}


def test_cables_and_the_guids_of_adapter_ports():
    sweep = read(LIST)
    leaf, node, spine = 0x2C5EAB0300000040, 0x0C42A10300000011, 0x2C5EAB0300000140
    assert cables(sweep) == [(node, 1, leaf, 1, "4xNDR"), (leaf, 1, node, 1, "4xNDR"), (leaf, 33, spine, 1, "4xNDR")]
    assert sweep.ends.port_guid.tolist() == [node, 0, 0]
    assert sweep.ends.peer_port_guid.tolist() == [0, node, 0]


def test_ports_without_a_peer_are_down():
    sweep = read(LIST)
    assert (sweep.down_device.tolist(), sweep.down_port.tolist()) == ([1, 3], [34, 1])


def test_a_list_of_dead_ports_alone():
    sweep = read(
        "SW   479 22 0x0002c9020040f161 4x QDR                                   Infiniscale-IV Technologies\n"
    )
    assert (sweep.devices.name[0], sweep.down_port.tolist()) == ("Infiniscale-IV Technologies", [22])
    assert summary(sweep) == {"switches": 1, "channelAdapters": 0, "routers": 0, "links": 0}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("SW     1  0 0x2c5eab0300000040 4x NDR                                    'leaf-1'", id="port-0"),
        pytest.param(
            "SW     1  1 0x0000000000000000 4x NDR                                    'leaf-1'", id="zero-guid"
        ),
        pytest.param("SW 1 1 0x40 4x NDR - CA 1 999 0x50 ( 'leaf-1' - 'node1' )", id="peer-port-999"),
    ],
)
def test_values_that_cannot_be_are_left_out_and_told(line):
    sweep = read(LIST + line + "\n")
    assert len(sweep.devices.guid) == 4
    assert (sweep.notes.bad_value_lines, sweep.notes.bad_values[0].number) == (1, 6)


def test_an_unknown_speed_is_unknown():
    sweep = read(LIST.replace("4x NDR - CA", "4x GDR - CA"))
    assert [SPEEDS[code] for code in sweep.ends.speed] == ["NDR", "", "NDR"]


def test_a_topology_beats_a_list():
    assert same(read(SMALL + LIST), read(SMALL))
