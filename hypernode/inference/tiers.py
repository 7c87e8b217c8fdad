"""Upper tiers: groups whose uplinks go mostly to the same switches of the next level become one, again and again."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from discovery.arrays import I32, I64, Bool
from discovery.distinct import distinct, extremes
from hypernode.inference.leaves import LeafGroups
from hypernode.inference.net import Net, components
from hypernode.inference.overlap import MOST, Incidence, cluster, end_of, signatures
from hypernode.inference.roles import Likeness, Roles, looks_empty, next_level

DENSER = 4.0
"""Groups inside a dragonfly group are cabled at least this many times as densely as groups of different ones."""
CLOSE = 0.45
"""Neighbourhoods of two switches of a balanced dragonfly group overlap by one half, of a torus' or HyperX' by less."""
LATE = 0.4
"""A switch with dead cables joins the dragonfly group that this share of its cables leads to."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Level:
    """One partition of the leaf groups: ``item`` of each, and the switches of this level by the item that owns them."""

    item: I32
    switches: dict[int, list[int]]
    by_links: bool = False
    """Joined by links within a level, not by a next level."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Climb:
    """Partitions from the leaf groups upward, each coarser; the component of each leaf group; and the level of each
    switch (0: leaf; -1: none). ``spans`` are leaves that stand between groups, so that they are none."""

    levels: tuple[Level, ...]
    component: I32
    level_of: I32
    spans: frozenset[int]
    spare: frozenset[int]
    """Switches above the spines that serve one group only and are cabled as leaves are: leaves without hosts."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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
    levels: tuple[Level, ...]
    spare: frozenset[int] = frozenset()


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
        uplinks = _uplinks(state, up)
        state = replace(state, spare=state.spare | _empty_leaves(state, role, uplinks))
        clusters, owner_of_up = _joined(state, uplinks)
        if len(state.levels) == 1:
            spans = _spanning_leaves(state, role, likeness, clusters, owner_of_up)
        state = _risen(state, up, clusters, owner_of_up)
    component = _components(network, groups, state, strays)
    levels = (*state.levels, *_joined_within(state, component))
    level_of = state.level_of.copy()
    level_of[list(state.spare)] = 0
    return Climb(levels, component, level_of, spans, state.spare)


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
    return _State(network, groups.of_switch, level_of, barred, total, hanging, first.item, (first,))


def _joined(state: _State, uplinks: Incidence) -> tuple[I32, dict[int, int]]:
    """The cluster of each item by its uplinks, and the cluster that owns each switch of the next level.

    Switches that serve one item only say nothing about its parent; they are left out of the comparison unless they
    carry most of the item's uplinks (a pod of one unit has all its spines for itself).
    """
    served = _served(state, uplinks)
    served[list(state.spare)] = 0
    uplinks = uplinks.where(served[uplinks.col] > 0)
    shared = served[uplinks.col] > 1
    total = np.bincount(uplinks.row, uplinks.weight, state.items)
    mostly = np.bincount(uplinks.row, uplinks.weight * shared, state.items) >= MOST * total
    found = signatures(uplinks.where(shared | ~mostly[uplinks.row]))
    order = sorted(range(len(found.sets)), key=lambda number: sorted(found.sets[number].items()))
    clusters = cluster([found.sets[number] for number in order], [int(found.size[number]) for number in order])
    cluster_of_set = np.full(len(found.sets) + 1, -1, np.int32)
    cluster_of_set[order] = np.array(clusters.of_set, np.int32)
    cluster_of_item = cluster_of_set[found.of_row]
    alone = np.flatnonzero(cluster_of_item < 0)
    highest = int(cluster_of_item.max(initial=-1)) + 1
    cluster_of_item[alone] = highest + np.arange(len(alone), dtype=np.int32)
    clusters_, owner_of_up = _with_leftovers(cluster_of_item, uplinks, state.network.switches)
    return _with_strays(state, clusters_, owner_of_up), owner_of_up


def _with_strays(state: _State, clusters: I32, owner_of_up: dict[int, int]) -> I32:
    """Groups of stray hosts join the cluster that owns the switch they hang on, once that level is reached."""
    joined = clusters.copy()
    heaviest: dict[int, float] = {}
    for item, switch, gbps in state.stray:
        if switch in owner_of_up and gbps > heaviest.get(item, 0.0):
            heaviest[item] = gbps
            joined[item] = owner_of_up[switch]
    return joined


def _served(state: _State, uplinks: Incidence) -> I64:
    """How many items each switch serves."""
    return np.bincount(uplinks.col, minlength=state.network.switches)


def _uplinks(state: _State, up: I32) -> Incidence:
    """Bandwidth of each item, from any of its switches, to each switch of the next level."""
    network = state.network
    is_up = np.zeros(network.switches, bool)
    is_up[up] = True
    rising = np.flatnonzero((state.owner[network.u] >= 0) & is_up[network.v])
    falling = np.flatnonzero((state.owner[network.v] >= 0) & is_up[network.u])
    item = np.concatenate([state.owner[network.u[rising]], state.owner[network.v[falling]]])
    switch = np.concatenate([network.v[rising], network.u[falling]])
    gbps = np.concatenate([network.trunk_gbps[rising], network.trunk_gbps[falling]])
    return Incidence.of(state.items, item, switch, gbps)


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
    settled = np.array([end_of(who, target) for who in target], np.int32)
    return settled[cluster_of_item], {where: int(settled[who]) for where, who in owner.items()}


