"""What probes say, before anything is joined: columns for cables, small records for what has a name.

Columns use one documented stand-in for "unknown", because NumPy has no None: GUID 0 (reserved by IBTA, names nothing),
LID, port and id -1, width and speed code 0. They become None or a missing key wherever a person or a file meets them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from discovery.arrays import I32, I64, U8, U64, Bool
from discovery.identities import Guid, Witness
from discovery.outcome import UnreadLine


class Record(IntEnum):
    """What the head of an ibnetdiscover record calls a device."""

    SWITCH = 1
    CA = 2
    ROUTER = 3


WIDTHS = ("", "1x", "2x", "4x", "8x", "12x")
"""Link widths by code; 0 is unknown (IBTA PortInfo.LinkWidthActive; ibnetdiscover prints ``??``)."""
LANES = (0, 1, 2, 4, 8, 12)
SPEEDS = ("", "SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR")
"""Lane speeds by code; 0 is unknown (ibnetdiscover prints ``???`` for what it is too old to know)."""
LANE_GBPS = (0.0, 2.5, 5.0, 10.0, 10.3125, 14.0625, 25.78125, 50.0, 100.0, 200.0)
"""Gbit/s of one lane by speed code, as the trade counts them (4x NDR is a 400 Gbit/s link)."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Texts:
    """Many short texts as slices of one buffer, so that 100,000 descriptions cost no objects until one is read."""

    data: bytes
    start: I64
    length: I32

    def __len__(self) -> int:
        return len(self.start)

    def raw(self, row: int) -> bytes:
        """The bytes of one text, as they came off the wire."""
        at = int(self.start[row])
        return self.data[at : at + int(self.length[row])]

    def __getitem__(self, row: int) -> str:
        return self.raw(row).decode("utf-8", "replace")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DeviceColumns:
    """Devices of one sweep, one row each: those with a record of their own first, then those only named as a peer.

    Attributes, all of length D: ``kind`` (Record), ``guid`` (node GUID as in the record's id, never 0; ibsim net files
    have names for ids: their GUID is a hash of the name, see the probe), ``system`` (sysimgguid, 0 unknown),
    ``vendor``, ``model`` (devid; -1 unknown), ``ports`` (number of ports; -1 unknown), ``lid`` (switch port 0; -1
    unknown),
    ``defined`` (has a record), ``line`` (line of its head, or of the first mention), ``name`` (NodeDescription).
    """

    kind: U8
    guid: U64
    system: U64
    vendor: I32
    model: I32
    ports: I32
    lid: I32
    defined: Bool
    line: I64
    name: Texts


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EndColumns:
    """Port lines of one sweep, one row for each end that was printed (a healthy cable has two rows).

    Attributes, all of length E: ``device`` and ``peer`` (rows of DeviceColumns), ``port`` and ``peer_port``,
    ``port_guid`` and ``peer_port_guid`` (0 unknown), ``lid`` (of this end; -1 unknown) and ``peer_lid``, ``width`` and
    ``speed`` (codes above), ``line`` (from 1).
    """

    device: I32
    port: I32
    peer: I32
    peer_port: I32
    port_guid: U64
    peer_port_guid: U64
    lid: I32
    peer_lid: I32
    width: U8
    speed: U8
    line: I64


@dataclass(frozen=True, slots=True)
class SweepNotes:
    """What a sweep says about itself: nothing here is fatal, all of it is reported."""

    unread: int = 0
    """Lines that no rule knows."""
    unread_sample: tuple[UnreadLine, ...] = ()
    """The first ten of them."""
    stderr_lines: int = 0
    """Lines of the tools' own error output merged into the text; the fabric may be partial."""
    stderr_sample: tuple[UnreadLine, ...] = ()
    truncated: int | None = None
    """The line where the text breaks off, or None."""
    duplicates: tuple[tuple[Guid, int], ...] = ()
    """Further records of a device that already had one (GUID, line): the first is kept."""
    bad_values: tuple[UnreadLine, ...] = ()
    """Lines whose shape is right and whose value cannot be (a zero GUID, port 0): left out; the first ten."""
    bad_value_lines: int = 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sweep:
    """One reading of one InfiniBand subnet (ibnetdiscover(8), or a file in one of its dialects)."""

    witness: Witness
    dialect: str
    """``ibnetdiscover``, ``ibdiagnet``, ``ports`` (-p) or ``ibsim``."""
    devices: DeviceColumns
    ends: EndColumns
    down_device: I32
    """Ports listed without a peer (only ``-p`` lists have them): device row ..."""
    down_port: I32
    """... and port number."""
    notes: SweepNotes = SweepNotes()


@dataclass(frozen=True, slots=True)
class AdapterSeen:
    """An InfiniBand adapter as the node it is plugged into sees it (Linux sysfs-class-infiniband)."""

    node: str
    device: str
    witness: Witness
    node_guid: Guid | None = None
    system_guid: Guid | None = None
    port_guids: tuple[Guid, ...] = ()
    link_layer: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
