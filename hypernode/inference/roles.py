"""Roles of switches: which are leaves, which only have a stray host, which components are flat.

A leaf has hosts and shares most of its neighbours with other leaves. Neither a count of hosts nor a majority of
neighbours tells a stray host's spine from a leaf, so structure is asked first and counts only break ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from discovery.arrays import I32, I64, Bool
from discovery.distinct import distinct, median
from hypernode.inference.net import Net
from hypernode.inference.overlap import MOST, Incidence, Signatures, signatures

PEERS = 0.5
"""Two linked switches may stand on one level when the smaller has this share of the larger one's hosts."""
EQUALS = 0.75
"""With this share of the larger one's hosts they surely do."""
CLEAR = 1.5
"""How much denser one class of switches must be with hosts (or cables down) to be surely below the other."""


class Likeness:
    """Switches with the same or mostly the same neighbours, by signature: twins stand on the same level."""

    def __init__(self, network: Net) -> None:
        self._network = network
        self._twins: dict[int, list[int]] = {}

    @cached_property
    def _found(self) -> Signatures:
        """Neighbour sets, made on first use: a fabric without oddities never asks."""
        _, switch, other, _ = self._network.neighbours.columns
        return signatures(Incidence(self._network.switches, switch, other, np.ones(len(switch))))

    @cached_property
    def _by_column(self) -> dict[int, list[int]]:
        by_column: dict[int, list[int]] = {}
        for number, one in enumerate(self._found.sets):
            for column in one:
                by_column.setdefault(column, []).append(number)
        return by_column

    @cached_property
    def _members(self) -> dict[int, list[int]]:
        members: dict[int, list[int]] = {}
        for switch, number in enumerate(self._found.of_row.tolist()):
            members.setdefault(number, []).append(switch)
        return members

    def twins(self, switch: int) -> list[int]:
        """Switches with mostly the same neighbours, itself included."""
        number = int(self._found.of_row[switch])
        if number < 0:
            return [switch]
        if number not in self._twins:
            mine = self._found.sets[number]
            near = {other for column in mine for other in self._by_column[column]}
            alike = [other for other in near if _jaccard(mine, self._found.sets[other]) >= LIKE]
            self._twins[number] = [twin for other in sorted(alike) for twin in self._members[other]]
        return self._twins[number]

    def mean(self, switch: int, count: I64) -> float:
        """Mean of a count over a switch and its twins."""
        twins = self.twins(switch)
        return float(count[twins].mean())

    def hostless(self, switch: int, hosts: I64) -> float:
        """Share of the other twins that have no host; 0.0 where there are none."""
        others = [twin for twin in self.twins(switch) if twin != switch]
        return float((hosts[others] == 0).mean()) if others else 0.0

    def sharing(self, switch: int, hosts: I64) -> float:
        """The largest share of this switch's neighbours that it has in common with one other switch with hosts."""
        number = int(self._found.of_row[switch])
        if number < 0:
            return 0.0
        mine = self._found.sets[number]
        best = 0.0
        for other in {other for column in mine for other in self._by_column[column]}:
            with_hosts = [one for one in self._members[other] if one != switch and one not in mine and hosts[one]]
            if with_hosts:
                best = max(best, len(mine.keys() & self._found.sets[other].keys()) / len(mine))
        return best


def _jaccard(one: dict[int, float], other: dict[int, float]) -> float:
    shared = len(one.keys() & other.keys())
    return shared / (len(one) + len(other) - shared)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Roles:
    """Masks over switches: ``leaf``, ``flat`` (in a component without levels), ``upper`` (has hosts, is no leaf)."""

    hosts: I64
    leaf: Bool
    flat: Bool
    upper: Bool


SPARE = 0.25
"""A switch without hosts is a spare leaf when at most this share of its neighbours, and of a leaf's, is not shared."""
LIKE = 0.6
"""Overlap of the neighbours of twins; a core over two pods shares just half with a leaf that has a pod for itself."""
ALIKE = 0.75
"""From this share of common neighbours on switches stand side by side below a level; in a torus they share half."""
_SAMPLE = 64


def roles(network: Net, likeness: Likeness, above: frozenset[int] = frozenset()) -> Roles:
    """Judge over all hosts that were seen; ``above`` are switches already known to stand over other leaves."""
    hosts = network.hosts_on()
    flat = _flat(network, likeness, hosts)
    upper = np.zeros(network.switches, bool)
    upper[list(above)] = True
    both = np.flatnonzero((hosts[network.u] > 0) & (hosts[network.v] > 0) & ~flat[network.u])
    for u, v in zip(network.u[both].tolist(), network.v[both].tolist(), strict=True):
        higher = _higher(u, v, network, likeness, hosts)
        if higher is not None:
            upper[higher] = True
    upper &= hosts > 0
    return Roles(hosts, (hosts > 0) & ~upper, flat, upper)


