"""Devices of several sweeps become one list: one row for each GUID, in the order of their GUIDs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64, U8, U64, Bool
from discovery.distinct import ordering
from discovery.fabric import Names, Role
from discovery.observations import Record, Sweep

AGGREGATION_MODELS = (0xCF09,)
"""PCI device ids of SHARP aggregation nodes, as ibnetdiscover shows them."""

_GATEWAY = b"MF0;"
"""Skyway and other gateways call themselves as switches do (``MF0;SKYWAY-GW-01:GA100/IB1``)."""
_PREFIXES = [int.from_bytes(text[:2], "big") for text in (b"Mellanox", _GATEWAY)]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Merged:
    """Columns of all devices, sorted by (switches first, GUID), and for each sweep the row of each of its devices."""

    role: U8
    guid: U64
    system: U64
    lid: I32
    ports: I32
    defined: Bool
    names: Names
    vague: Bool
    """Only mentioned by a neighbour, in a text that seems whole: not enough for a place in the tree."""
    cut: frozenset[int]
    """Devices whose record is the last one of a text that breaks off: what it doesn't mention is no surprise."""
    rows: tuple[I32, ...]


def merge(sweeps: Sequence[Sweep]) -> Merged:
    """One row a device; where several sweeps know it, the first that has a record of it tells its facts."""
    kind = np.concatenate([sweep.devices.kind for sweep in sweeps])
    guid = np.concatenate([sweep.devices.guid for sweep in sweeps])
    defined = np.concatenate([sweep.devices.defined for sweep in sweeps])
    sizes = [len(sweep.devices.guid) for sweep in sweeps]
    sweep_of = np.repeat(np.arange(len(sweeps), dtype=np.int32), sizes)
    row_of = np.concatenate([np.arange(size, dtype=np.int32) for size in sizes])
    order = np.lexsort((sweep_of, ~defined, guid, kind)) if len(sweeps) > 1 else _by_kind_and_guid(kind, guid)
    fresh = np.ones(len(order), bool)
    fresh[1:] = (guid[order[1:]] != guid[order[:-1]]) | (kind[order[1:]] != kind[order[:-1]])
    place = np.empty(len(order), np.int32)
    place[order] = np.cumsum(fresh, dtype=np.int32) - 1
    first = order[fresh]
    names = Names(tuple(sweep.devices.name for sweep in sweeps), sweep_of[first], row_of[first])
    rows = tuple(np.split(place, np.cumsum(sizes)[:-1]))
    system = np.concatenate([sweep.devices.system for sweep in sweeps])[first]
    model = np.concatenate([sweep.devices.model for sweep in sweeps])[first]
    return Merged(
        role=_roles(kind[first], model, names),
        guid=guid[first],
        system=system,
        lid=np.concatenate([sweep.devices.lid for sweep in sweeps])[first],
        ports=np.concatenate([sweep.devices.ports for sweep in sweeps])[first],
        defined=defined[first],
        names=names,
        vague=~defined[first] & ~np.array([_partial(sweep) for sweep in sweeps], bool)[names.sweep],
        cut=frozenset(row for sweep, place in zip(sweeps, rows, strict=True) for row in _cut_off(sweep, place)),
        rows=rows,
    )


def _by_kind_and_guid(kind: U8, guid: U64) -> I64:
    """Rows by kind, then GUID, none of which is there twice in a sweep; sorting each kind by itself is quicker."""
    parts = [rows[ordering(guid[rows])] for record in Record if len(rows := np.flatnonzero(kind == record))]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _cut_off(sweep: Sweep, rows: I32) -> list[int]:
    """The device whose record a truncated sweep ends in."""
    recorded = np.flatnonzero(sweep.devices.defined)
    if sweep.notes.truncated is None or not len(recorded):
        return []
    last = recorded[np.argmax(sweep.devices.line[recorded])]
    return [int(rows[last])]


def _partial(sweep: Sweep) -> bool:
    """Whether a device may lack its record for no fault of its own: port lists have none, broken texts lose some,
    a text without the tool's header may begin anywhere, and one without any CA was cut by kind."""
    broken = sweep.notes.truncated is not None or sweep.notes.stderr_lines > 0 or sweep.witness.time is None
    recorded = sweep.devices.kind[sweep.devices.defined]
    return sweep.dialect == "ports" or broken or not bool((recorded == Record.CA).any())


def _roles(kind: U8, model: I32, names: Names) -> U8:
    """Switches and routers say so; SHARP nodes and gateways are CAs that only their id or name gives away."""
    role = np.full(len(kind), Role.ADAPTER, np.uint8)
    role[kind == Record.SWITCH] = Role.SWITCH
    role[kind == Record.ROUTER] = Role.ROUTER
    adapters = role == Role.ADAPTER
    role[adapters & np.isin(model, AGGREGATION_MODELS)] = Role.AGGREGATION
    for row in _shown_by_switch_maker(names, np.flatnonzero(role == Role.ADAPTER).astype(np.int32)):
        text = names.raw(row)
        if b"Aggregation Node" in text:
            role[row] = Role.AGGREGATION
        elif text.startswith(_GATEWAY):
            role[row] = Role.GATEWAY
    return role


def _shown_by_switch_maker(names: Names, rows: I32) -> list[int]:
    """Rows whose description begins like one of a switch maker's own parts: few, to be read closely."""
    found: list[int] = []
    for sweep, texts in enumerate(names.texts):
        mine = rows[names.sweep[rows] == sweep]
        if not len(mine) or not len(texts.data):
            continue
        data = np.frombuffer(texts.data, np.uint8)
        start = texts.start[names.row[mine]]
        long_enough = (texts.length[names.row[mine]] >= 3) & (start + 3 <= len(data))
        at = np.where(long_enough, start, 0)
        first, second = data[at], data[np.minimum(at + 1, len(data) - 1)]
        telling = long_enough & np.isin(first.astype(np.uint16) << 8 | second, _PREFIXES)
        found += mine[telling].tolist()
    return found
