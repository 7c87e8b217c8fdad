"""The fabric as inference needs it: hosts on switches, switches on switches, both with bandwidth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from discovery.arrays import F64, I32, I64
from discovery.distinct import extremes, median, summed
from discovery.fabric import Fabric, Role

USUAL = 2 / 3
"""What this share of peers does is the rule that the rest is held against."""


class Neighbours:
    """Trunks in both directions, by switch; sorted on first use, since a fabric without oddities never asks."""

    def __init__(self, switches: int, u: I32, v: I32, gbps: F64) -> None:
        self._columns = (switches, u, v, gbps)

    @cached_property
    def columns(self) -> tuple[I64, I32, I32, F64]:
        """(start, switch, other, Gbit/s): neighbours of switch s are rows ``start[s]`` to ``start[s + 1]``."""
        switches, u, v, gbps = self._columns
        both = np.concatenate([u, v]), np.concatenate([v, u]), np.concatenate([gbps, gbps])
        switch, other, weight, _ = summed(*both, switches)
        return np.searchsorted(switch, np.arange(switches + 1)), switch, other, weight

    def of(self, switch: int) -> dict[int, float]:
        """Neighbour switches with bandwidth."""
        start, _, other, gbps = self.columns
        at = slice(int(start[switch]), int(start[switch + 1]))
        return dict(zip(other[at].tolist(), gbps[at].tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Net:
    """Links of hosts, hosts on switches (pairs) and trunks (pairs of switches), as columns.

    Switches are rows 0 … S-1 of the fabric's devices (they are sorted first). Bandwidth is in Gbit/s; links of unknown
    speed count as the median of the known ones of their kind. ``host``, ``switch``, ``gbps``, ``link`` (row of the
    fabric's links), ``label`` (row of the devices' labels): one row a link.
    ``on_host``, ``on_switch``, ``on_gbps``, ``on_cables``: one row a pair, sorted by
    (host, switch).
    ``u`` < ``v``, ``trunk_gbps``: one row a cable between switches. ``component``: smallest
    switch that cables between switches lead to.
    """

    fabric: Fabric
    switches: int
    host: I32
    switch: I32
    gbps: F64
    link: I64
    label: I32
    on_host: I32
    on_switch: I32
    on_gbps: F64
    on_cables: I64
    u: I32
    v: I32
    trunk_gbps: F64
    component: I32
    neighbours: Neighbours

    @property
    def hosts(self) -> int:
        """How many hosts there are, unnamed ones included."""
        return len(self.fabric.hosts.name)

    def hosts_on(self) -> I64:
        """Distinct hosts on each switch."""
        return np.bincount(self.on_switch, minlength=self.switches)


def net(fabric: Fabric) -> Net:
    """Read attachments and trunks out of a fabric's links; SHARP nodes, routers and gateways are in neither."""
    role, links = fabric.devices.role, fabric.links
    switches = int((role == Role.SWITCH).sum())
    on_switch = (links.a < switches) & ~fabric.devices.vague[links.a]
    attached = np.flatnonzero(on_switch & (role[links.b] == Role.ADAPTER) & (fabric.devices.host[links.b] >= 0))
    trunk = np.flatnonzero(on_switch & (links.b < switches) & ~fabric.devices.vague[links.b])
    host, switch, gbps = fabric.devices.host[links.b[attached]], links.a[attached], _known(links.gbps[attached])
    on_host, on_switch_, on_gbps, on_cables = summed(host, switch, gbps, switches)
    u, v, trunk_gbps = links.a[trunk], links.b[trunk], _known(links.gbps[trunk])
    return Net(
        fabric=fabric,
        switches=switches,
        host=host,
        switch=switch,
        gbps=gbps,
        link=attached,
        label=fabric.devices.label[links.b[attached]],
        on_host=on_host,
        on_switch=on_switch_,
        on_gbps=on_gbps,
        on_cables=on_cables,
        u=u,
        v=v,
        trunk_gbps=trunk_gbps,
        component=components(switches, u, v),
        neighbours=Neighbours(switches, u, v, trunk_gbps),
    )


def _known(gbps: F64) -> F64:
    """Bandwidth with unknown links at the median of the known ones (1.0 where none is known)."""
    dark = gbps <= 0
    if not dark.any():
        return gbps
    known = gbps[~dark]
    return np.where(dark, median(known) if len(known) else 1.0, gbps)


def rails_of(network: Net, least: int = 2) -> dict[int, int]:
    """The device label that most links of a switch carry, by switch; no entry where none is usual, or where
    fewer than ``least`` links are."""
    label = network.label
    rows = np.flatnonzero(label > 0)
    total = np.bincount(network.switch[rows], minlength=network.switches)
    low, high = extremes(network.switch[rows], label[rows], network.switches)
    plain = np.flatnonzero((low == high) & (total >= least))
    rails = dict(zip(plain.tolist(), high[plain].tolist(), strict=True))
    rows = rows[low[network.switch[rows]] != high[network.switch[rows]]]
    many = int(label.max(initial=0)) + 1
    switch, which, _, count = summed(network.switch[rows], label[rows], network.gbps[rows], many)
    usual = np.flatnonzero(count >= USUAL * total[switch])
    rails.update(zip(switch[usual].tolist(), which[usual].tolist(), strict=True))
    return rails


def components(count: int, u: I32, v: I32) -> I32:
    """The smallest reachable number for each of ``count`` things joined by pairs: equal labels, connected things.

    Labels hook onto smaller ones and chains are halved: O(log n) passes over the pairs that still differ. Things that
    agree once agree for ever, as from then on both follow the same chain.
    """
    label = np.arange(count, dtype=np.int32)
    while len(u):
        one, other = label[u], label[v]
        low = np.minimum(one, other)
        np.minimum.at(label, one, low)
        np.minimum.at(label, other, low)
        while not np.array_equal(label, label[label]):
            label = label[label]
        apart = np.flatnonzero(label[u] != label[v])
        u, v = u[apart], v[apart]
    return label