def _flat(network: Net, likeness: Likeness, hosts: I64) -> Bool:
    """Components (torus, ring, hypercube, full mesh) in which hosts are everywhere and most cables join equals.

    Hosts on a switch whose likes have none are strays; and where switches share most of their neighbours with one that
    they are not cabled to, there is a level above them.
    """
    flat = _looks_flat(network, hosts, PEERS)
    if not flat.any():
        return flat
    settled = hosts.copy()
    for switch in np.flatnonzero(flat & (hosts > 0)).tolist():
        if likeness.hostless(switch, hosts) >= MOST:
            settled[switch] = 0
    flat &= _looks_flat(network, settled, PEERS)
    unsure = flat & ~_looks_flat(network, settled, EQUALS)
    for component in distinct(network.component[unsure]).tolist():
        members = np.flatnonzero((network.component == component) & (hosts > 0))[:_SAMPLE].tolist()
        if median(np.array([likeness.sharing(switch, hosts) for switch in members])) >= ALIKE:
            flat[network.component == component] = False
    return flat


def _looks_flat(network: Net, hosts: I64, peers: float) -> Bool:
    """Whether in a component at least half of the switches have hosts and half of the bandwidth joins equals."""
    label = network.component
    size = np.bincount(label, minlength=network.switches)
    with_hosts = np.bincount(label, hosts > 0, network.switches)
    low = np.minimum(hosts[network.u], hosts[network.v])
    high = np.maximum(hosts[network.u], hosts[network.v])
    equals = (low > 0) & (low >= peers * high)
    of_trunk = label[network.u]
    total = np.bincount(of_trunk, network.trunk_gbps, network.switches)
    level = np.bincount(of_trunk, network.trunk_gbps * equals, network.switches)
    flat: Bool = (size > 1) & (with_hosts >= MOST * size) & (level >= MOST * total) & (total > 0)
    return flat[label]


def _higher(u: int, v: int, network: Net, likeness: Likeness, hosts: I64) -> int | None:
    """Which of two cabled switches with hosts stands above the other; None where they are on one level."""
    strays = [likeness.hostless(switch, hosts) >= MOST and len(likeness.twins(switch)) > 2 for switch in (u, v)]
    if strays[0] != strays[1]:
        return u if strays[0] else v
    shares = {switch: likeness.sharing(switch, hosts) >= MOST for switch in (u, v)}
    if shares[u] != shares[v]:
        higher, lower = (v, u) if shares[u] else (u, v)
    else:
        mean_u, mean_v = likeness.mean(u, hosts), likeness.mean(v, hosts)
        if mean_u >= CLEAR * mean_v:
            higher, lower = v, u
        elif mean_v >= CLEAR * mean_u:
            higher, lower = u, v
        else:
            return None
    return higher if _stands_over(higher, lower, network, likeness, hosts) else None


def _stands_over(higher: int, lower: int, network: Net, likeness: Likeness, hosts: I64) -> bool:
    """A single cable between two leaves is a mis-cabling; a spine reaches most of a class of leaves, or looks like
    switches without hosts, or has most of its cables on switches with hosts. With one neighbour it is over nobody."""
    neighbours = network.neighbours.of(higher)
    if len(neighbours) == 1:
        return False
    if likeness.hostless(higher, hosts) >= MOST:
        return True
    leaves = [twin for twin in likeness.twins(lower) if twin != higher]
    reached = sum(1 for leaf in leaves if leaf in neighbours)
    if reached >= MOST * len(leaves):
        return True
    on_hosts = sum(gbps for other, gbps in neighbours.items() if hosts[other])
    return on_hosts >= MOST * sum(neighbours.values())


def looks_empty(switch: int, network: Net, role: Roles, leaf: Bool) -> bool:
    """Whether a switch without hosts is cabled as a ``leaf`` is: it shares nearly all of its neighbours with one."""
    if role.hosts[switch]:
        return False
    mine = set(network.neighbours.of(switch))
    near = {other for one in mine for other in network.neighbours.of(one) if leaf[other]}
    for other in sorted(near):
        theirs = set(network.neighbours.of(other))
        if len(theirs - mine) <= SPARE * len(theirs) and len(mine - theirs) <= SPARE * len(mine):
            return True
    return False


def next_level(network: Net, likeness: Likeness, below: Bool, known: Bool) -> I32:
    """Switches one level above ``below``: cabled to it, not yet ``known``; a core with one stray leaf stays above.

    Two candidates that are cabled to each other stand on one level, unless one's class has far more cables down and
    the other reaches mostly candidates.
    """
    up_uv = below[network.u] & ~known[network.v]
    up_vu = below[network.v] & ~known[network.u]
    upper = np.concatenate([network.v[up_uv], network.u[up_vu]])
    down = np.bincount(upper, minlength=network.switches)
    candidate = down > 0
    inner = np.flatnonzero(candidate[network.u] & candidate[network.v])
    if not len(inner):
        return np.flatnonzero(candidate).astype(np.int32)
    touched = distinct(np.concatenate([network.u[inner], network.v[inner]])).tolist()
    means = {switch: likeness.mean(switch, down) for switch in touched}
    for switch in touched:
        near = network.neighbours.of(switch)
        level = {other: gbps for other, gbps in near.items() if candidate[other]}
        lower = sum(gbps for other, gbps in level.items() if means[other] >= CLEAR * means[switch])
        to_below = sum(gbps for other, gbps in near.items() if below[other])
        if lower >= MOST * sum(level.values()) and sum(level.values()) > to_below:
            candidate[switch] = False
    return np.flatnonzero(candidate).astype(np.int32)
