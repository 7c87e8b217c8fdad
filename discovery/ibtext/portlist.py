"""Port lists (``ibnetdiscover -p``): one line for each port, also for those where nothing is plugged in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discovery.ibtext.rows import Listed
from discovery.identities import Witness
from discovery.observations import DeviceColumns, EndColumns, Record, Sweep, SweepNotes, Texts


class _Named:
    """Devices by first mention. A list has port GUIDs only, so an adapter with two ports is two rows."""

    def __init__(self) -> None:
        self.rows: dict[int, int] = {}
        self.facts: list[tuple[int, int, int, int, tuple[int, int]]] = []

    def row(self, guid: int, kind: int, lid: int, line: int, name: tuple[int, int]) -> int:
        row = self.rows.setdefault(guid, len(self.facts))
        if row == len(self.facts):
            self.facts.append((guid, kind, lid, line, name))
        return row


def sweep(text: bytes, listed: Sequence[Listed], witness: Witness, notes: SweepNotes) -> Sweep:
    """A sweep of what a port list names; no device has a record of its own."""
    named = _Named()
    ends: list[tuple[int, ...]] = []
    down: list[tuple[int, int]] = []
    for one in listed:
        near = named.row(one.guid, one.kind, one.lid, one.line, one.name)
        if not one.peer:
            down.append((near, one.port))
            continue
        far = named.row(one.peer, one.peer_kind, one.peer_lid, one.line, one.peer_name)
        near_guid = 0 if one.kind == Record.SWITCH else one.guid
        far_guid = 0 if one.peer_kind == Record.SWITCH else one.peer
        link = (one.width, one.speed, one.line)
        ends.append((near, one.port, far, one.peer_port, near_guid, far_guid, one.lid, one.peer_lid, *link))
    below = np.array(down, np.int32).reshape(-1, 2)
    return Sweep(witness, "ports", _devices(text, named), _ends(ends), below[:, 0].copy(), below[:, 1].copy(), notes)


def _devices(text: bytes, named: _Named) -> DeviceColumns:
    guid, kind, lid, line, name = zip(*named.facts, strict=True)
    count = len(guid)
    unknown = np.full(count, -1, np.int32)
    spans = np.array(name, np.int64).reshape(-1, 2)
    return DeviceColumns(
        kind=np.array(kind, np.uint8),
        guid=np.array(guid, np.uint64),
        system=np.zeros(count, np.uint64),
        vendor=unknown,
        model=unknown,
        ports=unknown,
        lid=np.array(lid, np.int32),
        defined=np.zeros(count, np.bool_),
        line=np.array(line, np.int64),
        name=Texts(text, spans[:, 0].copy(), (spans[:, 1] - spans[:, 0]).astype(np.int32)),
    )


def _ends(ends: list[tuple[int, ...]]) -> EndColumns:
    columns = list(zip(*ends, strict=True)) or [()] * 11
    kinds = ("i4", "i4", "i4", "i4", "u8", "u8", "i4", "i4", "u1", "u1", "i8")
    return EndColumns(*(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)))
