"""Upper tiers: groups whose uplinks go mostly to the same switches of the next level become one, again and again."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from discovery.fabric import F64
from discovery.observations import I32, Bool
from hypernode.inference.leaves import LeafGroups
from hypernode.inference.net import Net, components
from hypernode.inference.overlap import MOST, Incidence, cluster, signatures
from hypernode.inference.roles import Likeness, Roles, next_level

DENSER = 4.0
"""Groups inside a dragonfly group are cabled at least this many times as densely as groups of different ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """One partition of the leaf groups: ``item`` of each, and the switches of this level by the item that owns them."""

    item: I32
    switches: dict[int, list[int]]
    by_links: bool = False
    """Joined by links within a level, not by a next level."""


@dataclass(frozen=True, slots=True, eq=False)
class Climb:
    """Partitions from the leaf groups upward, each coarser; the component of each leaf group; and the level of each
    switch (0: leaf; -1: none). ``spans`` are leaves that stand between groups, so that they are none."""

    levels: list[Level]
    component: I32
    level_of: I32
    spans: frozenset[int]
    single: frozenset[int]
    """Switches above the spines that serve one group only: they say nothing about its parent."""


@dataclass(slots=True)
class _State:
    """What is known on the way up."""

    network: Net
    owner: I32
    """The item that owns each switch, -1: none."""
    level_of: I32
    barred: Bool
    """Switches that take no part in levels: storage, flat components."""
    items: int
    stray: list[tuple[int, int, float]]
    """Items that hang on a switch that is no leaf: (item, switch, Gbit/s)."""
    item_of_group: I32
    levels: list[Level] = field(default_factory=list)
    single: set[int] = field(default_factory=set)


def climb(
    network: Net, role: Roles, groups: LeafGroups, likeness: Likeness, strays: dict[int, dict[int, float]]
) -> Climb:
    """Find the tiers above the leaf groups. ``strays``: leaf groups of stray hosts, with the switches they hang on."""
    state = _start(network, role, groups, strays)
    spans: frozenset[int] = frozenset()
    while state.items:
        below = state.level_of == len(state.levels) - 1
        known = (state.level_of >= 0) | state.barred
        up = next_level(network, likeness, below, known)
        if not len(up):
            break
        clusters, owner_of_up = _joined(state, up)
        if len(state.levels) == 1:
            spans = _spanning_leaves(state, role, likeness, clusters, owner_of_up)
        _rise(state, up, clusters, owner_of_up)
    component = _components(network, groups, state, strays)
    _join_within(state, component)
    return Climb(state.levels, component, state.level_of, spans, frozenset(state.single))


def _start(network: Net, role: Roles, groups: LeafGroups, strays: dict[int, dict[int, float]]) -> _State:
    total = groups.count + len(strays)
    level_of = np.full(network.switches, -1, np.int32)
    level_of[role.leaf & ~groups.storage & ~role.flat] = 0
    hanging = [(group, s, gbps) for group, switches in strays.items() for s, gbps in switches.items()]
    own: dict[int, list[int]] = defaultdict(list)
    for switch in np.flatnonzero(groups.of_switch >= 0).tolist():
        own[int(groups.of_switch[switch])].append(switch)
    for group, switch, _ in hanging:
        own[group].append(switch)
    first = Level(np.arange(total, dtype=np.int32), dict(own))
    barred = groups.storage | role.flat
    return _State(network, groups.of_switch.copy(), level_of, barred, total, hanging, first.item, [first])


def _joined(state: _State, up: I32) -> tuple[I32, dict[int, int]]:
    """The cluster of each item by its uplinks, and the cluster that owns each switch of the next level."""
    item, switch, gbps = _uplinks(state, up)
    uplinks = Incidence.of(state.items, item, switch, gbps)
    served = np.bincount(uplinks.col, minlength=state.network.switches)
    if len(state.levels) > 1:
        state.single.update(np.flatnonzero(served == 1).tolist())
    shared = served[uplinks.col] > 1
    kept = Incidence(state.items, uplinks.row[shared], uplinks.col[shared], uplinks.weight[shared])
    found = signatures(kept)
    order = sorted(range(len(found.sets)), key=lambda number: sorted(found.sets[number].items()))
    clusters = cluster([found.sets[number] for number in order], [int(found.size[number]) for number in order])
    cluster_of_set = np.full(len(found.sets) + 1, -1, np.int32)
    cluster_of_set[order] = np.array(clusters.of_set, np.int32)
    cluster_of_item = cluster_of_set[found.of_row]
    alone = np.flatnonzero(cluster_of_item < 0)
    highest = int(cluster_of_item.max(initial=-1)) + 1
    cluster_of_item[alone] = highest + np.arange(len(alone), dtype=np.int32)
    return _with_leftovers(cluster_of_item, uplinks, state.network.switches)


