"""Lines become records: which head a port line is below, which attributes a head has, which device a peer is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64, U64, Bool
from discovery.ibtext.rows import BOUNDARY, MODEL, SAMPLE, SYSTEM, VENDOR, Found, Rows, picked, shown
from discovery.identities import Guid
from discovery.lookup import Lookup, numbered
from discovery.observations import DeviceColumns, EndColumns, Record, Texts
from discovery.outcome import UnreadLine

MAX_DUPLICATES = 10_000
"""A text that repeats itself more often has made its point."""
_FIELDS = max(BOUNDARY, VENDOR, MODEL, SYSTEM) + 1
NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Stands for an attribute that a record does not have."""


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """What the lines of a text amount to."""

    devices: DeviceColumns
    ends: EndColumns
    duplicates: tuple[tuple[Guid, int], ...]
    orphans: int
    """Port lines below no record."""
    unfinished: int | None
    """The last line of attributes that no head followed, or None."""


def assemble(text: bytes, found: Found) -> Records:
    """Put records together; port lines that belong to no record are counted in ``found.unread``."""
    ports, heads, attributes = found.tables()
    breaks = np.array(found.breaks, np.int64)
    starts = heads["line"]
    said_before = np.searchsorted(attributes["line"], starts)
    ends = np.minimum(_next(attributes["line"], said_before), _next(breaks, np.searchsorted(breaks, starts)))
    owner = _owners(ports["line"], starts, ends)
    lookup = Lookup(heads["guid"])
    kept = lookup.rows(heads["guid"]) == np.arange(len(starts), dtype=np.int32)
    row = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    facts = _attributes(starts, attributes, said_before, breaks)
    orphans, again = picked(ports, np.flatnonzero(owner < 0)), picked(heads, np.flatnonzero(~kept))
    found.unread.count += len(orphans["line"])
    found.unread.sample.extend(_shown(text, orphans))
    if len(orphans["line"]) or len(again["line"]):
        used = (owner >= 0) & np.append(kept, False)[owner]
        ports, owner = picked(ports, used), row[owner[used]]
    peer = lookup.rows(ports["peer"])
    records = heads
    if len(again["line"]):
        peer, facts, records = np.append(row, np.int32(-1))[peer], facts[:, kept], picked(heads, kept)
    named = picked(ports, _number_the_rest(ports["peer"], peer, len(records["line"])))
    devices = _devices(text, records, facts, named)
    return Records(
        devices,
        _ends(ports, owner, peer, devices),
        _duplicates(again),
        len(orphans["line"]),
        _unfinished(heads, attributes, breaks),
    )


def _duplicates(again: Rows) -> tuple[tuple[Guid, int], ...]:
    guids, lines = again["guid"][:MAX_DUPLICATES].tolist(), again["line"][:MAX_DUPLICATES].tolist()
    return tuple((Guid(guid), line) for guid, line in zip(guids, lines, strict=True))


def _next(lines: I64, place: I64) -> I64:
    """The lines at these places, where the place behind all of them stands for a line that never comes."""
    following: I64 = np.append(lines, np.iinfo(np.int64).max)[place]
    return following


def _owners(lines: I64, heads: I64, ends: I64) -> I32:
    """The head that each port line stands below, -1 for none. All are line numbers; a record stops before its end."""
    bounds = np.searchsorted(lines, np.append(heads, np.iinfo(np.int64).max))
    owner = np.repeat(np.arange(-1, len(heads), dtype=np.int32), np.diff(bounds, prepend=0))
    below = np.flatnonzero(np.diff(bounds))
    for head in below[lines[bounds[below + 1] - 1] > ends[below]]:
        part = slice(bounds[head], bounds[head + 1])
        owner[part][lines[part] > ends[head]] = -1
    return owner


