"""Leaf groups ("scalable units"): hosts that share most of their leaf switches, whatever a few dead cables say."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64, Bool
from discovery.distinct import counted, distinct, extremes, summed
from hypernode.inference.net import Net, rails_of
from hypernode.inference.overlap import MOST, Incidence, Signatures, cluster, end_of, signatures
from hypernode.inference.spanning import SUBSTANTIAL, spanning_leaves

Tally = dict[int, dict[int, tuple[int, float]]]
"""By group and switch: hosts and their bandwidth."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LeafGroups:
    """The leaf group of each host (-1: none) and of each switch (-1: no leaf, or storage), and what was left out."""

    count: int
    of_host: I32
    of_switch: I32
    storage: Bool
    """Switches that serve several groups: storage or management networks."""
    ties: dict[int, tuple[int, ...]]
    """Hosts that fitted several groups alike, with those groups; they went with their lowest port."""


def leaf_groups(network: Net, leaf: Bool, trusted: Bool, storage: Bool, compute: Bool) -> LeafGroups:
    """Group the ``trusted`` hosts (named, of one machine) by their leaves, then give every leaf its owner.

    ``storage`` and ``compute`` are switches that the configuration says to be so; the rest is told by structure.
    """
    rows = leaf[network.on_switch] & trusted[network.on_host]
    incidence = Incidence(network.hosts, network.on_host, network.on_switch, network.on_gbps).where(rows)
    grouped = _grouped(network, incidence, storage, compute)
    minor = _minor_planes(network, grouped) & ~compute & ~storage
    if minor.any():
        grouped = _grouped(network, incidence, storage | minor, compute)
    return grouped


