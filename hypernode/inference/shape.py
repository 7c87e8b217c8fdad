"""From partitions to groups: tiers that say nothing new are left out, component by component; capacity is measured."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from discovery.arrays import F64, I32, Bool
from hypernode.inference.net import Net
from hypernode.inference.tiers import Climb
from hypernode.tree import Capacity, Group


def groups_of(
    network: Net, climbed: Climb, group_of_host: I32, placed: Bool, tier_names: tuple[str, ...]
) -> tuple[Group, ...]:
    """Roots of the tree of placed hosts, sorted; every component has its own stack of tiers."""
    nodes: dict[int, list[str]] = defaultdict(list)
    for host in np.flatnonzero(placed).tolist():
        nodes[int(group_of_host[host])].append(network.fabric.hosts.node[host])
    if not nodes:
        return ()
    capacities = _capacities(network, climbed, group_of_host, placed)
    by_component: dict[int, list[int]] = defaultdict(list)
    for leaf_group in sorted(nodes):
        by_component[int(climbed.component[leaf_group])].append(leaf_group)
    roots: list[Group] = []
    for leaf_groups in by_component.values():
        stack = _Stack(network, climbed, capacities, tier_names)
        roots += stack.build(leaf_groups, nodes)
    return tuple(sorted(roots, key=lambda group: (group.nodes, group.switches)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Stack:
    """The tiers of one component."""

    network: Net
    climbed: Climb
    capacities: list[tuple[F64, F64, F64]]
    tier_names: tuple[str, ...]

    def build(self, leaf_groups: list[int], nodes: dict[int, list[str]]) -> list[Group]:
        """Groups from the leaves up; a partition equal to the one below is no tier."""
        current = {
            group: self._group(0, 1, group, tuple(sorted(nodes[group])), ()) for group in leaf_groups
        }
        of_leaf = {group: group for group in leaf_groups}
        tier = 1
        for number, level in enumerate(self.climbed.levels[1:], 1):
            item = {group: int(level.item[group]) for group in leaf_groups}
            if len(set(item.values())) == len(current):
                continue
            tier += 1
            below: dict[int, dict[int, Group]] = defaultdict(dict)
            for group in leaf_groups:
                below[item[group]][of_leaf[group]] = current[of_leaf[group]]
            current = {who: self._above(number, tier, who, list(children.values())) for who, children in below.items()}
            of_leaf = item
        return [_without_uplinks(group) for group in current.values()]

    def _above(self, number: int, tier: int, who: int, children: list[Group]) -> Group:
        ordered = sorted(children, key=lambda group: (group.nodes, group.switches))
        members = tuple(sorted(node for child in ordered for node in child.nodes))
        return self._group(number, tier, who, members, tuple(ordered))

    def _group(self, number: int, tier: int, who: int, nodes: tuple[str, ...], children: tuple[Group, ...]) -> Group:
        switches = self.climbed.levels[number].switches.get(who, [])
        ids = {f"{int(self.network.fabric.devices.guid[switch]):016x}" for switch in switches}
        if not ids:
            ids = {switch for child in children for switch in child.switches}
        hosts_gbps, uplink_gbps, unknown = (float(column[who]) for column in self.capacities[number])
        capacity = Capacity(round(hosts_gbps, 3), round(uplink_gbps, 3), int(unknown))
        return Group(tier, tier_name(tier, self.tier_names), tuple(sorted(ids)), nodes, children, capacity)


def _without_uplinks(root: Group) -> Group:
    """Cables that lead up from a root lead to nobody's nodes: there is nothing to be oversubscribed to."""
    if root.capacity is None:
        return root
    return replace(root, capacity=replace(root.capacity, uplink_gbps=0.0))


def tier_name(tier: int, names: tuple[str, ...]) -> str:
    """The name of a tier by position: leaf, spine, core, then core-2, core-3, …"""
    return names[tier - 1] if tier <= len(names) else f"{names[-1]}-{tier - len(names) + 1}"


def _capacities(network: Net, climbed: Climb, group_of_host: I32, placed: Bool) -> list[tuple[F64, F64, F64]]:
    """For each level (Gbit/s to placed hosts, Gbit/s of cables that lead up, cables of unknown speed) by item."""
    rows = np.flatnonzero(placed[network.host])
    switch, host, gbps = network.switch[rows], group_of_host[network.host[rows]], network.gbps[rows]
    unknown = network.fabric.links.gbps[network.link[rows]] == 0
    found = []
    for level, partition in enumerate(climbed.levels):
        owner, count = owners(network, climbed, level), int(partition.item.max(initial=-1)) + 1
        item = owner[switch]
        inside = np.flatnonzero((item == partition.item[host]) & (item >= 0))
        hosts = np.bincount(item[inside], gbps[inside], count).astype(np.float64)
        dark_ones = inside[unknown[inside]] if unknown.any() else inside[:0]
        dark = np.bincount(item[dark_ones], minlength=count).astype(np.float64)
        found.append((hosts, _leading_up(network, climbed, level, owner, count), dark))
    return found


def _leading_up(network: Net, climbed: Climb, level: int, owner: I32, count: int) -> F64:
    """Gbit/s of the cables that leave each item for another one or for a level above."""
    uplinks = np.zeros(count)
    near, far = owner[network.u], owner[network.v]
    leaving = np.flatnonzero(near != far)
    near, far, gbps = near[leaving], far[leaving], network.trunk_gbps[leaving]
    u_level, v_level = climbed.level_of[network.u[leaving]], climbed.level_of[network.v[leaving]]
    for one, other, other_level in ((near, far, v_level), (far, near, u_level)):
        up = (one >= 0) & ((other >= 0) | (other_level > level))
        uplinks += np.bincount(one[up], gbps[up], count)
    return uplinks


def owners(network: Net, climbed: Climb, level: int) -> I32:
    """The item of this level that each switch is inside of: the switches of this level and of all below."""
    owner = np.full(network.switches, -1, np.int32)
    item = climbed.levels[level].item
    for number in range(level + 1):
        lower = climbed.levels[number]
        representative = {int(who): group for group, who in reversed(list(enumerate(lower.item.tolist())))}
        for who, switches in lower.switches.items():
            owner[switches] = item[representative[who]]
    return owner
