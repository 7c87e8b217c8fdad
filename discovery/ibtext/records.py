"""Lines become records: which head a port line is below, which attributes a head has, which device a peer is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64, U64, Bool
from discovery.ibtext.lookup import Lookup
from discovery.ibtext.rows import MODEL, SAMPLE, SYSTEM, VENDOR, Found, Rows, picked, shown
from discovery.identities import Guid
from discovery.observations import DeviceColumns, EndColumns, Record, Texts
from discovery.outcome import UnreadLine

MAX_DUPLICATES = 10_000
"""A text that repeats itself more often has made its point."""
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
    owner = _owners(ports["line"], starts, _next_break(starts, attributes["line"], breaks))
    lookup = Lookup(heads["guid"])
    kept = lookup.rows(heads["guid"]) == np.arange(len(starts), dtype=np.int32)
    row = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    facts = _attributes(starts, attributes, breaks)[:, kept]
    orphans, again = picked(ports, owner < 0), picked(heads, ~kept)
    found.unread.count += len(orphans["line"])
    found.unread.sample.extend(_shown(text, orphans))
    used = owner >= 0
    used[used] = kept[owner[used]]
    if not used.all():
        ports, owner = picked(ports, used), owner[used]
    peer = lookup.rows(ports["peer"])
    known = peer >= 0
    peer[known] = row[peer[known]]
    records = heads if kept.all() else picked(heads, kept)
    named = picked(ports, _number_the_rest(ports["peer"], peer, len(records["line"])))
    devices = _devices(text, records, facts, named)
    ends = _ends(ports, row[owner], peer, devices)
    return Records(devices, ends, _duplicates(again), len(orphans["line"]), _unfinished(heads, attributes, breaks))


def _duplicates(again: Rows) -> tuple[tuple[Guid, int], ...]:
    guids, lines = again["guid"][:MAX_DUPLICATES].tolist(), again["line"][:MAX_DUPLICATES].tolist()
    return tuple((Guid(guid), line) for guid, line in zip(guids, lines, strict=True))


def _next_break(lines: I64, *breakers: I64) -> I64:
    """For each line the next one that ends its record: an attribute or a line that broke."""
    nearest = np.full(len(lines), np.iinfo(np.int64).max)
    for breaker in breakers:
        ends = np.append(breaker, np.iinfo(np.int64).max)
        nearest = np.minimum(nearest, ends[np.searchsorted(breaker, lines)])
    return nearest


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


def _attributes(heads: I64, attributes: Rows, breaks: I64) -> U64:
    """Vendor, model and system of each head: the last said since the record before; all ones where not said."""
    before = np.append(np.int64(-1), heads[:-1])[: len(heads)]
    since = np.maximum(before, np.append(np.int64(-1), breaks)[np.searchsorted(breaks, heads)])
    fields, lines, said = attributes["field"], attributes["line"], attributes["value"]
    values = np.full((3, len(heads)), NOTHING, np.uint64)
    for column, field in enumerate((VENDOR, MODEL, SYSTEM)):
        rows = np.flatnonzero(fields == field)
        if len(rows):
            last = np.searchsorted(lines[rows], heads) - 1
            applies = (last >= 0) & (lines[rows[last]] > since)
            values[column, applies] = said[rows[last[applies]]]
    return values


def _number_the_rest(wanted: U64, peer: I32, count: int) -> I64:
    """Number the devices that only peers name, from ``count`` in the order of their first mention; the rows that do."""
    strangers = np.flatnonzero(peer < 0)
    _, first, back = np.unique(wanted[strangers], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(count, count + len(order), dtype=np.int32)
    peer[strangers] = rank[back]
    return np.asarray(strangers[first[order]], np.int64)


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