def _uplinks(state: _State, up: I32) -> tuple[I32, I32, F64]:
    """(item, switch of the next level, Gbit/s): cables from any switch of the item, and stray hosts' own links."""
    network = state.network
    is_up = np.zeros(network.switches, bool)
    is_up[up] = True
    rising = np.flatnonzero((state.owner[network.u] >= 0) & is_up[network.v])
    falling = np.flatnonzero((state.owner[network.v] >= 0) & is_up[network.u])
    hanging = [one for one in state.stray if is_up[one[1]]]
    item = np.concatenate([state.owner[network.u[rising]], state.owner[network.v[falling]], [g for g, _, _ in hanging]])
    switch = np.concatenate([network.v[rising], network.u[falling], [s for _, s, _ in hanging]])
    gbps = np.concatenate([network.trunk_gbps[rising], network.trunk_gbps[falling], [w for _, _, w in hanging]])
    return item.astype(np.int32), switch.astype(np.int32), gbps


def _with_leftovers(cluster_of_item: I32, uplinks: Incidence, switches: int) -> tuple[I32, dict[int, int]]:
    """A cluster whose uplinks go mostly to switches that another one owns joins that one."""
    highest = int(cluster_of_item.max(initial=-1)) + 1
    summed = Incidence.of(switches, uplinks.col, cluster_of_item[uplinks.row], uplinks.weight)
    weights: dict[int, dict[int, float]] = defaultdict(dict)
    for where, who, weight in zip(summed.row.tolist(), summed.col.tolist(), summed.weight.tolist(), strict=True):
        weights[where][who] = weight
    owner = {where: max(of, key=lambda who: (of[who], -who)) for where, of in weights.items()}
    votes: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for where, of in weights.items():
        for who, weight in of.items():
            votes[who][owner[where]] += weight
    target = {who: who for who in range(highest)}
    for who, of in votes.items():
        foreign = {other: weight for other, weight in of.items() if other != who}
        best = max(foreign, key=lambda other: (foreign[other], -other), default=who)
        if foreign and foreign[best] > MOST * sum(of.values()):
            target[who] = best
    settled = np.array([_end(who, target) for who in target], np.int32)
    return settled[cluster_of_item], {where: int(settled[who]) for where, who in owner.items()}


def _end(who: int, target: dict[int, int]) -> int:
    seen = [who]
    while target[seen[-1]] not in seen:
        seen.append(target[seen[-1]])
    return min(seen[seen.index(target[seen[-1]]) :])


def _spanning_leaves(
    state: _State, role: Roles, likeness: Likeness, clusters: I32, owner_of_up: dict[int, int]
) -> frozenset[int]:
    """Leaves whose uplinks go to several groups, to none of them mostly, and whose twins have no hosts: cores."""
    network = state.network
    cluster_of = np.full(network.switches, -1, np.int32)
    cluster_of[list(owner_of_up)] = list(owner_of_up.values())
    low, high = np.full(network.switches, len(clusters), np.int32), np.full(network.switches, -1, np.int32)
    for near_end, far_end in ((network.u, network.v), (network.v, network.u)):
        rows = np.flatnonzero((state.level_of[near_end] == 0) & (cluster_of[far_end] >= 0))
        np.minimum.at(low, near_end[rows], cluster_of[far_end[rows]])
        np.maximum.at(high, near_end[rows], cluster_of[far_end[rows]])
    found = []
    for switch in np.flatnonzero(low < high).tolist():
        near = state.network.neighbours.of(switch)
        share: dict[int, float] = defaultdict(float)
        for other, gbps in near.items():
            if other in owner_of_up:
                share[owner_of_up[other]] += gbps
        others = sum(gbps for who, gbps in share.items() if who != int(clusters[state.owner[switch]]))
        lone = len(share) > 1 and max(share.values()) <= MOST * sum(share.values()) and others > 0
        if lone and likeness.hostless(switch, role.hosts) >= MOST:
            found.append(switch)
    return frozenset(found)


