"""The fabric as inference needs it: hosts on switches, switches on switches, both with bandwidth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discovery.fabric import F64, Fabric, Role
from discovery.observations import I32, I64, Bool


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """Columns of attachments (host on switch, one row a link) and trunks (pair of switches, one row a pair, u < v).

    Switches are rows 0 … S-1 of the fabric's devices (they are sorted first). Bandwidth is in Gbit/s; links of unknown
    speed count as the median of the known ones of their kind, and ``unknown`` marks them.
    """

    fabric: Fabric
    switches: int
    host: I32
    switch: I32
    gbps: F64
    link: I64
    u: I32
    v: I32
    trunk_gbps: F64
    cables: I64
    neighbours: Neighbours

    @property
    def hosts(self) -> int:
        """How many hosts there are, unnamed ones included."""
        return len(self.fabric.hosts.name)

    def hosts_on(self) -> I64:
        """Distinct hosts on each switch."""
        pair = np.unique(self.switch.astype(np.int64) * max(self.hosts, 1) + self.host)
        return np.bincount(pair // max(self.hosts, 1), minlength=self.switches)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Trunks in both directions, sorted by switch: those of switch s are rows ``start[s]`` to ``start[s + 1]``."""

    start: I64
    switch: I32
    other: I32
    gbps: F64
    cables: I64

    def of(self, switch: int) -> dict[int, float]:
        """Neighbour switches with bandwidth."""
        at = slice(int(self.start[switch]), int(self.start[switch + 1]))
        return dict(zip(self.other[at].tolist(), self.gbps[at].tolist(), strict=True))


def net(fabric: Fabric) -> Net:
    """Read attachments and trunks out of a fabric's links; SHARP nodes, routers and gateways are in neither."""
    role, links = fabric.devices.role, fabric.links
    switches = int((role == Role.SWITCH).sum())
    on_switch = links.a < switches
    attached = np.flatnonzero(on_switch & (role[links.b] == Role.ADAPTER) & (fabric.devices.host[links.b] >= 0))
    trunk = np.flatnonzero(on_switch & (links.b < switches))
    gbps = _known(links.gbps[attached])
    key, inverse = np.unique(links.a[trunk].astype(np.int64) * max(switches, 1) + links.b[trunk], return_inverse=True)
    inverse = inverse.reshape(-1)
    u, v = (key // max(switches, 1)).astype(np.int32), (key % max(switches, 1)).astype(np.int32)
    trunk_gbps = np.bincount(inverse, _known(links.gbps[trunk]), len(key)).astype(np.float64)
    cables = np.bincount(inverse, minlength=len(key))
    return Net(
        fabric=fabric,
        switches=switches,
        host=fabric.devices.host[links.b[attached]],
        switch=links.a[attached],
        gbps=gbps,
        link=attached,
        u=u,
        v=v,
        trunk_gbps=trunk_gbps,
        cables=cables,
        neighbours=_neighbours(switches, u, v, trunk_gbps, cables),
    )


def _known(gbps: F64) -> F64:
    """Bandwidth with unknown links at the median of the known ones (1.0 where none is known)."""
    known = gbps[gbps > 0]
    return np.where(gbps > 0, gbps, float(np.median(known)) if len(known) else 1.0)


def _neighbours(switches: int, u: I32, v: I32, gbps: F64, cables: I64) -> Neighbours:
    switch, other = np.concatenate([u, v]), np.concatenate([v, u])
    order = np.lexsort((other, switch))
    start = np.searchsorted(switch[order], np.arange(switches + 1))
    both = np.concatenate([np.arange(len(u)), np.arange(len(u))])[order]
    return Neighbours(start, switch[order], other[order], gbps[both], cables[both])


def components(count: int, u: I32, v: I32) -> I32:
    """The smallest reachable number for each of ``count`` things joined by pairs: equal labels, connected things.

    Labels hook onto smaller ones and chains are halved until nothing moves: O(log n) passes over the pairs.
    """
    label = np.arange(count, dtype=np.int32)
    while True:
        low = np.minimum(label[u], label[v])
        before = label.copy()
        np.minimum.at(label, label[u], low)
        np.minimum.at(label, label[v], low)
        while not np.array_equal(label, label[label]):
            label = label[label]
        if np.array_equal(before, label):
            return label


def switches_of(mask: Bool) -> list[int]:
    """Row numbers of a mask, as Python integers."""
    rows: list[int] = np.flatnonzero(mask).tolist()
    return rows
