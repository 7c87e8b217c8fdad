"""Cables from port lines: both ends of a cable must agree, or there is a finding.

A healthy cable is printed twice, once at each end. An end is kept when it is the first to speak for its port; a cable
that only one end speaks of is kept unless the far port says it goes elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from discovery.fabric import Links, Role
from discovery.findings import Finding, found
from discovery.merging import Merged
from discovery.observations import I32, I64, LANE_GBPS, LANES, U8, Bool, Sweep

_GBPS = np.outer(LANES, LANE_GBPS)
"""Gbit/s by (width code, speed code), 0.0 where either is unknown."""


@dataclass(frozen=True, slots=True, eq=False)
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


def _slots(ends: Ends, devices: int) -> tuple[I64, I64, int]:
    """A dense number for each (device, port) and the one it points at; ascending with (device, port)."""
    highest = int(max(ends.port.max(initial=0), ends.peer_port.max(initial=0))) + 1
    near = ends.device.astype(np.int64) * highest + ends.port
    far = ends.peer.astype(np.int64) * highest + ends.peer_port
    if devices * highest <= 8 * len(near) + (1 << 22):
        return near, far, devices * highest
    known, inverse = np.unique(np.concatenate([near, far]), return_inverse=True)
    return inverse[: len(near)].astype(np.int64), inverse[len(near) :].astype(np.int64), len(known)


def join_ends(ends: Ends, merged: Merged, name: Callable[[int], str]) -> tuple[Links, list[Finding]]:
    """Distinct cables, confirmed where both ends speak, and what does not fit."""
    near, far, count = _slots(ends, len(merged.guid))
    owner = np.full(count, -1, np.int32)
    owner[near[::-1]] = np.arange(len(near) - 1, -1, -1, dtype=np.int32)
    partner = owner[far]
    kept = owner[near] == np.arange(len(near))
    loop = kept & (ends.device == ends.peer)
    agreed = kept & (partner >= 0) & (far[partner] == near)
    contradicted = kept & (partner >= 0) & ~agreed & ~loop
    alone = kept & (partner < 0) & ~loop
    in_order = owner[owner >= 0]
    rows = in_order[((agreed & (near < far) & ~loop) | alone)[in_order]]
    findings = _repeated(ends, far, kept, owner, near, name)
    findings += _contradicted(ends, np.flatnonzero(contradicted), partner, merged, name)
    findings += _one_sided(ends, np.flatnonzero(alone & merged.defined[ends.peer]), name)
    findings += _loops(ends, np.flatnonzero(loop & (ends.port <= ends.peer_port)), name)
    return _links(ends, rows, np.where(agreed, partner, -1), near, far), findings


def _links(ends: Ends, rows: I32, partner: I32, near: I64, far: I64) -> Links:
    """Columns of the cables whose near end is in these rows (ascending by near end), in canonical order."""
    turned = near[rows] > far[rows]
    if turned.any():
        order = np.argsort(np.where(turned, far[rows], near[rows]), kind="stable")
        rows, turned = rows[order], turned[order]
    other = np.where(partner[rows] >= 0, partner[rows], rows)
    width = _lower(ends.width[rows], ends.width[other])
    speed = _lower(ends.speed[rows], ends.speed[other])
    return Links(
        a=np.where(turned, ends.peer[rows], ends.device[rows]),
        a_port=np.where(turned, ends.peer_port[rows], ends.port[rows]),
        b=np.where(turned, ends.device[rows], ends.peer[rows]),
        b_port=np.where(turned, ends.port[rows], ends.peer_port[rows]),
        width=width,
        speed=speed,
        gbps=_GBPS[width, speed],
        said_by=np.where(partner[rows] >= 0, 3, np.where(turned, 2, 1)).astype(np.uint8),
        witness=ends.witness[rows],
    )


def _lower(one: U8, other: U8) -> U8:
    """The lower of both codes; an unknown one says nothing."""
    return np.where(one == 0, other, np.where(other == 0, one, np.minimum(one, other)))


def _repeated(
    ends: Ends, far: I64, kept: Bool, owner: I32, near: I64, name: Callable[[int], str]
) -> list[Finding]:
    """A port that was spoken for twice, with different far ends (another sweep, or a second record)."""
    rows = np.flatnonzero(~kept & (far != far[owner[near]]))
    return [
        found(
            "conflicting-link",
            a := name(int(ends.device[row])),
            a=a,
            port=int(ends.port[row]),
            b=_port(ends, int(owner[near[row]]), name),
            c=_port(ends, row, name),
        )
        for row in rows.tolist()
    ]


def _port(ends: Ends, row: int, name: Callable[[int], str]) -> str:
    return f"{name(int(ends.peer[row]))} port {int(ends.peer_port[row])}"


def _contradicted(
    ends: Ends, rows: I64, partner: I32, merged: Merged, name: Callable[[int], str]
) -> list[Finding]:
    """The far port says that it goes elsewhere. Two live switch ports on one adapter's GUID: two adapters carry it."""
    findings = []
    for row in rows.tolist():
        a, b = name(int(ends.device[row])), name(int(ends.peer[row]))
        port, peer, peer_port = int(ends.port[row]), int(ends.peer[row]), int(ends.peer_port[row])
        says = f"says it is cabled to {_port(ends, int(partner[row]), name)}"
        findings.append(found("one-sided-link", a, b, a=a, port=port, b=b, peer_port=peer_port, says=says))
        if merged.role[peer] == Role.ADAPTER and merged.role[int(ends.device[row])] == Role.SWITCH:
            at = f"the one on {a} port {port}"
            other = f"the one on {_port(ends, int(partner[row]), name)}"
            guid = f"{int(merged.guid[peer]):016x}"
            findings.append(found("duplicate-guid", b, a, a=other, b=at, guid=guid))
    return findings


def _one_sided(ends: Ends, rows: I64, name: Callable[[int], str]) -> list[Finding]:
    """The far end has a record that does not mention the cable."""
    findings = []
    for row in rows.tolist():
        a, b = name(int(ends.device[row])), name(int(ends.peer[row]))
        port, peer_port = int(ends.port[row]), int(ends.peer_port[row])
        says = "does not mention it"
        findings.append(found("one-sided-link", a, b, a=a, port=port, b=b, peer_port=peer_port, says=says))
    return findings


def _loops(ends: Ends, rows: I64, name: Callable[[int], str]) -> list[Finding]:
    findings = []
    for row in rows.tolist():
        switch = name(int(ends.device[row]))
        port, peer_port = int(ends.port[row]), int(ends.peer_port[row])
        findings.append(found("self-loop", switch, switch=switch, port=port, peer_port=peer_port))
    return findings
