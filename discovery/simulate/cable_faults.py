"""Faults of single cables: dead, wrong, slow or silent at one end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from discovery.simulate.choice import (
    hca_cables,
    pick,
    pick_hca_cables,
    pick_switches,
    remove,
    switch_name,
    switches,
    uplinks,
)
from discovery.simulate.draft import Draft
from discovery.simulate.wiring import ONLY_A, ONLY_B, Cable, Expected

SLOWER = {"XDR": "NDR", "NDR": "HDR", "HDR": "EDR", "EDR": "FDR", "FDR": "QDR"}


def dead_hca_link(draft: Draft, count: int) -> None:
    """Take one cable each of ``count`` hosts away."""
    places = pick_hca_cables(draft, "dead-hca-link", count)
    for place in places:
        host = draft.devices[draft.cables[place].a].host
        if len(hca_cables(draft)[host]) > 1:
            draft.expected.append(Expected("dead-hca-link", (host,)))
        else:
            draft.expected.append(Expected("unplaced", (host,)))
    remove(draft, places)


def dead_uplink(draft: Draft, count: int) -> None:
    """Take one cable each of ``count`` leaves away that have another."""
    cables = uplinks(draft)
    leaves = pick_switches(draft, "dead-uplink", [leaf for leaf, ups in cables.items() if len(ups) > 1], count)
    flat = draft.kind == "torus"
    for leaf in leaves:
        if not flat:
            draft.expected.append(Expected("dead-uplink", (switch_name(draft, leaf),)))
    remove(draft, [draft.dice.sample(cables[leaf], 1)[0] for leaf in leaves])


def _other_leaf(draft: Draft, cable: Cable) -> int:
    """Find a leaf of another unit: the same rail of it where leaves are rails."""
    home = draft.devices[cable.b]
    cabled = {end for one in draft.cables for end in (one.a, one.b)}
    units: dict[str, list[int]] = {}
    for place in switches(draft, "leaf", "flat"):
        device = draft.devices[place]
        if device.plane == home.plane and place in cabled:
            units.setdefault(device.unit, []).append(place)
    rail = units.pop(home.unit).index(cable.b)
    if not units:
        raise ValueError("miscabled-hca needs two units: use more hosts")
    leaves = draft.dice.sample(list(units.values()), 1)[0]
    return leaves[min(rail, len(leaves) - 1)]


def miscabled_hca(draft: Draft, count: int) -> None:
    """Move one cable each of ``count`` hosts; where the other leaf is full, one of its hosts takes the free place."""
    before = hca_cables(draft)
    for place in pick_hca_cables(draft, "miscabled-hca", count):
        cable = draft.cables[place]
        leaf = _other_leaf(draft, cable)
        if draft.room(leaf):
            draft.cables[place] = replace(cable, b=leaf, b_port=draft.free_port(leaf))
        else:
            on_leaf = {host: one for host, cables in before.items() for one in cables if draft.cables[one].b == leaf}
            other = on_leaf[pick(draft, "miscabled-hca", list(on_leaf), 1)[0]]
            _cross(draft, place, other)
            _tell_miscabled(draft, other, before)
        _tell_miscabled(draft, place, before)


def _tell_miscabled(draft: Draft, place: int, before: Mapping[str, Sequence[int]]) -> None:
    """Expect the finding; a host with a single cable has moved to the other unit itself, and nobody can see it."""
    cable = draft.cables[place]
    host = draft.hosts[draft.devices[cable.a].host]
    if len(before[host.name]) == 1:
        unit = draft.devices[cable.b].unit
        path = next(other.path for other in draft.hosts.values() if other.path[0] == unit)
        draft.hosts[host.name] = replace(host, path=path)
    else:
        kind = "tie" if len(before[host.name]) == 2 else "miscabled-hca"
        draft.expected.append(Expected(kind, (host.name,)))


def _cross(draft: Draft, one: int, two: int) -> None:
    """Let two cables change places at their far ends."""
    first, second = draft.cables[one], draft.cables[two]
    draft.cables[one] = replace(first, b=second.b, b_port=second.b_port)
    draft.cables[two] = replace(second, b=first.b, b_port=first.b_port)


def rail_swap(draft: Draft, count: int) -> None:
    """Cross the cables of two adapters of ``count`` hosts whose leaves differ."""
    crossable = {}
    for host, places in hca_cables(draft).items():
        by_leaf = {(draft.cables[place].b, draft.devices[draft.cables[place].b].plane): place for place in places}
        if len({plane for _, plane in by_leaf}) == 1 and len(by_leaf) > 1:
            crossable[host] = list(by_leaf.values())
    for host in pick(draft, "rail-swap", list(crossable), count):
        one, two = draft.dice.sample(crossable[host], 2)
        _cross(draft, one, two)
        draft.expected.append(Expected("rail-swap", (host,)))


def miscabled_uplink(draft: Draft, count: int) -> None:
    """Move one uplink each of ``count`` leaves to a spine of another pod."""
    cables = uplinks(draft)
    spines = switches(draft, "spine")
    several_pods = len({draft.devices[spine].unit for spine in spines}) > 1
    movable = [leaf for leaf, ups in cables.items() if len(ups) > 2 and several_pods]
    for leaf in pick_switches(draft, "miscabled-uplink", movable, count):
        place = draft.dice.sample(cables[leaf], 1)[0]
        cable = draft.cables[place]
        home = draft.devices[cable.b]
        others = [
            spine
            for spine in spines
            if draft.devices[spine].unit != home.unit and draft.devices[spine].plane == home.plane
        ]
        spine = draft.dice.sample(others, 1)[0]
        draft.cables[place] = replace(cable, b=spine, b_port=draft.free_port(spine))
        draft.expected.append(Expected("miscabled-uplink", (switch_name(draft, leaf),)))


def one_sided_link(draft: Draft, count: int) -> None:
    """Let one end of one uplink each of ``count`` leaves be silent."""
    cables = uplinks(draft)
    for leaf in pick_switches(draft, "one-sided-link", list(cables), count):
        place = draft.dice.sample(cables[leaf], 1)[0]
        side = (ONLY_A, ONLY_B)[draft.dice.below(2)]
        draft.cables[place] = replace(draft.cables[place], sides=side)
        draft.expected.append(Expected("one-sided-link", (switch_name(draft, leaf),)))


def slow_link(draft: Draft, count: int) -> None:
    """Let one cable each of ``count`` hosts run one generation slower."""
    for place in pick_hca_cables(draft, "slow-link", count):
        cable = draft.cables[place]
        draft.cables[place] = replace(cable, speed=SLOWER[cable.speed])
        draft.expected.append(Expected("slow-link", (draft.devices[cable.a].host,)))


def unknown_speed(draft: Draft, count: int) -> None:
    """Forget the speed of any ``count`` cables."""
    places = draft.dice.sample(range(len(draft.cables)), count)
    for place in places:
        draft.cables[place] = replace(draft.cables[place], speed="???")
    draft.expected.append(Expected("unknown-speed"))


def link_loss(draft: Draft, per_cent: int) -> None:
    """Take that share of all cables away, at least one."""
    count = max(1, len(draft.cables) * per_cent // 100)
    remove(draft, draft.dice.sample(range(len(draft.cables)), count))


def self_loop(draft: Draft, count: int) -> None:
    """Join two free ports each of ``count`` leaves."""
    roomy = [leaf for leaf in switches(draft, "leaf", "flat") if draft.room(leaf) > 1]
    for leaf in pick_switches(draft, "self-loop", roomy, count):
        draft.cable(leaf, leaf)
        draft.expected.append(Expected("self-loop", (switch_name(draft, leaf),)))
