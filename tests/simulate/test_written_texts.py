"""What is written can be read again: as ibnetdiscover's text byte for byte, and as values by our own parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.fabric import Role
from discovery.identities import Witness
from discovery.observations import SPEEDS, WIDTHS, Record, Sweep
from discovery.probes.ibnetdiscover import parse
from discovery.simulate.ibnetdiscover import write_ibnetdiscover
from discovery.simulate.simulation import FORMATS, render, simulate
from discovery.simulate.wiring import ONLY_A, ONLY_B, Device, Wiring
from tests.simulate.drawings import wirings

RECORDS = {Role.SWITCH: Record.SWITCH, Role.ADAPTER: Record.CA, Role.AGGREGATION: Record.CA, Role.ROUTER: Record.ROUTER}
FAULTS = (
    *("dead-hca-link", "one-sided-link", "miscabled-uplink", "default-description", "fqdn", "self-loop", "sharp"),
    *("slow-link", "unknown-speed", "link-loss=5", "storage-plane"),
)
VALUE_FAULTS = st.lists(st.sampled_from(FAULTS), max_size=3, unique=True)

WHOLE_TEXT = """\
#
# Topology file: generated on Wed Aug  6 16:11:23 2025
#
# Initiated from node 0c42a10300ac84a0 port 0c42a10300ac84a0

vendid=0x2c9
devid=0xd2f2
sysimgguid=0x2c5eab0300f2ceb0
switchguid=0x2c5eab0300f2ceb0(2c5eab0300f2ceb0)
Switch\t65 "S-2c5eab0300f2ceb0"\t\t# "MF0;LEAF-00:MQM9700/U1" enhanced port 0 lid 1 lmc 0
[1]\t"H-0c42a10300ac84a0"[1](c42a10300ac84a0) \t\t# "dgx-001 mlx5_0" lid 4 4xNDR
[2]\t"S-2c5eab0300663a90"[1]\t\t# "MF0;SPINE-00:MQM9700/U1" lid 2 4xNDR
[3]\t"S-2c5eab03001ff080"[1]\t\t# "MF0;SPINE-01:MQM9700/U1" lid 3 4xNDR

vendid=0x2c9
devid=0xd2f2
sysimgguid=0x2c5eab0300663a90
switchguid=0x2c5eab0300663a90(2c5eab0300663a90)
Switch\t65 "S-2c5eab0300663a90"\t\t# "MF0;SPINE-00:MQM9700/U1" enhanced port 0 lid 2 lmc 0
[1]\t"S-2c5eab0300f2ceb0"[2]\t\t# "MF0;LEAF-00:MQM9700/U1" lid 1 4xNDR

vendid=0x2c9
devid=0xd2f2
sysimgguid=0x2c5eab03001ff080
switchguid=0x2c5eab03001ff080(2c5eab03001ff080)
Switch\t65 "S-2c5eab03001ff080"\t\t# "MF0;SPINE-01:MQM9700/U1" enhanced port 0 lid 3 lmc 0
[1]\t"S-2c5eab0300f2ceb0"[3]\t\t# "MF0;LEAF-00:MQM9700/U1" lid 1 4xNDR