def _grouped(network: Net, incidence: Incidence, storage: Bool, compute: Bool) -> LeafGroups:
    """One pass: take out spanning switches, join signatures, settle leftovers and owners."""
    found = signatures(incidence.where(~storage[incidence.col]))
    spanning = spanning_leaves(found, rails_of(network, 1), compute)
    sets = [{s: w for s, w in one.items() if s not in spanning} for one in found.sets]
    filled = [number for number, one in enumerate(sets) if one]
    order = sorted(filled, key=lambda number: sorted(sets[number].items()))
    clusters = cluster([sets[number] for number in order], [int(found.size[number]) for number in order])
    of_set = dict(zip(order, clusters.of_set, strict=True))
    tied = {order[one]: groups for one, groups in clusters.ties.items()}
    return _Settling(network, found, sets, of_set, tied, spanning, storage).settle()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Settling:
    """The second half of grouping: owners of leaves, groups that own nothing, hosts that fit nowhere or twice."""

    network: Net
    found: Signatures
    sets: list[dict[int, float]]
    of_set: dict[int, int]
    tied: dict[int, tuple[int, ...]]
    spanning: set[int]
    storage: Bool

    def settle(self) -> LeafGroups:
        """Owners first, then groups without a leaf of their own join the owners of what they touch."""
        tally = self._tally()
        owner = _owners(tally)
        joined = self._joined(tally, owner)
        of_host, ties = self._hosts(joined)
        count, of_host, number = _renumbered(of_host)
        of_switch, storage = self._switches(of_host, count)
        renamed = {host: tuple(sorted({number[joined[g]] for g in groups})) for host, groups in ties.items()}
        return LeafGroups(count, of_host, of_switch, storage, renamed)

    def _tally(self, joined: dict[int, int] | None = None) -> Tally:
        """Hosts of each group on each switch, and their bandwidth; of joined groups where they are given."""
        tally: Tally = defaultdict(lambda: defaultdict(lambda: (0, 0.0)))
        for number, group in self.of_set.items():
            if group >= 0:
                size = int(self.found.size[number])
                mine = tally[group if joined is None else joined[group]]
                for switch, gbps in self.sets[number].items():
                    hosts, total = mine[switch]
                    mine[switch] = (hosts + size, total + gbps * size)
        return tally

    def _joined(self, tally: Tally, owner: dict[int, int]) -> dict[int, int]:
        """For each group the one it ends in: itself, the owner of the leaves it touches, or a group with more leaves
        that has all of this one's among its usual ones (CPU nodes on one rail of a unit)."""
        size: dict[int, int] = defaultdict(int)
        for number, group in self.of_set.items():
            size[group] += int(self.found.size[number])
        owning = set(owner.values())
        usual = {g: {s for s, (n, _) in tally[g].items() if n > MOST * size[g]} for g in owning}
        usual = {g: known for g, known in usual.items() if sum(owner[s] == g for s in known) > MOST * len(known)}
        holders: dict[int, list[int]] = defaultdict(list)
        for group, known in usual.items():
            for switch in known:
                holders[switch].append(group)
        target = {group: group for group in tally}
        for group, touched in tally.items():
            if not any(owner[switch] == group for switch in touched):
                votes = self._votes(group, owner)
                best = sorted(other for other in votes if votes[other] == max(votes.values()))
                target[group] = best[0]
                if len(best) > 1:
                    self._tie(group, tuple(best))
                continue
            wider = [other for other in holders[next(iter(touched))] if touched.keys() < usual[other]]
            target[group] = max(wider, key=lambda other: (size[other], -other), default=group)
        return {group: end_of(group, target) for group in target}

    def _votes(self, group: int, owner: dict[int, int]) -> dict[int, float]:
        """Bandwidth of a group's hosts by the owner of the leaf."""
        votes: dict[int, float] = defaultdict(float)
        for number, mine in self.of_set.items():
            if mine == group:
                for switch, gbps in self.sets[number].items():
                    votes[owner[switch]] += gbps * int(self.found.size[number])
        return votes

    def _tie(self, group: int, best: tuple[int, ...]) -> None:
        """Let each host of a group decide by its lowest port."""
        for number, mine in self.of_set.items():
            if mine == group:
                self.tied[number] = best

    def _hosts(self, joined: dict[int, int]) -> tuple[I32, dict[int, tuple[int, ...]]]:
        """The group of each host; a tie goes with the lowest port."""
        table = np.full(len(self.found.sets) + 1, -1, np.int32)
        for number, group in self.of_set.items():
            table[number] = joined[group] if group >= 0 else -1
        of_host = table[self.found.of_row]
        ties: dict[int, tuple[int, ...]] = {}
        home = {switch: group for group, touched in self._owned(joined).items() for switch in touched}
        for number, groups in self.tied.items():
            for host in np.flatnonzero(self.found.of_row == number).tolist():
                first = next((home[s] for s in ports(self.network, host) if s in home), groups[0])
                of_host[host] = first
                ties[host] = groups
        return of_host, ties

    def _owned(self, joined: dict[int, int]) -> dict[int, set[int]]:
        """Leaves by the group that owns them, after groups were joined."""
        owned: dict[int, set[int]] = defaultdict(set)
        for switch, group in _owners(self._tally(joined)).items():
            owned[group].add(switch)
        return owned

    def _switches(self, of_host: I32, count: int) -> tuple[I32, Bool]:
        """The owner of each leaf; a spanning leaf that serves several groups in earnest is storage."""
        network = self.network
        sized = np.bincount(of_host[of_host >= 0], minlength=max(count, 1))
        rows = np.flatnonzero((of_host[network.on_host] >= 0) & ~self.storage[network.on_switch])
        switch, group = network.on_switch[rows], of_host[network.on_host[rows]]
        low, high = extremes(switch, group, network.switches)
        of_switch = np.where(low == high, high, np.int32(-1))
        rows = rows[low[switch] != high[switch]]
        switch, group = network.on_switch[rows], of_host[network.on_host[rows]]
        switch, group, gbps, hosts = summed(switch, group, network.on_gbps[rows], max(count, 1))
        order = np.lexsort((gbps, hosts))
        of_switch[switch[order]] = group[order]
        foreign = (of_switch[switch] != group) & (hosts > SUBSTANTIAL * sized[group])
        storage = self.storage.copy()
        storage[[one for one in switch[foreign].tolist() if one in self.spanning]] = True
        of_switch[storage] = -1
        return of_switch, storage