def _shown(text: bytes, orphans: Rows) -> Iterator[UnreadLine]:
    for line, at in zip(orphans["line"][:SAMPLE].tolist(), orphans["at"][:SAMPLE].tolist(), strict=True):
        end = text.find(b"\n", at)
        yield UnreadLine(line, shown(text[at : end if end >= 0 else len(text)]))


def _attributes(heads: I64, attributes: Rows, said_before: I64, breaks: I64) -> U64:
    """Vendor, model and system of each head: the last said since the record before; all ones where not said.

    ``said_before`` counts the attributes above each head.
    """
    count = int(said_before[-1]) if len(heads) else 0
    head = np.repeat(np.arange(len(heads)), np.diff(said_before, prepend=0))
    fields, values = attributes["field"][:count], attributes["value"][:count]
    if len(breaks):
        broken = np.append(np.int64(-1), breaks)[np.searchsorted(breaks, heads)]
        valid = attributes["line"][:count] > broken[head]
        head, fields, values = head[valid], fields[valid], values[valid]
    said = np.full((_FIELDS, len(heads)), NOTHING, np.uint64)
    said.reshape(-1)[fields * np.int64(len(heads)) + head] = values  # of repeated places the last value stays
    return said[[VENDOR, MODEL, SYSTEM]]


def _number_the_rest(wanted: U64, peer: I32, count: int) -> I64:
    """Number the devices that only peers name, from ``count`` in the order of their first mention; the rows that do."""
    strangers = np.flatnonzero(peer < 0)
    first, number = numbered(wanted[strangers])
    peer[strangers] = count + number
    return np.asarray(strangers[first], np.int64)


def _devices(text: bytes, records: Rows, facts: U64, named: Rows) -> DeviceColumns:
    strangers = len(named["line"])

    def unknown(values: I32) -> I32:
        return np.concatenate([values, np.full(strangers, -1, np.int32)])

    def small(values: U64) -> I32:
        return unknown(np.where(values > np.iinfo(np.int32).max, NOTHING, values).astype(np.int32))

    vendor, model, system = facts
    both = (records, named)
    return DeviceColumns(
        kind=np.concatenate([records["kind"], named["peer_kind"]]),
        guid=np.concatenate([records["guid"], named["peer"]]),
        system=np.append(np.where(system == NOTHING, np.uint64(0), system), np.zeros(strangers, "u8")),
        vendor=small(vendor),
        model=small(model),
        ports=unknown(records["ports"]),
        lid=np.concatenate([records["lid"], named["peer_lid"]]),
        defined=np.arange(len(records["line"]) + strangers) < len(records["line"]),
        line=np.concatenate([rows["line"] for rows in both]),
        name=Texts(
            text,
            np.concatenate([rows["at"] + rows["name"] for rows in both]),
            np.concatenate([rows["length"] for rows in both]),
        ),
    )


def _ends(ports: Rows, device: I32, peer: I32, devices: DeviceColumns) -> EndColumns:
    """Columns of the port lines; a switch has one LID and one GUID for all its ports, so its lines say neither."""
    switch: Bool = devices.kind == Record.SWITCH
    near = switch[device]
    return EndColumns(
        device=device,
        port=ports["port"],
        peer=peer,
        peer_port=ports["peer_port"],
        port_guid=np.where(near, np.uint64(0), ports["port_guid"]),
        peer_port_guid=np.where(switch[peer], np.uint64(0), ports["peer_port_guid"]),
        lid=np.where(near, devices.lid[device], ports["lid"]),
        peer_lid=ports["peer_lid"],
        width=ports["width"],
        speed=ports["speed"],
        line=ports["line"],
    )


def _unfinished(heads: Rows, attributes: Rows, breaks: I64) -> int | None:
    """The last attribute line behind all heads."""
    last = max((int(lines[-1]) for lines in (heads["line"], breaks) if len(lines)), default=0)
    line = int(attributes["line"][-1]) if len(attributes["line"]) else 0
    return line if line > last else None
