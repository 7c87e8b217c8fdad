"""The real ibnetdiscover and opensm on a simulated fabric: they print what we drew, and a cut cable is found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discovery.fabric import Role
from discovery.identities import Witness
from discovery.observations import Record
from discovery.probes.ibnetdiscover import parse
from discovery.simulate.ibnetdiscover import write_ibnetdiscover
from discovery.simulate.simulation import simulate
from discovery.simulate.wiring import Wiring
from tests.lab.infiniband import simulated

pytestmark = pytest.mark.lab

FABRICS = [
    pytest.param(("rail", 16, 4), id="rail"),
    pytest.param(("fat-tree-3", 32, 1), id="fat-tree-3"),
    pytest.param(("dragonfly-plus", 24, 1), id="dragonfly-plus"),
    pytest.param(("torus", 54, 1), id="torus"),
    pytest.param(("nvl72", 36, 4), id="nvl72"),
]


def drawn(shape: tuple[str, int, int], *faults: str) -> Wiring:
    return simulate(shape[0], hosts=shape[1], rails=shape[2], seed=11, faults=faults)


def records(text: bytes) -> list[str]:
    """The records in one order, without what opensm and ibsim decide: LIDs, port GUIDs, speeds that ibsim lacks."""
    plain = re.sub(r"\blid \d+", "lid L", text.decode())
    plain = re.sub(r"([\]=][0-9a-fx]*)\([0-9a-f]+\)", r"\1(guid)", plain).replace("4xNDR", "4xHDR")
    return sorted(record.strip() for record in plain.split("\n\n")[1:])


@pytest.mark.parametrize("shape", FABRICS)
def test_the_real_tool_prints_what_our_writer_writes(shape: tuple[str, int, int], tmp_path: Path) -> None:
    wiring = drawn(shape, "sharp")
    with simulated(tmp_path, wiring) as stack:
        stack.assign_lids()
        text = stack.discover()
    assert records(text) == records(write_ibnetdiscover(wiring))


def test_our_parser_reads_the_real_tools_lids_and_ports(tmp_path: Path) -> None:
    wiring = drawn(("rail", 16, 4))
    with simulated(tmp_path, wiring) as stack:
        stack.assign_lids()
        sweep = parse(stack.discover(), Witness("ibnetdiscover", "ibsim"))
    switches = sweep.devices.lid[sweep.devices.kind == Record.SWITCH]
    adapters = sweep.ends.lid[sweep.devices.kind[sweep.ends.device] == Record.CA]
    assert len({*switches.tolist(), *adapters.tolist()}) == len(wiring.devices)
    assert min(*switches.tolist(), *adapters.tolist()) > 0
    cables = {(wiring.devices[one.a].guid, one.a_port, wiring.devices[one.b].guid, one.b_port) for one in wiring.cables}
    ends = {
        (int(sweep.devices.guid[device]), int(port), int(sweep.devices.guid[peer]), int(peer_port))
        for device, port, peer, peer_port in zip(
            sweep.ends.device, sweep.ends.port, sweep.ends.peer, sweep.ends.peer_port, strict=True
        )
    }
    assert ends == cables | {(b, b_port, a, a_port) for a, a_port, b, b_port in cables}
    assert (sweep.notes.unread, sweep.notes.stderr_lines, sweep.notes.truncated) == (0, 0, None)


Run = Callable[..., Any]


def answer(run: Run, *words: str | Path) -> Any:
    done = run(*words, "-o", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("role", "kind"),
    [pytest.param(Role.ADAPTER, "dead-hca-link", id="host"), pytest.param(Role.SWITCH, "dead-uplink", id="uplink")],
)
def test_a_cut_cable_is_found_and_renames_nobody(role: Role, kind: str, hypernode: Run, tmp_path: Path) -> None:
    wiring = drawn(("rail", 32, 4))
    # Not the first adapter's cable: that is where ibnetdiscover and opensm stand.
    cable = [one for one in wiring.cables if wiring.devices[one.a].role == role][5]
    cut_device = wiring.devices[cable.a]
    store, before, after, again = (tmp_path / name for name in ("store", "before.txt", "after.txt", "again.txt"))
    with simulated(tmp_path, wiring) as stack:
        for path, change in ((before, None), (after, stack.cut), (again, stack.plug)):
            if change is not None:
                change(cable)
            stack.assign_lids()
            path.write_bytes(stack.discover())

    def found(path: Path) -> list[Any]:
        return [one for one in answer(hypernode, "discover", "--from", path)["findings"] if one["kind"] == kind]

    name = cut_device.host or cut_device.description.removeprefix("MF0;").partition(":")[0]
    assert [name in " ".join(one["objects"]) for one in found(after)] == [True]
    assert found(before) == found(again) == []
    created = answer(hypernode, "apply", "--from", before, "--store", store)["steps"]
    assert {step["op"] for step in created} == {"create"}
    for path in (after, again):
        answered = answer(hypernode, "apply", "--from", path, "--store", store)
        assert answered["refused"] is None
        assert {step["op"] for step in answered["steps"]} <= {"update"}
        assert {one.stem for one in store.glob("*.yaml")} == {step["name"] for step in created}
