"""Cables: both ends agree or there is a finding; several sweeps are one fabric, in whatever order they come."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discovery.fabric import Fabric, Role
from discovery.identities import Witness
from discovery.join import join, switch_name
from discovery.observations import Sweep
from discovery.probes.ibnetdiscover import parse
from hypernode.infer import infer
from tests.drawing import AGGREGATION_NODE, UNKNOWN, Drawing, kinds, rails, shape, told, tree, units


def sweep(text: bytes, name: str = "ibnetdiscover.txt", node: str | None = None) -> Sweep:
    return parse(text, Witness("ibnetdiscover", name, node))


def columns(fabric: Fabric) -> list[Any]:
    links, devices = fabric.links, fabric.devices
    arrays: list[Any] = [
        links.a,
        links.a_port,
        links.b,
        links.b_port,
        links.width,
        links.speed,
        links.gbps,
        links.said_by,
    ]
    arrays += [devices.role, devices.guid, devices.system, devices.host, devices.label]
    return [array.tolist() for array in arrays]


def test_a_cable_said_by_both_ends_is_one_link() -> None:
    fabric = rails("a", hosts=1, each=1, spines=1).fabric()
    assert fabric.links.said_by.tolist() == [3, 3]
    assert fabric.links.gbps.tolist() == [400.0, 400.0]
    assert fabric.findings == ()


def test_rows_are_sorted_by_what_the_hardware_calls_itself() -> None:
    fabric = rails(salt=5).fabric()
    switches = int((fabric.devices.role == Role.SWITCH).sum())
    assert (fabric.devices.role[:switches] == Role.SWITCH).all()
    assert (np.diff(fabric.devices.guid[:switches].astype(np.int64)) > 0).all()
    links = list(zip(fabric.links.a.tolist(), fabric.links.a_port.tolist(), strict=True))
    assert links == sorted(links)
    assert (fabric.links.a < fabric.links.b).all()


def test_a_cable_that_one_end_mentions_is_kept_and_told() -> None:
    drawing = rails()
    drawing.mute("a1/1", "La1")
    fabric = drawing.fabric()
    assert sorted(set(fabric.links.said_by.tolist())) == [1, 3]
    assert [one.kind for one in fabric.findings] == ["one-sided-link"]


def test_an_end_that_says_otherwise_is_believed_by_neither_and_told() -> None:
    # La0 port 1 says a1; a1 says it is on Lb0. Lb0's port says a1 too: that cable is confirmed.
    drawing = rails()
    port = drawing.things["a1/0"].lines[0]
    drawing.move("a1/0", "Lb0")
    drawing.things["La0"].lines.append((port[2], drawing.things["a1/0"], 1, "4xNDR"))
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert "one-sided-link" in kinds(found)
    assert ("miscabled-hca", "a1", "Lb0") in told(found)


def test_the_lower_of_both_ends_is_the_speed() -> None:
    drawing = rails("a", hosts=1, each=1, spines=1)
    adapter = drawing.things["a1/0"]
    adapter.lines = [(port, peer, back, "4xHDR") for port, peer, back, _ in adapter.lines]
    assert sorted(drawing.fabric().links.gbps.tolist()) == [200.0, 400.0]


def test_an_unknown_speed_is_unknown_and_told() -> None:
    drawing = Drawing()
    drawing.switches("L")
    drawing.host("a1", "L", speed=UNKNOWN)
    fabric = drawing.fabric()
    assert fabric.links.gbps.tolist() == [0.0]
    assert [one.kind for one in fabric.findings] == ["unknown-speed"]


def test_one_end_knows_the_speed_that_the_other_does_not() -> None:
    drawing = rails("a", hosts=1, each=1, spines=1)
    adapter = drawing.things["a1/0"]
    adapter.lines = [(port, peer, back, UNKNOWN) for port, peer, back, _ in adapter.lines]
    assert drawing.fabric().links.gbps.tolist() == [400.0, 400.0]


def test_a_self_loop_is_no_link() -> None:
    drawing = rails("a", hosts=1, each=1, spines=1)
    drawing.cable("S0", "S0")
    fabric = drawing.fabric()
    assert len(fabric.links.a) == 2
    assert [(one.kind, *one.objects) for one in fabric.findings] == [("self-loop", "S0")]


def test_two_adapters_of_one_guid_are_told() -> None:
    # a2's first adapter carries the GUID of a1's: La0 sees it on two ports.
    drawing = rails()
    drawing.things["a2/0"].guid = drawing.things["a1/0"].guid
    found = drawing.inferred()
    assert "duplicate-guid" in kinds(found)
    assert shape(found) == tree(units("a b c"))


def test_the_same_sweep_twice_is_one_fabric() -> None:
    text = rails().text()
    twice = join([sweep(text, "one.txt", "a1"), sweep(text, "two.txt", "b1")])
    assert columns(twice) == columns(join([sweep(text)]))
    assert twice.findings == ()


def test_a_partial_sweep_adds_nothing_and_takes_nothing_away() -> None:
    whole, partial = rails("abcd"), rails("abcd")
    partial.remove("S2")
    partial.remove("Lb2")
    sweeps = [sweep(whole.text(), "whole.txt"), sweep(partial.text(), "partial.txt")]
    assert columns(join(sweeps)) == columns(join([sweep(whole.text())]))
    found = infer(join(sweeps))
    assert shape(found) == tree(units("a b c d"))
    assert not kinds(found) & {"dead-hca-link", "missing-switch", "conflicting-link"}


@pytest.mark.parametrize("parts", [2, 3])
def test_a_sweep_in_parts_is_one_fabric(parts: int) -> None:
    drawing = rails()
    records = drawing.records()
    texts = [drawing.text(records[part::parts]) for part in range(parts)]
    fabric = join([sweep(text, f"{number}.txt") for number, text in enumerate(texts)])
    assert columns(fabric) == columns(drawing.fabric())
    assert told(infer(fabric)) == []


def test_two_sweeps_that_contradict_are_told() -> None:
    before, after = rails(), rails()
    after.move("a1/2", "Lb2")
    found = infer(join([sweep(before.text(), "1.txt"), sweep(after.text(), "2.txt")]))
    assert shape(found) == tree(units("a b c"))
    assert "conflicting-link" in kinds(found)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (2, 1, 0)], ids=str)
def test_subnets_come_in_any_order_and_their_lids_may_be_equal(order: tuple[int, ...]) -> None:
    texts = []
    for plane in range(3):
        drawing = Drawing(salt=100 + plane)
        drawing.switches(f"P{plane}S")
        for unit in "abc":
            drawing.switches(f"P{plane}L{unit}")
            drawing.hosts(f"{unit}1..{unit}4", f"P{plane}L{unit}", first=plane)
            drawing.cable(f"P{plane}L{unit}", f"P{plane}S", 4)
        texts.append(drawing.text())
    sweeps = [sweep(texts[number], f"plane-{number}.txt") for number in range(3)]
    found = infer(join([sweeps[number] for number in order]))
    assert columns(join([sweeps[number] for number in order])) == columns(join(sweeps))
    assert shape(found) == tree(units("a b c"))
    assert told(found) == []


def test_what_is_only_mentioned_in_a_whole_text_is_told() -> None:
    drawing = rails()
    fabric = join([sweep(drawing.text([one for one in drawing.records() if "a1 mlx5_0" not in one.split("[1]")[0]]))])
    assert "mentioned-only" in {one.kind for one in fabric.findings}


def test_roles_of_devices() -> None:
    drawing = Drawing()
    drawing.switches("L")
    drawing.host("a1", "L")
    drawing.adapter("an", "L", "Mellanox Technologies Aggregation Node")
    drawing.adapter("an-by-id", "L", "renamed", model=AGGREGATION_NODE)
    drawing.adapter("router1", "L", "router")
    drawing.adapter("gateway", "L", "MF0;gw1:MGA100-HS2/U1")
    fabric = drawing.fabric()
    roles = {fabric.devices.name[row]: Role(int(role)) for row, role in enumerate(fabric.devices.role)}
    assert roles == {
        "MF0;L:MQM9700/U1": Role.SWITCH,
        "a1 mlx5_0": Role.ADAPTER,
        "Mellanox Technologies Aggregation Node": Role.AGGREGATION,
        "renamed": Role.AGGREGATION,
        "router": Role.ROUTER,
        "MF0;gw1:MGA100-HS2/U1": Role.GATEWAY,
    }
    assert fabric.hosts.name == ("a1",)


@pytest.mark.parametrize(
    ("description", "name"),
    [
        pytest.param("MF0;LEAF-1:MQM9700/U1", "LEAF-1", id="managed"),
        pytest.param("MF0;dir1:CS8500/L01/U1", "dir1/L01/U1", id="board of a director"),
        pytest.param("lf01.cn.a0103.qm8790", "lf01.cn.a0103.qm8790", id="named by hand"),
        pytest.param("Quantum Mellanox Technologies", "00000000000000ab", id="factory description"),
        pytest.param("", "00000000000000ab", id="none"),
    ],
)
def test_how_people_call_a_switch(description: str, name: str) -> None:
    assert switch_name(description, 0xAB) == name


def test_a_fabric_needs_a_sweep() -> None:
    with pytest.raises(ValueError, match="at least one sweep"):
        join([])
