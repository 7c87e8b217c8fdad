"""Lines become records: which head a port line is below, which attributes a head has, which device a peer is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discovery.ibtext.lookup import Lookup
from discovery.ibtext.rows import MODEL, SYSTEM, VENDOR, Found, Rows
from discovery.identities import Guid
from discovery.observations import I32, I64, U64, Bool, DeviceColumns, EndColumns, Record, Texts

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
    owner = _owners(ports, heads, _next_break(heads["line"], attributes["line"], breaks))
    orphans = _count_orphans(text, ports, owner, found)
    lookup = Lookup(np.ascontiguousarray(heads["guid"]))
    first = lookup.rows(heads["guid"])
    kept = first == np.arange(len(heads), dtype=np.int32)
    used = (owner >= 0) & kept[owner] if len(heads) else np.zeros(len(ports), np.bool_)
    if not used.all():
        ports, owner = ports[used], owner[used]
    records = heads if kept.all() else heads[kept]
    row = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    peer = lookup.rows(ports["peer"])
    peer[peer >= 0] = row[peer[peer >= 0]]
    named = _number_the_rest(ports, peer, len(records))
    devices = _devices(text, records, _attributes(heads, attributes, breaks)[:, kept], ports[named])
    again = heads[~kept][:MAX_DUPLICATES]
    return Records(
        devices,
        _ends(ports, row[owner], peer, devices),
        tuple((Guid(guid), line) for guid, line in zip(again["guid"].tolist(), again["line"].tolist(), strict=True)),
        orphans,
        _unfinished(heads, attributes, breaks),
    )


def _next_break(lines: I64, *breakers: I64) -> I64:
    """For each line the next one that ends its record: an attribute or a line that broke."""
    nearest = np.full(len(lines), np.iinfo(np.int64).max)
    for breaker in breakers:
        ends = np.append(breaker, np.iinfo(np.int64).max)
        nearest = np.minimum(nearest, ends[np.searchsorted(breaker, lines)])
    return nearest


def _owners(ports: Rows, heads: Rows, ends: I64) -> I32:
    """The head that each port line stands below, -1 for none."""
    starts = np.searchsorted(ports["line"], heads["line"])
    counts = np.diff(np.append(starts, len(ports)))
    owner = np.full(len(ports), -1, np.int32)
    if len(heads):
        owner[starts[0] :] = np.repeat(np.arange(len(heads), dtype=np.int32), counts)
        last = starts + counts - 1
        for head in np.flatnonzero(counts > 0)[ports["line"][last[counts > 0]] > ends[counts > 0]]:
            below = slice(starts[head], starts[head] + counts[head])
            owner[below][ports["line"][below] > ends[head]] = -1
    return owner


def _count_orphans(text: bytes, ports: Rows, owner: I32, found: Found) -> int:
    orphans = ports[owner < 0]
    for line, at in zip(orphans["line"][:10].tolist(), orphans["at"][:10].tolist(), strict=True):
        end = text.find(b"\n", at)
        found.unread.add(line, text[at : end if end >= 0 else len(text)])
    found.unread.count += max(len(orphans) - 10, 0)
    return len(orphans)


def _attributes(heads: Rows, attributes: Rows, breaks: I64) -> U64:
    """Vendor, model and system of each head: the last said since the record before; all ones where not said."""
    before = np.append(np.int64(-1), heads["line"][:-1])[: len(heads)]
    last_break = np.append(np.int64(-1), breaks)[np.searchsorted(breaks, heads["line"])]
    since = np.maximum(before, last_break)
    values = np.full((3, len(heads)), NOTHING, np.uint64)
    for column, field in enumerate((VENDOR, MODEL, SYSTEM)):
        rows = attributes[attributes["field"] == field]
        lines = np.append(np.int64(-1), rows["line"])
        place = np.searchsorted(rows["line"], heads["line"])
        said = lines[place] > since
        values[column, said] = rows["value"][place[said] - 1]
    return values


def _number_the_rest(ports: Rows, peer: I32, count: int) -> I64:
    """Number the devices that only peers name, from ``count`` in the order of their first mention; the rows that do."""
    strangers = np.flatnonzero(peer < 0)
    _, first, back = np.unique(ports["peer"][strangers], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(count, count + len(order), dtype=np.int32)
    peer[strangers] = rank[back]
    return np.asarray(strangers[first[order]], np.int64)


def _devices(text: bytes, records: Rows, attributes: U64, named: Rows) -> DeviceColumns:
    total = len(records) + len(named)

    def unknown(values: I32) -> I32:
        return np.concatenate([values, np.full(len(named), -1, np.int32)])

    def small(values: U64) -> I32:
        return unknown(np.where(values > np.iinfo(np.int32).max, np.uint64(NOTHING), values).astype(np.int32))

    vendor, model, system = attributes
    both = (records, named)
    return DeviceColumns(
        kind=np.concatenate([records["kind"], named["peer_kind"]]),
        guid=np.concatenate([records["guid"], named["peer"]]),
        system=np.append(np.where(system == NOTHING, np.uint64(0), system), np.zeros(len(named), "u8")),
        vendor=small(vendor),
        model=small(model),
        ports=unknown(records["ports"]),
        lid=np.concatenate([records["lid"], named["peer_lid"]]),
        defined=np.arange(total) < len(records),
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
    near, far = switch[device], switch[peer]
    return EndColumns(
        device=device,
        port=ports["port"].astype(np.int32),
        peer=peer,
        peer_port=ports["peer_port"].astype(np.int32),
        port_guid=np.where(near, np.uint64(0), ports["port_guid"]),
        peer_port_guid=np.where(far, np.uint64(0), ports["peer_port_guid"]),
        lid=np.where(near, devices.lid[device], ports["lid"]),
        peer_lid=ports["peer_lid"].copy(),
        width=ports["width"].copy(),
        speed=ports["speed"].copy(),
        line=ports["line"].copy(),
    )


def _unfinished(heads: Rows, attributes: Rows, breaks: I64) -> int | None:
    last = max([int(lines[-1]) for lines in (heads["line"], breaks) if len(lines)], default=0)
    line = int(attributes["line"][-1]) if len(attributes) else 0
    return line if line > last else None