def _owners(tally: Tally) -> dict[int, int]:
    """The group with most hosts on each switch; by bandwidth where two have as many, then the larger group."""
    best: dict[int, tuple[tuple[int, float], int]] = {}
    for group in sorted(tally):
        for switch, count in tally[group].items():
            if switch not in best or count > best[switch][0]:
                best[switch] = (count, group)
    return {switch: group for switch, (_, group) in best.items()}


def _renumbered(of_host: I32) -> tuple[int, I32, dict[int, int]]:
    """Groups numbered from 0 by their first host."""
    used, first = np.unique(of_host[of_host >= 0], return_index=True)
    number = {int(group): place for place, group in enumerate(used[np.argsort(first)].tolist())}
    table = np.full(int(used.max(initial=-1)) + 2, -1, np.int32)
    for group, place in number.items():
        table[group] = place
    return len(number), table[of_host], number


def _minor_planes(network: Net, grouped: LeafGroups) -> Bool:
    """Switches of networks that carry less than half of their hosts' bandwidth and cut the hosts at other places.

    Storage leaves of their own subnet that serve 24 hosts each, where compute leaves serve 20, straddle the borders of
    the groups: a leaf straddles when two or more hosts of a second group are on it.
    """
    label = network.component
    leaf = (grouped.of_switch >= 0) | grouped.storage
    placed = grouped.of_host[network.on_host] >= 0
    rows = np.flatnonzero(placed & leaf[network.on_switch])
    planes = label[network.on_switch[rows]]
    minor = np.zeros(network.switches, bool)
    if len(rows) == 0 or (planes == planes[0]).all():
        return minor
    straddling = _straddling(network, grouped, rows) | grouped.storage
    host = network.on_host[rows]
    everything = np.bincount(host, network.on_gbps[rows], network.hosts)
    for plane in distinct(planes).tolist():
        mine = planes == plane
        of_hosts = distinct(host[mine])
        share = network.on_gbps[rows][mine].sum() / everything[of_hosts].sum()
        astride = distinct(host[mine & straddling[network.on_switch[rows]]])
        if share >= MOST or len(astride) < MOST * len(of_hosts):
            continue
        upright = distinct(host[mine & ~straddling[network.on_switch[rows]]])
        minor |= (label == plane) & (straddling | (len(upright) < MOST * len(of_hosts)))
    return minor


def _straddling(network: Net, grouped: LeafGroups, rows: I64) -> Bool:
    """Leaves on which two or more hosts of a group other than the owner are."""
    foreign = rows[grouped.of_host[network.on_host[rows]] != grouped.of_switch[network.on_switch[rows]]]
    span = np.int64(max(grouped.count, 1))
    key, many = counted(network.on_switch[foreign].astype(np.int64) * span + grouped.of_host[network.on_host[foreign]])
    straddling = np.zeros(network.switches, bool)
    straddling[(key[many >= 2] // span)] = True
    return straddling


def ports(network: Net, host: int) -> list[int]:
    """The switches of a host in the order of its ports: device label, port, GUID."""
    rows = np.flatnonzero(network.host == host)
    devices, links = network.fabric.devices, network.fabric.links
    keyed = []
    for row in rows.tolist():
        link = int(network.link[row])
        device = int(links.b[link])
        label = devices.labels[int(devices.label[device])]
        keyed.append((_natural(label), int(links.b_port[link]), int(devices.guid[device]), int(network.switch[row])))
    return [switch for *_, switch in sorted(keyed)]


def _natural(label: str) -> tuple[tuple[int, str], ...]:
    """Sort key that puts mlx5_2 before mlx5_10."""
    parts: list[tuple[int, str]] = []
    digits = ""
    for letter in label + " ":
        if letter.isascii() and letter.isdigit():
            digits += letter
            continue
        if digits:
            parts.append((int(digits[:18]), ""))
            digits = ""
        parts.append((-1, letter))
    return tuple(parts)
