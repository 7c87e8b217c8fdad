"""The fabric: what is cabled to what, joined from all sources. Immutable columns in a canonical order.

Rows are sorted by what the hardware calls itself (kind, then GUID; links by device rows and ports), so the same cables
give the same bytes whatever the order in which they were heard.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from discovery.arrays import F64, I32, U8, U64, Bool
from discovery.findings import Finding
from discovery.identities import Witness
from discovery.observations import Texts


class Role(IntEnum):
    """What a device is to the tree. Only adapters make hosts."""

    SWITCH = 1
    ADAPTER = 2
    AGGREGATION = 3
    """A SHARP aggregation node inside a switch."""
    ROUTER = 4
    GATEWAY = 5


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Names:
    """The description of each device, read from the sweep that told it: (sweep, row of its texts) a device."""

    texts: tuple[Texts, ...]
    sweep: I32
    row: I32

    def __getitem__(self, device: int) -> str:
        return self.texts[int(self.sweep[device])][int(self.row[device])]

    def raw(self, device: int) -> bytes:
        """The bytes as they came off the wire."""
        return self.texts[int(self.sweep[device])].raw(int(self.row[device]))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Devices:
    """Devices of all sweeps, one row each, sorted by (role is switch first, GUID).

    All of length D: ``role`` (Role), ``guid``, ``system`` (0 unknown), ``lid`` (-1 unknown), ``ports`` (-1 unknown),
    ``host`` (row of Hosts; -1 for what is no host's), ``defined`` (had a record of its own), ``vague`` (had none in
    a text that seems whole: it takes no part in the tree), ``witness`` (row of
    Fabric.witnesses), ``name`` (NodeDescription as heard), ``label`` (row of ``labels``: the rest of an adapter's
    description after its host, ``mlx5_0``; row 0 is "").
    """

    role: U8
    guid: U64
    system: U64
    lid: I32
    ports: I32
    host: I32
    defined: Bool
    vague: Bool
    witness: I32
    name: Names
    label: I32
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Links:
    """Distinct cables, one row each, sorted by (a, a_port, b, b_port) with a < b; self-loops are not here.

    All of length L: ``a``, ``b`` (rows of Devices), ``a_port``, ``b_port``, ``width``, ``speed`` (codes of
    observations; the lower of both ends), ``gbps`` (0.0 unknown), ``said_by`` (bit 1: end a, bit 2: end b),
    ``witness`` (row of Fabric.witnesses).
    """

    a: I32
    a_port: I32
    b: I32
    b_port: I32
    width: U8
    speed: U8
    gbps: F64
    said_by: U8
    witness: I32


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hosts:
    """Machines, one row each, sorted by name; unnamed ones (adapters that say nothing) come last with name "".

    ``name``: as the node list spells it where it is a cluster node, else as its adapters do. ``node``: its name in the
    cluster, "" where it is no cluster node. ``identity``: how it was recognised (guid, name, alias, card, none).
    """

    name: tuple[str, ...]
    node: tuple[str, ...]
    identity: tuple[str, ...]
    doubtful: frozenset[int] = frozenset()
    """Hosts whose name is claimed by two machines: same device name, different cards."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fabric:
    """One network of cables: everything that inference, ``why`` and the exporters may ask."""

    kind: str
    name: str
    devices: Devices
    links: Links
    hosts: Hosts
    witnesses: tuple[Witness, ...]
    findings: tuple[Finding, ...]
    unheard: tuple[tuple[str, str, str], ...] = ()
    """Cluster nodes without any adapter here: (node, reason of DESIGN's list, message)."""
