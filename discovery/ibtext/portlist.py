"""Port lists (``ibnetdiscover -p``): one line for each port, also for those where nothing is plugged in."""

from __future__ import annotations

import numpy as np

from discovery.arrays import I32, AnyArray, Bool
from discovery.ibtext.rows import Rows
from discovery.identities import Witness
from discovery.lookup import numbered
from discovery.observations import DeviceColumns, EndColumns, Record, Sweep, SweepNotes, Texts


def sweep(text: bytes, listed: Rows, witness: Witness, notes: SweepNotes) -> Sweep:
    """A sweep of what a port list names; no device has a record of its own.

    Devices stand in the order of their first mention. A list has port GUIDs only, so an adapter with two ports is two.
    """
    mentions = {column: _both(listed, column) for column in ("guid", "kind", "lid", "name", "length", "line")}
    there = np.flatnonzero(mentions["guid"])
    first, number = numbered(mentions["guid"][there])
    device = np.full(len(mentions["guid"]), -1, np.int32)
    device[there] = number
    near, far = device[::2], device[1::2]
    up: Bool = far >= 0
    ends = _ends({column: values[up] for column, values in listed.items()}, near[up], far[up])
    devices = _devices(text, {column: values[there[first]] for column, values in mentions.items()})
    return Sweep(witness, "ports", devices, ends, near[~up], listed["port"][~up], notes)


def _both(listed: Rows, column: str) -> AnyArray:
    """A column of all ends that are named: of each line first its own port, then the peer."""
    other = {"guid": "peer", "line": "line"}.get(column, f"peer_{column}")
    return np.column_stack([listed[column], listed[other]]).reshape(-1)


def _devices(text: bytes, named: Rows) -> DeviceColumns:
    count = len(named["guid"])
    unknown = np.full(count, -1, np.int32)
    return DeviceColumns(
        kind=named["kind"],
        guid=named["guid"],
        system=np.zeros(count, np.uint64),
        vendor=unknown,
        model=unknown,
        ports=unknown,
        lid=named["lid"],
        defined=np.zeros(count, np.bool_),
        line=named["line"],
        name=Texts(text, named["name"], named["length"]),
    )


def _ends(listed: Rows, near: I32, far: I32) -> EndColumns:
    return EndColumns(
        device=near,
        port=listed["port"],
        peer=far,
        peer_port=listed["peer_port"],
        port_guid=np.where(listed["kind"] == Record.SWITCH, np.uint64(0), listed["guid"]),
        peer_port_guid=np.where(listed["peer_kind"] == Record.SWITCH, np.uint64(0), listed["peer"]),
        lid=listed["lid"],
        peer_lid=listed["peer_lid"],
        width=listed["width"],
        speed=listed["speed"],
        line=listed["line"],
    )