def _rise(state: _State, up: I32, clusters: I32, owner_of_up: dict[int, int]) -> None:
    """Take the clusters as the new items and the next level's switches as theirs."""
    order = dict.fromkeys(clusters[state.item_of_group].tolist())
    number = np.full(int(clusters.max(initial=-1)) + 1, -1, np.int32)
    number[list(order)] = np.arange(len(order), dtype=np.int32)
    state.owner = np.where(state.owner >= 0, number[clusters[state.owner]], -1).astype(np.int32)
    own: dict[int, list[int]] = defaultdict(list)
    for switch, who in sorted(owner_of_up.items()):
        state.owner[switch] = number[who]
        own[int(number[who])].append(switch)
    state.level_of[up] = len(state.levels)
    state.stray = [(int(number[clusters[item]]), switch, gbps) for item, switch, gbps in state.stray]
    state.item_of_group = number[clusters[state.item_of_group]]
    state.items = len(order)
    state.levels.append(Level(state.item_of_group, dict(own)))


def _components(network: Net, groups: LeafGroups, state: _State, strays: dict[int, dict[int, float]]) -> I32:
    """The component of each leaf group: joined by cables or by hosts, not by storage or management networks."""
    total = groups.count + len(strays)
    cabled = network.component
    if groups.storage.any():
        trunk = np.flatnonzero(~groups.storage[network.u] & ~groups.storage[network.v])
        cabled = components(network.switches, network.u[trunk], network.v[trunk])
    leaf = np.flatnonzero(groups.of_switch >= 0)
    hanging = [(group, switch) for group, switches in strays.items() for switch in switches]
    one = cabled[np.concatenate([leaf, [switch for _, switch in hanging]]).astype(np.int32)]
    group = np.concatenate([groups.of_switch[leaf], [group for group, _ in hanging]]).astype(np.int32)
    other = (network.switches + group).astype(np.int32)
    label = components(network.switches + total, one, other)
    return label[network.switches :]


def _join_within(state: _State, component: I32) -> None:
    """Where no next level exists, links within a level join groups: dense ones first, then whole components."""
    item, label = state.item_of_group, component
    open_items = [np.unique(item[label == one]) for one in np.unique(label)]
    if all(len(items) == 1 for items in open_items):
        return
    dense = _dense(state, item)
    if dense is not None:
        state.levels.append(Level(dense, {}, by_links=True))
    whole = np.unique(label, return_inverse=True)[1].reshape(-1).astype(np.int32)
    state.levels.append(Level(whole, {}, by_links=True))


def _dense(state: _State, item: I32) -> I32 | None:
    """Dragonfly groups: items that are cabled with each other far more densely than with the rest; None if there are
    no such groups. Items with mostly the same neighbourhood (themselves included) belong together."""
    network = state.network
    owner = state.owner
    across = np.flatnonzero((owner[network.u] >= 0) & (owner[network.v] >= 0) & (owner[network.u] != owner[network.v]))
    near: dict[int, set[int]] = {one: {one} for one in range(state.items)}
    for a, b in zip(owner[network.u[across]].tolist(), owner[network.v[across]].tolist(), strict=True):
        near[a].add(b)
        near[b].add(a)
    pairs = {(a, b) for a, others in near.items() for b in others if a < b}
    alike = [(a, b) for a, b in pairs if 3 * len(near[a] & near[b]) >= len(near[a] | near[b])]
    one = np.array([a for a, _ in alike], np.int32)
    other = np.array([b for _, b in alike], np.int32)
    label = components(state.items, one, other)
    sizes = np.bincount(label, minlength=state.items)
    inside = sum(1 for a, b in pairs if label[a] == label[b])
    possible = float((sizes * (sizes - 1) / 2).sum())
    outside = state.items * (state.items - 1) / 2 - possible
    groups = int((sizes > 0).sum())
    if groups < 2 or possible == 0 or outside == 0 or (sizes[sizes > 0] < 2).mean() > 1 - MOST:
        return None
    if inside / possible < DENSER * (len(pairs) - inside) / outside:
        return None
    compact = np.unique(label, return_inverse=True)[1].reshape(-1).astype(np.int32)
    found: I32 = compact[item]
    return found