def _spanning_leaves(
    state: _State, role: Roles, likeness: Likeness, clusters: I32, owner_of_up: dict[int, int]
) -> frozenset[int]:
    """Leaves whose uplinks go to several groups, to none of them mostly, and whose twins have no hosts: cores."""
    network = state.network
    cluster_of = np.full(network.switches, -1, np.int32)
    cluster_of[list(owner_of_up)] = list(owner_of_up.values())
    near_end, far_end = np.concatenate([network.u, network.v]), np.concatenate([network.v, network.u])
    rows = np.flatnonzero((state.level_of[near_end] == 0) & (cluster_of[far_end] >= 0))
    low, high = extremes(near_end[rows], cluster_of[far_end[rows]], network.switches)
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


def _empty_leaves(state: _State, role: Roles, uplinks: Incidence) -> frozenset[int]:
    """Leaves without hosts: seen from the spines they look like a level above, and they only lead back down."""
    if len(state.levels) == 1:
        return frozenset()
    single = np.flatnonzero(_served(state, uplinks) == 1).tolist()
    leaf = state.level_of == 0
    return frozenset(switch for switch in single if looks_empty(switch, state.network, role, leaf))


def _risen(state: _State, up: I32, clusters: I32, owner_of_up: dict[int, int]) -> _State:
    """The clusters are the new items, and the next level's switches are theirs."""
    order = dict.fromkeys(clusters[state.item_of_group].tolist())
    number = np.full(int(clusters.max(initial=-1)) + 1, -1, np.int32)
    number[list(order)] = np.arange(len(order), dtype=np.int32)
    owner = np.where(state.owner >= 0, number[clusters[state.owner]], -1).astype(np.int32)
    own: dict[int, list[int]] = defaultdict(list)
    for switch, who in sorted(owner_of_up.items()):
        owner[switch] = number[who]
        own[int(number[who])].append(switch)
    level_of = state.level_of.copy()
    level_of[up] = len(state.levels)
    settled = {item for item, switch, _ in state.stray if switch in owner_of_up}
    item_of_group = number[clusters[state.item_of_group]]
    return replace(
        state,
        owner=owner,
        level_of=level_of,
        items=len(order),
        stray=[(int(number[clusters[one[0]]]), one[1], one[2]) for one in state.stray if one[0] not in settled],
        item_of_group=item_of_group,
        levels=(*state.levels, Level(item_of_group, dict(own))),
    )


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


def _joined_within(state: _State, component: I32) -> tuple[Level, ...]:
    """Where no next level exists, links within a level join groups: dense ones first, then whole components."""
    item, label = state.item_of_group, component
    open_items = [distinct(item[label == one]) for one in distinct(label).tolist()]
    if all(len(items) == 1 for items in open_items):
        return ()
    dense = _dense(state, item)
    whole = np.unique(label, return_inverse=True)[1].reshape(-1).astype(np.int32)
    levels = [dense, whole] if dense is not None else [whole]
    return tuple(Level(one, {}, by_links=True) for one in levels)


def _dense(state: _State, item: I32) -> I32 | None:
    """Dragonfly groups: items that are cabled with each other far more densely than with the rest; None if there are
    no such groups. Items with mostly the same neighbourhood (themselves included) belong together."""
    near = _near(state)
    pairs = [(a, b) for a, others in near.items() for b in sorted(others) if a < b]
    alike = [(a, b) for a, b in pairs if len(near[a] & near[b]) >= CLOSE * len(near[a] | near[b])]
    one = np.array([a for a, _ in alike], np.int32)
    other = np.array([b for _, b in alike], np.int32)
    label = _with_late_ones(near, components(state.items, one, other))
    sizes = np.bincount(label, minlength=state.items)
    inside = sum(1 for a, b in pairs if label[a] == label[b])
    bundles = {(label[a], label[b]) if label[a] < label[b] else (label[b], label[a]) for a, b in pairs}
    between = (len(pairs) - inside) / max(sum(1 for a, b in bundles if a != b), 1)
    possible = float((sizes * (sizes - 1) / 2).sum())
    outside = state.items * (state.items - 1) / 2 - possible
    groups = int((sizes > 0).sum())
    if groups < 2 or possible == 0 or outside == 0 or (sizes[sizes > 0] < 2).mean() > 1 - MOST:
        return None
    if between > MOST * sizes[sizes > 1].min():
        return None
    if inside / possible < DENSER * (len(pairs) - inside) / outside:
        return None
    compact = np.unique(label, return_inverse=True)[1].reshape(-1).astype(np.int32)
    found: I32 = compact[item]
    return found


def _near(state: _State) -> dict[int, set[int]]:
    """The items that each item is cabled to, itself included."""
    network, owner = state.network, state.owner
    across = np.flatnonzero((owner[network.u] >= 0) & (owner[network.v] >= 0) & (owner[network.u] != owner[network.v]))
    near: dict[int, set[int]] = {one: {one} for one in range(state.items)}
    for a, b in zip(owner[network.u[across]].tolist(), owner[network.v[across]].tolist(), strict=True):
        near[a].add(b)
        near[b].add(a)
    return near


def _with_late_ones(near: dict[int, set[int]], label: I32) -> I32:
    """Items that stand alone join the group most of their neighbours are in."""
    sizes = np.bincount(label, minlength=len(near))
    joined = label.copy()
    for one in np.flatnonzero(sizes[label] == 1).tolist():
        votes: dict[int, int] = defaultdict(int)
        for other in near[one] - {one}:
            if sizes[label[other]] > 1:
                votes[int(label[other])] += 1
        best = max(votes, key=lambda group: (votes[group], -group), default=None)
        if best is not None and votes[best] >= LATE * (len(near[one]) - 1):
            joined[one] = best
    return joined
