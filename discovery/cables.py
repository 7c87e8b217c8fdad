"""Cables from port lines: both ends of a cable must agree, or there is a finding.

A healthy cable is printed twice, once at each end. An end is kept when it is the first to speak for its port; a cable
that only one end speaks of is kept unless the far port says it goes elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64, U8
from discovery.distinct import ordering
from discovery.fabric import Links, Role
from discovery.findings import Finding, found
from discovery.merging import Merged
from discovery.observations import LANE_GBPS, LANES, Sweep

_GBPS = np.outer(LANES, LANE_GBPS)
"""Gbit/s by (width code, speed code), 0.0 where either is unknown."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ends:
    """Port lines of all sweeps with rows of the merged devices; length E, in the order of the sweeps."""

    device: I32
    port: I32
    peer: I32
    peer_port: I32
    width: U8
    speed: U8
    witness: I32


def ends_of(sweeps: Sequence[Sweep], merged: Merged) -> Ends:
    """All port lines in one list, devices renumbered."""
    pairs = list(zip(sweeps, merged.rows, strict=True))
    return Ends(
        device=np.concatenate([rows[sweep.ends.device] for sweep, rows in pairs]),
        port=np.concatenate([sweep.ends.port for sweep in sweeps]),
        peer=np.concatenate([rows[sweep.ends.peer] for sweep, rows in pairs]),
        peer_port=np.concatenate([sweep.ends.peer_port for sweep in sweeps]),
        width=np.concatenate([sweep.ends.width for sweep in sweeps]),
        speed=np.concatenate([sweep.ends.speed for sweep in sweeps]),
        witness=np.concatenate([np.full(len(s.ends.port), i, np.int32) for i, s in enumerate(sweeps)]),
    )


def _slots(ends: Ends, devices: int) -> tuple[I32, I32, int]:
    """A number for each (device, port) and for the one it points at, ascending with both; and how many there are.

    Each device has room up to its highest port; port numbers are at most 254, so the room is small.
    """
    highest = np.zeros(devices + 1, np.int32)
    np.maximum.at(highest[1:], ends.device, ends.port + 1)
    np.maximum.at(highest[1:], ends.peer, ends.peer_port + 1)
    base = np.cumsum(highest, dtype=np.int32)
    return base[ends.device] + ends.port, base[ends.peer] + ends.peer_port, int(base[-1])


def join_ends(ends: Ends, merged: Merged, name: Callable[[int], str]) -> tuple[Links, list[Finding]]:
    """Distinct cables, confirmed where both ends speak, and what does not fit."""
    near, far, count = _slots(ends, len(merged.guid))
    owner = np.full(count, -1, np.int32)
    owner[near[::-1]] = np.arange(len(near) - 1, -1, -1, dtype=np.int32)
    partner = owner[far]
    agreed = (partner >= 0) & (far[partner] == near)
    agreed &= ends.device != ends.peer
    agreed &= owner[near] == np.arange(len(near), dtype=np.int32)
    odd = _Odd(ends, near, far, owner, partner, np.flatnonzero(~agreed), name)
    wanted = agreed & (near < far)
    wanted[odd.alone] = True
    rows = owner[owner >= 0]
    links = _links(ends, rows[wanted[rows]], np.where(agreed, partner, -1), near, far)
    return links, odd.findings(merged)


def _links(ends: Ends, rows: I32, partner: I32, near: I32, far: I32) -> Links:
    """Columns of the cables whose near end is in these rows (ascending by near end), in canonical order."""
    turned = near[rows] > far[rows]
    if turned.any():
        order = ordering(np.where(turned, far[rows], near[rows]))
        rows, turned = rows[order], turned[order]
    confirmed = partner[rows] >= 0
    other = np.where(confirmed, partner[rows], rows)
    width = _lower(ends.width[rows], ends.width[other])
    speed = _lower(ends.speed[rows], ends.speed[other])
    a, a_port, b, b_port = (column[rows] for column in (ends.device, ends.port, ends.peer, ends.peer_port))
    for one, other_end in ((a, b), (a_port, b_port)):
        one[turned], other_end[turned] = other_end[turned], one[turned]
    return Links(
        a=a,
        a_port=a_port,
        b=b,
        b_port=b_port,
        width=width,
        speed=speed,
        gbps=_GBPS[width, speed],
        said_by=np.where(confirmed, 3, np.where(turned, 2, 1)).astype(np.uint8),
        witness=ends.witness[rows],
    )


