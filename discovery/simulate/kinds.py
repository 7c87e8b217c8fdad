"""The kinds of fabric that can be drawn, each a function that cables a draft.

A unit is a leaf group: its hosts and its leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from discovery.simulate.draft import Draft
from discovery.simulate.wiring import QUANTUM2, QUANTUM_X800, Expected, Host, Model

UNIT = 32
"""Hosts (or, where a host has all its adapters on one leaf, adapters) of a full unit: half of a 64-port leaf."""
POD_LEAVES = 32
TRAYS = 18
"""Compute trays of an NVL72 rack."""
SPARE = 4
"""Ports that stay free on every spine and core, so that a stray host or a router finds one."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of the table: the name people type, what it is, and how it is cabled."""

    name: str
    what: str
    cable: Callable[[Draft, int, int], None]


def _share(count: int, parts: int) -> list[range]:
    """Cut 0..count-1 into ``parts`` neighbouring ranges of nearly the same length."""
    cuts = [part * count // parts for part in range(parts + 1)]
    return [range(low, high) for low, high in pairwise(cuts)]


def _units(hosts: int, full: int, fewest: int = 4) -> list[range]:
    """Cut hosts into units of at most ``full``; a small fabric gets ``fewest`` small units, to be worth looking at."""
    size = full if hosts >= fewest * full else max(1, -(-hosts // fewest))
    return _share(hosts, -(-hosts // size))


def _names(hosts: int) -> list[str]:
    digits = max(3, len(str(hosts)))
    return [f"dgx-{number:0{digits}d}" for number in range(1, hosts + 1)]


def _smallest(ports: int) -> Model:
    """Choose the smallest switch that has so many ports and some to spare."""
    for model in (QUANTUM2, QUANTUM_X800):
        if ports + SPARE <= model.ports:
            return model
    raise ValueError(f"no switch has {ports} ports: choose a kind with more levels, fewer hosts or fewer rails")


def _plug(draft: Draft, host: str, leaves: Sequence[int], rails: Sequence[int], plane: int = 0) -> None:
    """Give a host one adapter a rail; rail r goes to ``leaves[r]``, or to the only leaf."""
    for at, rail in enumerate(rails):
        adapter = draft.adapter(host, f"mlx5_{rail}", plane)
        draft.cable(adapter, leaves[at] if len(leaves) > 1 else leaves[0])


def _uplinks(hosts: int, adapters_each: int) -> int:
    return max(2, min(UNIT, hosts * adapters_each))


def _two_levels(draft: Draft, leaves: Sequence[int], uplinks: int, prefix: str = "", plane: int = 0) -> None:
    """Join every leaf to every spine, by two cables where the spines have room."""
    together = 2 if 2 * len(leaves) + SPARE <= QUANTUM2.ports and uplinks >= 4 else 1
    model = _smallest(len(leaves) * together)
    for number in range(uplinks // together):
        spine = draft.switch(f"{prefix}SPINE-{number:02d}", model, "spine", "pod 0", plane)
        for leaf in leaves:
            for _ in range(together):
                draft.cable(leaf, spine)


def _three_levels(draft: Draft, pods: Sequence[Sequence[int]], uplinks: int, prefix: str = "", plane: int = 0) -> None:
    """Join every leaf to every spine of its pod, and spine j of every pod to the cores of group j."""
    down = max(len(pod) for pod in pods)
    up = max(2, min(down, QUANTUM_X800.ports - SPARE - down))
    spines = []
    for number, pod in enumerate(pods):
        names = [f"{prefix}SPINE-{number:02d}-{j:02d}" for j in range(uplinks)]
        spines.append([draft.switch(name, _smallest(down + up), "spine", f"pod {number}", plane) for name in names])
        for leaf in pod:
            for spine in spines[-1]:
                draft.cable(leaf, spine)
    together = up
    while together > 1 and (together * len(pods) + SPARE > QUANTUM2.ports or up % together):
        together -= 1
    for j in range(uplinks):
        for number in range(up // together):
            core = draft.switch(
                f"{prefix}CORE-{j:02d}-{number:02d}", _smallest(together * len(pods)), "core", "top", plane
            )
            for pod_spines in spines:
                for _ in range(together):
                    draft.cable(pod_spines[j], core)


def _pods(units: int, leaves_each: int) -> list[range]:
    """Cut units into pods of 32 leaves, or 64 where a core could not reach so many pods; two pods at least."""
    each = max(1, POD_LEAVES // leaves_each)
    if -(-units // each) > QUANTUM_X800.ports - SPARE:
        each *= 2
    return _share(units, min(units, max(2, -(-units // each))))


def _clos(draft: Draft, units: Sequence[Sequence[str]], rails: int, leaves_each: int, deep: bool) -> None:
    """Cable units of hosts into a folded Clos network of two or three levels; ``leaves_each`` is 1 or the rails."""
    pods = _pods(len(units), leaves_each) if deep else [range(len(units))]
    adapters_each = 1 if leaves_each > 1 else rails
    uplinks = _uplinks(max(len(unit) for unit in units), adapters_each)
    leaves_of_pods: list[list[int]] = []
    for pod_number, pod in enumerate(pods):
        leaves_of_pods.append([])
        for number in pod:
            suffixes = [f"-{rail}" for rail in range(leaves_each)] if leaves_each > 1 else [""]
            leaves = [
                draft.switch(f"LEAF-{number:02d}{suffix}", QUANTUM2, "leaf", f"unit {number}") for suffix in suffixes
            ]
            leaves_of_pods[-1] += leaves
            path = (f"unit {number}", f"pod {pod_number}", "top") if deep else (f"unit {number}", "top")
            for host in units[number]:
                draft.hosts[host] = Host(host, path)
                _plug(draft, host, leaves, range(rails))
    if deep:
        _three_levels(draft, leaves_of_pods, uplinks)
    else:
        _two_levels(draft, leaves_of_pods[0], uplinks)


def _named(names: Sequence[str], units: Sequence[range]) -> list[list[str]]:
    return [[names[place] for place in unit] for unit in units]


def fat_tree_2(draft: Draft, hosts: int, rails: int) -> None:
    """Cable all adapters of a host to one leaf, every leaf to every spine."""
    _clos(draft, _named(_names(hosts), _units(hosts, max(1, UNIT // rails))), rails, 1, deep=False)


def fat_tree_3(draft: Draft, hosts: int, rails: int) -> None:
    """Cable all adapters of a host to one leaf, leaves to the spines of their pod, spines to cores."""
    _clos(draft, _named(_names(hosts), _units(hosts, max(1, UNIT // rails))), rails, 1, deep=True)


def rail(draft: Draft, hosts: int, rails: int) -> None:
    """Cable adapter r of every host of a unit to leaf r of the unit."""
    units = _units(hosts, UNIT)
    _clos(draft, _named(_names(hosts), units), rails, rails, deep=len(units) * rails > QUANTUM2.ports)


def nvl72(draft: Draft, hosts: int, rails: int) -> None:
    """Fill racks of 18 trays; each rack has one leaf a rail."""
    racks = [range(low, min(low + TRAYS, hosts)) for low in range(0, hosts, TRAYS)]
    names = [f"gb-r{place // TRAYS + 1:02d}-t{place % TRAYS + 1:02d}" for place in range(hosts)]
    _clos(draft, _named(names, racks), rails, rails, deep=len(racks) * rails > QUANTUM2.ports)


def planes(draft: Draft, hosts: int, rails: int) -> None:
    """Cable rail r of all hosts into a fabric of its own, which is a subnet of its own."""
    names = _names(hosts)
    units = _named(names, _units(hosts, UNIT))
    deep = len(units) > QUANTUM2.ports
    pods = _pods(len(units), 1) if deep else [range(len(units))]
    draft.planes = rails
    for plane in range(rails):
        pod_leaves: list[list[int]] = []
        for pod_number, pod in enumerate(pods):
            pod_leaves.append([])
            for number in pod:
                leaf = draft.switch(f"P{plane}-LEAF-{number:02d}", QUANTUM2, "leaf", f"unit {number}", plane)
                pod_leaves[-1].append(leaf)
                path = (f"unit {number}", f"pod {pod_number}", "top") if deep else (f"unit {number}", "top")
                for host in units[number]:
                    draft.hosts[host] = Host(host, path)
                    _plug(draft, host, [leaf], [plane], plane)
        uplinks = _uplinks(max(len(unit) for unit in units), 1)
        if deep:
            _three_levels(draft, pod_leaves, uplinks, f"P{plane}-", plane)
        else:
            _two_levels(draft, pod_leaves[0], uplinks, f"P{plane}-", plane)


def dragonfly_plus(draft: Draft, hosts: int, rails: int) -> None:
    """Cable groups of leaves and spines; spines of different groups are cabled directly, there is no core."""
    units = _named(_names(hosts), _units(hosts, max(1, UNIT // rails), fewest=6))
    groups = _share(len(units), max(min(3, len(units)), -(-len(units) // 16)))
    spines_each = max(2, max(len(group) for group in groups))
    together = max(1, min(UNIT, len(units[0]) * rails) // spines_each)
    spines: list[list[int]] = []
    for number, group in enumerate(groups):
        spines.append(
            [draft.switch(f"G{number}-SPINE-{j:02d}", QUANTUM2, "spine", f"group {number}") for j in range(spines_each)]
        )
        for unit in group:
            leaf = draft.switch(f"G{number}-LEAF-{unit:02d}", QUANTUM2, "leaf", f"unit {unit}")
            for host in units[unit]:
                draft.hosts[host] = Host(host, (f"unit {unit}", f"group {number}", "top"))
                _plug(draft, host, [leaf], range(rails))
            for spine in spines[-1]:
                for _ in range(together):
                    draft.cable(leaf, spine)
    down = together * max(len(group) for group in groups)
    between = max(1, spines_each * down // (2 * max(1, len(groups) - 1)))
    for low in range(len(groups)):
        for high in range(low + 1, len(groups)):
            for k in range(between):
                draft.cable(spines[low][(high + k) % spines_each], spines[high][(low + k) % spines_each])
    if len(groups) > 1:
        draft.expected.append(Expected("not-a-tree"))


def torus(draft: Draft, hosts: int, rails: int) -> None:
    """Cable switches to their neighbours in up to three directions, each with two hosts and two cables a direction."""
    count = max(1, hosts // 2)
    depth = max(1, next(n for n in range(count + 2) if n**3 > count) - 1)
    height = max(1, next(n for n in range(count + 2) if n * n > count // depth) - 1)
    sides = (count // depth // height, height, depth)
    total = sides[0] * sides[1] * sides[2]
    names = _names(hosts)
    for number, unit in enumerate(_share(hosts, total)):
        switch = draft.switch(f"T{number:03d}", QUANTUM2, "flat", f"unit {number}")
        for place in unit:
            draft.hosts[names[place]] = Host(names[place], (f"unit {number}", "top"))
            _plug(draft, names[place], [switch], range(rails))
    switches = [place for place, device in enumerate(draft.devices) if device.level == "flat"]
    step = 1
    for side in sides:
        for number in range(total):
            at = number // step % side
            # A ring of two is one pair of cables, not two.
            if side > 2 or (side == 2 and at == 0):
                after = number + step * ((at + 1) % side - at)
                for _ in range(2):
                    draft.cable(switches[number], switches[after])
        step *= side
    if total > 1:
        draft.expected.append(Expected("not-a-tree"))


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("fat-tree-2", "two levels, all adapters of a host on one leaf", fat_tree_2),
        Kind("fat-tree-3", "three levels in pods, all adapters of a host on one leaf", fat_tree_3),
        Kind("rail", "rail-optimised units of 32 hosts, two levels, three where 64 leaves are not enough", rail),
        Kind("nvl72", "racks of 18 trays with one leaf a rail", nvl72),
        Kind("dragonfly-plus", "groups of leaves and spines, joined spine to spine", dragonfly_plus),
        Kind("torus", "a ring, 2D or 3D torus of switches with two hosts each", torus),
        Kind("planes", "every rail a subnet of its own", planes),
    )
}
