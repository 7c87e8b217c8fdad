"""A simulated fabric as a value: devices, cables, hosts, and the truth that inference has to find."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from discovery.fabric import Role

BOTH, ONLY_A, ONLY_B = 3, 1, 2
"""Which ends of a cable speak of it (bits as in fabric.Links.said_by)."""


@dataclass(frozen=True, slots=True)
class Model:
    """A product: what it calls itself, its PCI device id, its ports and the lane speed they run at."""

    name: str
    device_id: int
    ports: int
    speed: str = "NDR"


QUANTUM2 = Model("MQM9700", 0xD2F2, 64)
QUANTUM_X800 = Model("Q3400_RA", 0xD2F4, 144)
CONNECTX7 = Model("MT4129 ConnectX7   Mellanox Technologies", 0x1021, 1)
AGGREGATION_NODE = Model("Mellanox Technologies Aggregation Node", 0xCF09, 1)
ROUTER = Model("Q3400_RA/U2/RT", 0xC839, 8)


@dataclass(frozen=True, slots=True)
class Device:
    """A switch, adapter, aggregation node or router, as its own record describes it."""

    role: Role
    guid: int
    system: int
    model: Model
    ports: int
    description: str
    lid: int
    level: str = ""
    """leaf, spine, core, storage; ``flat`` where switches have no levels; empty for what is no switch."""
    unit: str = ""
    """The group of switches it belongs to: ``unit 3`` for a leaf, ``pod 1`` for a spine."""
    plane: int = 0
    host: str = ""
    """The machine it is plugged into; empty for what is no adapter."""
    device_name: str = ""

    def port_guid(self, port: int) -> int:
        """The GUID of a port: an adapter's first port shares the node GUID, a router's comes after it."""
        return self.guid + port - (self.role != Role.ROUTER)


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable between two ports; ``a`` and ``b`` are places in Wiring.devices. The switch of an adapter is ``b``."""

    a: int
    a_port: int
    b: int
    b_port: int
    width: str = "4x"
    speed: str = "NDR"
    sides: int = BOTH


@dataclass(frozen=True, slots=True)
class Host:
    """A machine and its true place: the groups that hold it, from its leaf group upward."""

    name: str
    path: tuple[str, ...]
    spelled: str = ""
    """How its adapters call it, where that is not its name."""
    node: bool = True
    """Whether it belongs to the cluster's nodes."""
    doubt: str = ""
    """Why nobody can know its place: it shares its ``name`` with another (GUIDs help), or an adapter its ``guid``."""
    anonymous: bool = False
    """All its adapters show their factory descriptions, so only its own GUIDs can tell who it is."""
    recorded: bool = True
    """Whether a capture holds what it says of itself."""


@dataclass(frozen=True, slots=True, order=True)
class Expected:
    """A finding that a fault should cause: its kind and words that must occur among its objects."""

    kind: str
    objects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Damage:
    """A fault of the text rather than of the fabric: its name (a row of text_faults), how much, and its own seed."""

    name: str
    amount: int
    seed: int


@dataclass(frozen=True, slots=True)
class Truth:
    """What a perfect tool says: the groups of nodes by tier from the leaves upward, and who has no place."""

    tiers: tuple[tuple[tuple[str, ...], ...], ...]
    unplaced: tuple[tuple[str, str], ...]
    doubtful: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wiring:
    """A drawn fabric. Devices without a cable exist (a host still knows its dead adapter) and no sweep shows them."""

    kind: str
    planes: int
    devices: tuple[Device, ...]
    cables: tuple[Cable, ...]
    hosts: tuple[Host, ...]
    expected: tuple[Expected, ...] = ()
    damages: tuple[Damage, ...] = ()

    def cabled(self) -> frozenset[int]:
        """Places of the devices that have a cable."""
        ends: set[int] = set()
        for cable in self.cables:
            ends.update((cable.a, cable.b))
        return frozenset(ends)

    def nodes(self) -> tuple[str, ...]:
        """Names of the cluster's nodes, sorted."""
        return tuple(sorted(host.name for host in self.hosts if host.node))

    def truth(self, guids_known: bool = False) -> Truth:
        """What a perfect tool says; ``guids_known``: it has also read what a capture holds of the hosts themselves."""
        cabled = self.cabled()
        heard = {device.host for place, device in enumerate(self.devices) if device.host and place in cabled}
        unplaced = {}
        placed, doubtful = [], []
        for host in self.hosts:
            if not host.node:
                continue
            known = guids_known and host.recorded
            if host.doubt == "guid" or (host.doubt == "name" and not known):
                doubtful.append(host.name)
            elif host.name not in heard:
                unplaced[host.name] = "not-heard"
            elif host.anonymous and not known:
                unplaced[host.name] = "no-identity"
            else:
                placed.append(host)
        return Truth(_tiers(placed), tuple(sorted(unplaced.items())), tuple(sorted(doubtful)))


def _tiers(hosts: Iterable[Host]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Partitions of the hosts from the leaves upward; one that says nothing new is left out."""
    placed = list(hosts)
    depth = max((len(host.path) for host in placed), default=0)
    tiers: list[tuple[tuple[str, ...], ...]] = []
    for level in range(depth):
        groups: dict[tuple[str, ...], list[str]] = {}
        for host in placed:
            # A path that ends early keeps its last group: nothing above it holds anybody else.
            groups.setdefault(host.path[level:] or host.path[-1:], []).append(host.name)
        partition = tuple(sorted(tuple(sorted(names)) for names in groups.values()))
        if not tiers or partition != tiers[-1]:
            tiers.append(partition)
    return tuple(tiers)