def _lower(one: U8, other: U8) -> U8:
    """The lower of both codes; an unknown one says nothing."""
    if np.array_equal(one, other):
        return one
    return np.where(one == 0, other, np.where(other == 0, one, np.minimum(one, other)))


class _Odd:
    """The few port lines that are no half of a confirmed cable, sorted by what is wrong with them."""

    def __init__(
        self, ends: Ends, near: I32, far: I32, owner: I32, partner: I32, rows: I64, name: Callable[[int], str]
    ) -> None:
        self.ends, self.name, self.partner = ends, name, partner
        kept = owner[near[rows]] == rows
        loop = kept & (ends.device[rows] == ends.peer[rows])
        self.owner = owner[near]
        self.repeated = rows[~kept & (far[rows] != far[self.owner[rows]])]
        self.loops = rows[loop & (ends.port[rows] <= ends.peer_port[rows])]
        self.alone = rows[kept & ~loop & (partner[rows] < 0)]
        self.contradicted = rows[kept & ~loop & (partner[rows] >= 0)]

    def findings(self, merged: Merged) -> list[Finding]:
        """All of them."""
        return [
            *self._conflicting(),
            *self._contradicted(merged),
            *self._one_sided(self.alone[merged.defined[self.ends.peer[self.alone]]], merged.cut),
            *self._self_loops(),
        ]

    def _words(self, row: int) -> tuple[str, int, str, int]:
        ends = self.ends
        near, far = self.name(int(ends.device[row])), self.name(int(ends.peer[row]))
        return near, int(ends.port[row]), far, int(ends.peer_port[row])

    def _conflicting(self) -> Iterator[Finding]:
        """A port that was spoken for twice, with different far ends (another sweep, or a second record)."""
        for row in self.repeated.tolist():
            a, port, second, second_port = self._words(row)
            _, _, first, first_port = self._words(int(self.owner[row]))
            b, c = f"{first} port {first_port}", f"{second} port {second_port}"
            yield found("conflicting-link", a, a=a, port=port, b=b, c=c)

    def _contradicted(self, merged: Merged) -> Iterator[Finding]:
        """The far port says it goes elsewhere. Two live switch ports on one adapter's GUID: two adapters carry it."""
        for row in self.contradicted.tolist():
            a, port, b, peer_port = self._words(row)
            _, _, elsewhere, at = self._words(int(self.partner[row]))
            says = f"says it is cabled to {elsewhere} port {at}"
            yield found("one-sided-link", a, b, a=a, port=port, b=b, peer_port=peer_port, says=says)
            peer = int(self.ends.peer[row])
            if merged.role[peer] == Role.ADAPTER and merged.role[int(self.ends.device[row])] == Role.SWITCH:
                here, there = f"the one on {a} port {port}", f"The adapter on {elsewhere} port {at}"
                yield found("duplicate-guid", b, a, a=there, b=here, guid=f"{int(merged.guid[peer]):016x}")

    def _one_sided(self, rows: I64, cut: frozenset[int]) -> Iterator[Finding]:
        """The far end has a whole record that does not mention the cable."""
        for row in rows.tolist():
            if int(self.ends.peer[row]) in cut:
                continue
            a, port, b, peer_port = self._words(row)
            says = "does not mention it"
            yield found("one-sided-link", a, b, a=a, port=port, b=b, peer_port=peer_port, says=says)

    def _self_loops(self) -> Iterator[Finding]:
        for row in self.loops.tolist():
            switch, port, _, peer_port = self._words(row)
            yield found("self-loop", switch, switch=switch, port=port, peer_port=peer_port)