vendid=0x2c9
devid=0x1021
sysimgguid=0xc42a10300ac84a0
caguid=0xc42a10300ac84a0
Ca\t1 "H-0c42a10300ac84a0"\t\t# "dgx-001 mlx5_0"
[1](c42a10300ac84a0) \t"S-2c5eab0300f2ceb0"[1]\t\t# lid 4 lmc 0 "MF0;LEAF-00:MQM9700/U1" lid 1 4xNDR
"""


def device_row(device: Device) -> tuple[object, ...]:
    switch = device.role == Role.SWITCH
    return (
        *(RECORDS[device.role], device.system, device.model.device_id, device.ports),
        *(device.lid if switch else -1, device.description),
    )


def written(wiring: Wiring, plane: int) -> tuple[dict[int, tuple[object, ...]], set[tuple[object, ...]]]:
    """Devices by GUID and printed ends, as the wiring knows them."""
    devices = {
        wiring.devices[place].guid: device_row(wiring.devices[place])
        for place in wiring.cabled()
        if wiring.devices[place].plane == plane
    }
    ends: set[tuple[object, ...]] = set()
    for cable in wiring.cables:
        a, b = wiring.devices[cable.a], wiring.devices[cable.b]
        speed = SPEEDS.index(cable.speed) if cable.speed in SPEEDS else 0
        for side, near, port, far, far_port in (
            (ONLY_A, a, cable.a_port, b, cable.b_port),
            (ONLY_B, b, cable.b_port, a, cable.a_port),
        ):
            if cable.sides & side and near.plane == plane:
                lid = near.lid if near.role != Role.SWITCH else -1
                ends.add((near.guid, port, far.guid, far_port, lid, far.lid, WIDTHS.index(cable.width), speed))
    return devices, ends


def read(sweep: Sweep) -> tuple[dict[int, tuple[object, ...]], set[tuple[object, ...]]]:
    """Devices by GUID and printed ends, as the parser found them."""
    found, printed = sweep.devices, sweep.ends
    devices = {
        int(found.guid[row]): (
            *(int(found.kind[row]), int(found.system[row]), int(found.model[row]), int(found.ports[row])),
            *(int(found.lid[row]), found.name[row]),
        )
        for row in range(len(found.guid))
        if found.defined[row]
    }
    ends = {
        (
            *(int(found.guid[printed.device[row]]), int(printed.port[row])),
            *(int(found.guid[printed.peer[row]]), int(printed.peer_port[row])),
            # A switch has one LID for all its ports; whether a parser repeats it at each is its own affair.
            int(printed.lid[row]) if found.kind[printed.device[row]] != Record.SWITCH else -1,
            *(int(printed.peer_lid[row]), int(printed.width[row]), int(printed.speed[row])),
        )
        for row in range(len(printed.port))
    }
    return devices, ends


@given(wirings(VALUE_FAULTS, fewest_hosts=12))
def test_parsing_what_was_written_gives_the_wiring(wiring: Wiring) -> None:
    for plane in range(wiring.planes):
        sweep = parse(write_ibnetdiscover(wiring, plane), Witness("ibnetdiscover", "drawn"))
        assert read(sweep) == written(wiring, plane)
        assert (sweep.notes.unread, sweep.notes.stderr_lines, sweep.notes.truncated) == (0, 0, None)


def test_port_guids_and_routers_are_read_back() -> None:
    wiring = simulate("fat-tree-3", hosts=32, faults=["router=2", "sharp"])
    sweep = parse(write_ibnetdiscover(wiring), Witness("ibnetdiscover", "drawn"))
    assert read(sweep) == written(wiring, 0)
    by_guid = {device.guid: device for device in wiring.devices}
    routed = 0
    for row in range(len(sweep.ends.port)):
        near = by_guid[int(sweep.devices.guid[sweep.ends.device[row]])]
        if near.role != Role.SWITCH:
            assert int(sweep.ends.port_guid[row]) == near.port_guid(int(sweep.ends.port[row]))
            routed += near.role == Role.ROUTER
    assert routed == 4


def test_the_text_is_the_tools_byte_for_byte() -> None:
    assert write_ibnetdiscover(simulate("fat-tree-2", hosts=1)).decode() == WHOLE_TEXT


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_writes_every_subnet(name: str) -> None:
    files = render(simulate("planes", hosts=8, rails=3), name)
    texts = [path for path in files if path.endswith((".net", "0.txt", "1.txt", "2.txt"))]
    assert len(texts) == 3
    assert all(path.strip("/") == path and ".." not in path for path in files)


def test_an_unknown_format_names_those_that_exist() -> None:
    with pytest.raises(ValueError, match="unknown format 'svg': choose one of ibnetdiscover, ibsim, capture"):
        render(simulate("rail", hosts=2), "svg")


def test_a_capture_says_what_each_host_would_say() -> None:
    wiring = simulate("rail", hosts=16, rails=2, faults=["dead-hca-link", "unnamed-host", "storage-plane"])
    files = render(wiring, "capture")
    assert files["nodes.txt"].decode().split() == list(wiring.nodes())
    assert {path.split("/")[1] for path in files if path.startswith("hosts/")} == set(wiring.nodes())
    cabled = wiring.cabled()
    for place, device in enumerate(wiring.devices):
        if device.host in wiring.nodes():
            base = f"hosts/{device.host}/sys/class/infiniband/{device.device_name}"
            assert files[f"{base}/node_guid"].decode().strip().replace(":", "") == f"{device.guid:016x}"
            state, rate = ("4: ACTIVE", "400 Gb/sec (4X NDR)") if place in cabled else ("1: DOWN", "10 Gb/sec (4X SDR)")
            assert files[f"{base}/ports/1/state"].decode().strip() == state
            assert files[f"{base}/ports/1/rate"].decode().strip() == rate


def test_a_net_file_holds_what_ibsim_can_simulate() -> None:
    faults = ["router", "self-loop", "one-sided-link", "duplicate-guid", "unknown-speed"]
    text = render(simulate("fat-tree-3", hosts=32, faults=faults), "ibsim")["ibsim.net"].decode()
    assert "\nRt\t" not in text and "???" not in text and "NDR" not in text
    heads = [line.split('"')[1] for line in text.splitlines() if line.startswith(("Ca", "Switch"))]
    assert len(heads) == len(set(heads))
    assert heads[0].startswith("H-") and heads[-1].startswith("S-")
    ends = {tuple(line.split('"')[1:2]) for line in text.splitlines() if line.startswith("[")}
    assert {name for (name,) in ends} == set(heads)
