"""Heads: which devices a text shows, and what their records say of them."""

from __future__ import annotations

import pytest

from discovery.observations import Record
from tests.ibnetdiscover.texts import HEADER, LEAF, LEAF_RECORD, NODE1, NODE1_RECORD, NODE2, SMALL, SPINE, names, read


def test_a_record_says_everything_of_its_device():
    devices = read(SMALL).devices
    assert devices.guid.tolist() == [LEAF, NODE1, NODE2, SPINE]
    assert devices.kind.tolist() == [Record.SWITCH, Record.CA, Record.CA, Record.SWITCH]
    assert devices.defined.tolist() == [True, True, True, False]
    assert devices.system.tolist() == [LEAF, NODE1, NODE2, 0]
    assert devices.vendor.tolist() == [0x2C9, 0x2C9, 0x2C9, -1]
    assert devices.model.tolist() == [0xD2F2, 0x1021, 0x1021, -1]
    assert devices.ports.tolist() == [65, 1, 1, -1]
    assert devices.lid.tolist() == [1, -1, -1, 3]
    assert devices.line.tolist() == [9, 18, 25, 12]
    assert [devices.name[row] for row in range(4)] == [
        "MF0;LEAF-1:MQM9700/U1",
        "node001 mlx5_0",
        "node002 mlx5_0",
        "MF0;SPINE-1:MQM9700/U1",
    ]


@pytest.mark.parametrize(
    ("head", "kind", "name"),
    [
        pytest.param(
            'Switch\t36 "S-00a1"\t\t# "leaf" base port 0 lid 7 lmc 0', Record.SWITCH, "leaf", id="base-port-0"
        ),
        pytest.param('Switch 36 "S-00a1" # "leaf" enhanced port 0 lid 7 lmc 0', Record.SWITCH, "leaf", id="blanks"),
        pytest.param('Ca\t2 "H-00a1"\t\t# "node1 HCA-1"', Record.CA, "node1 HCA-1", id="adapter"),
        pytest.param('Ca\t2 "H-00a1"\t\t# "node1 HCA-1" (scp)', Record.CA, "node1 HCA-1", id="xsigo"),
        pytest.param('Rt\t4 "R-00a1"\t\t# "router"', Record.ROUTER, "router", id="router"),
        pytest.param('Ca\t2 "H-00A1"\t\t# "node1"', Record.CA, "node1", id="upper-case-guid"),
        pytest.param('Ca\t2 "H-a1"\t\t# "node1"', Record.CA, "node1", id="short-guid"),
        pytest.param('Ca\t2 "H-00a1"\t\t# "a "quoted" name"', Record.CA, 'a "quoted" name', id="quotes-inside"),
        pytest.param('Ca\t2 "H-00a1"\t\t# "node1 mlx5_1 "', Record.CA, "node1 mlx5_1 ", id="ends-in-a-blank"),
        pytest.param('Ca\t2 "H-00a1"\t\t# ""', Record.CA, "", id="empty-name"),
        pytest.param('Ca\t2 "H-00a1"', Record.CA, "", id="no-name"),
        pytest.param('Ca\t2 "H-00a1"\t\t# "caf\u00e9"', Record.CA, "caf\u00e9", id="utf-8"),
    ],
)
def test_all_forms_of_heads(head, kind, name):
    sweep = read(f"{HEADER}\n{head}\n")
    assert (sweep.devices.kind.tolist(), names(sweep)) == ([kind], {0xA1: name})
    assert sweep.notes.unread == 0


@pytest.mark.parametrize(
    ("said", "lid"),
    [
        pytest.param("lid 7 lmc 0", 7, id="usual"),
        pytest.param("lid  lmc 0", -1, id="empty"),
        pytest.param("lid 0 lmc 0", -1, id="not-assigned"),
        pytest.param("lid -4 lmc 0", -1, id="negative"),
        pytest.param("lid - lmc 0", -1, id="a-mere-sign"),
        pytest.param("lid 65536 lmc 0", -1, id="too-large"),
        pytest.param("lid 65335 lmc 0", 65335, id="large"),
        pytest.param("", -1, id="missing"),
    ],
)
def test_a_lid_that_cannot_be_is_unknown(said, lid):
    assert read(f'Switch\t36 "S-00a1"\t\t# "leaf" enhanced port 0 {said}\n').devices.lid.tolist() == [lid]


@pytest.mark.parametrize(
    ("count", "ports"),
    [
        pytest.param("1", 1, id="one"),
        pytest.param("255", 255, id="most"),
        pytest.param("0", -1, id="none"),
        pytest.param("256", -1, id="too-many"),
        pytest.param("-3", -1, id="negative"),
        pytest.param("9" * 4000, -1, id="enormous"),
    ],
)
def test_a_number_of_ports_that_cannot_be_is_unknown(count, ports):
    assert read(f'Ca {count} "H-00a1" # "node1"\n').devices.ports.tolist() == [ports]


def test_attributes_belong_to_the_next_head_only():
    devices = read(SMALL.replace("sysimgguid=0xc42a10300000020\n", "").replace("devid=0x1021", "", 1)).devices
    assert devices.system.tolist() == [LEAF, NODE1, 0, 0]
    assert devices.model.tolist() == [0xD2F2, -1, 0x1021, -1]


def test_the_last_of_repeated_attributes_counts():
    text = NODE1_RECORD.replace("devid=0x1021\n", "devid=0x1021\ndevid=0x1023\n")
    assert read(text).devices.model.tolist() == [0x1023, -1]


def test_an_attribute_that_fits_no_column_is_unknown():
    devices = read(LEAF_RECORD.replace("vendid=0x2c9", "vendid=0xffffffff").replace("devid=0xd2f2", "devid=0")).devices
    assert (devices.vendor[0], devices.model[0]) == (-1, 0)


def test_an_aggregation_node_is_an_adapter_here():
    sweep = read('sysimgguid=0x40\ndevid=0xcf09\nCa\t1 "H-0048"\t\t# "Mellanox Technologies Aggregation Node"\n')
    assert (sweep.devices.kind.tolist(), sweep.devices.system.tolist()) == ([Record.CA], [0x40])


def test_the_record_names_a_device_whatever_its_peers_call_it():
    mapped = SMALL.replace('# "MF0;LEAF-1:MQM9700/U1" enhanced', '# "rack 1" enhanced')
    assert names(read(mapped))[LEAF] == "rack 1"


def test_the_witness_learns_the_time():
    assert read(SMALL).witness.time == "Wed Aug  6 16:11:23 2025"
    assert read(LEAF_RECORD).witness.time is None
