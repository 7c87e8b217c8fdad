"""What holds for every fabric that can be drawn: it could be cabled like that, and its truth fits its cables."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given

from discovery.fabric import Role
from discovery.simulate.kinds import KINDS
from discovery.simulate.simulation import simulate
from discovery.simulate.wiring import Wiring
from tests.simulate.drawings import wirings


@given(wirings())
def test_a_port_holds_one_cable_and_exists(wiring: Wiring) -> None:
    ends = [(cable.a, cable.a_port) for cable in wiring.cables] + [(cable.b, cable.b_port) for cable in wiring.cables]
    assert max(Counter(ends).values()) == 1
    assert all(1 <= port <= wiring.devices[device].ports for device, port in ends)


@given(wirings())
def test_what_hardware_calls_itself_is_unique(wiring: Wiring) -> None:
    assert len({device.guid for device in wiring.devices}) == len(wiring.devices)
    assert len({(device.plane, device.lid) for device in wiring.devices}) == len(wiring.devices)
    assert all(0 < len(device.description.encode()) <= 64 for device in wiring.devices)


@given(wirings())
def test_no_cable_leaves_its_subnet(wiring: Wiring) -> None:
    assert all(wiring.devices[cable.a].plane == wiring.devices[cable.b].plane for cable in wiring.cables)


@given(wirings())
def test_all_switches_of_a_subnet_are_reached(wiring: Wiring) -> None:
    for plane in range(wiring.planes):
        inside = {place for place, device in enumerate(wiring.devices) if device.plane == plane}
        neighbours: dict[int, set[int]] = {place: set() for place in inside}
        for cable in wiring.cables:
            if cable.a in inside:
                neighbours[cable.a].add(cable.b)
                neighbours[cable.b].add(cable.a)
        reached, waiting = set(), [min(inside)]
        while waiting:
            place = waiting.pop()
            if place not in reached:
                reached.add(place)
                waiting += neighbours[place]
        assert reached == inside


@given(wirings())
def test_every_tier_of_the_truth_holds_every_node_once_and_is_coarser_than_the_one_below(wiring: Wiring) -> None:
    tiers = wiring.truth().tiers
    for tier in tiers:
        assert sorted(name for group in tier for name in group) == list(wiring.nodes())
    for lower, upper in pairwise(tiers):
        assert len(upper) < len(lower)
        holders = {name: group for group in upper for name in group}
        assert all(set(group) <= set(holders[group[0]]) for group in lower)


@given(wirings())
def test_the_true_leaf_groups_are_those_that_share_leaves(wiring: Wiring) -> None:
    leaves: dict[str, set[int]] = {host.name: set() for host in wiring.hosts}
    for cable in wiring.cables:
        if wiring.devices[cable.a].host:
            leaves[wiring.devices[cable.a].host].add(cable.b)
    groups: dict[frozenset[int], list[str]] = {}
    for host, own in leaves.items():
        groups.setdefault(frozenset(own), []).append(host)
    assert wiring.truth().tiers[0] == tuple(sorted(tuple(sorted(names)) for names in groups.values()))


@given(wirings())
def test_the_seed_decides_everything_and_only_the_numbers(wiring: Wiring) -> None:
    adapters = [device for device in wiring.devices if device.role == Role.ADAPTER]
    rails = len({device.device_name for device in adapters})
    again = simulate(wiring.kind, hosts=len(wiring.hosts), rails=rails, seed=7)
    assert again == simulate(wiring.kind, hosts=len(wiring.hosts), rails=rails, seed=7)
    assert (again.cables, again.hosts) == (wiring.cables, wiring.hosts)
    nameless = [replace(device, guid=0, system=0) for device in wiring.devices]
    assert nameless == [replace(device, guid=0, system=0) for device in again.devices]


@pytest.mark.parametrize(
    ("kind", "hosts", "rails", "groups"),
    [
        pytest.param("fat-tree-2", 256, 1, (8, 1), id="two levels"),
        pytest.param("fat-tree-3", 2048, 1, (64, 2, 1), id="three levels"),
        pytest.param("rail", 256, 8, (8, 1), id="64 rail leaves need no core"),
        pytest.param("rail", 512, 8, (16, 4, 1), id="128 rail leaves need cores"),
        pytest.param("nvl72", 72, 4, (4, 1), id="four racks"),
        pytest.param("dragonfly-plus", 96, 1, (6, 3, 1), id="three groups"),
        pytest.param("torus", 54, 1, (27, 1), id="3 x 3 x 3"),
        pytest.param("planes", 64, 4, (4, 1), id="four subnets"),
        pytest.param("rail", 1, 1, (1,), id="one node"),
    ],
)
def test_known_sizes(kind: str, hosts: int, rails: int, groups: tuple[int, ...]) -> None:
    wiring = simulate(kind, hosts=hosts, rails=rails)
    assert tuple(len(tier) for tier in wiring.truth().tiers) == groups
    assert sum(device.role == Role.ADAPTER for device in wiring.devices) == hosts * rails


def test_every_switch_of_a_3d_torus_has_six_neighbours() -> None:
    wiring = simulate("torus", hosts=128)
    neighbours = Counter(
        end for cable in wiring.cables if not wiring.devices[cable.a].host for end in {cable.a, cable.b}
    )
    assert set(neighbours.values()) == {12} and len(neighbours) == 64


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param({"kind": "fat-tree-4", "hosts": 8}, "unknown kind 'fat-tree-4': choose one of", id="kind"),
        pytest.param({"kind": "rail", "hosts": 0}, "hosts must be at least 1", id="no hosts"),
        pytest.param({"kind": "rail", "hosts": 8, "rails": 17}, "rails must be 1 to 16", id="too many rails"),
        pytest.param({"kind": "rail", "hosts": 10**9, "rails": 8}, "8,000,000,000 adapters, at most", id="huge"),
        pytest.param({"kind": "fat-tree-2", "hosts": 10240}, "no switch has 320 ports", id="too many leaves"),
    ],
)
def test_what_cannot_be_drawn_says_why(words: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate(**words)  # type: ignore[arg-type]


def test_every_kind_says_what_it_is() -> None:
    assert all(kind.what and kind.name == name for name, kind in KINDS.items())
