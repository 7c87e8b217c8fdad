"""The tree as values: groups as inference finds them, HyperNodes as the cluster keeps them. No illegal Tree exists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import lt


class Defect(Exception):
    """Our own bug: a value that must not exist was about to be made."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """Measured bandwidth of a group in Gbit/s: to its hosts, and up to the next level (0.0: no link up)."""

    hosts_gbps: float
    uplink_gbps: float
    unknown_links: int = 0
    """Links whose speed nobody knew; they are counted at the median of the known ones."""

    @property
    def oversubscription(self) -> float | None:
        """Host bandwidth over uplink bandwidth; None where there is no uplink."""
        return self.hosts_gbps / self.uplink_gbps if self.uplink_gbps else None


@dataclass(frozen=True, slots=True)
class Group:
    """A group before it has a name: what inference found, from the roots downward.

    ``tier`` counts from 1 at the nodes. ``switches`` are the ids (GUID as 16 hex digits) of this tier's own switches,
    sorted; ``nodes`` are all cluster nodes below, sorted; ``children`` are the groups one or more tiers below.
    """

    tier: int
    tier_name: str
    switches: tuple[str, ...]
    nodes: tuple[str, ...]
    children: tuple[Group, ...] = ()
    capacity: Capacity | None = None


@dataclass(frozen=True, slots=True)
class HyperNode:
    """One HyperNode of the cluster (topology.volcano.sh/v1alpha1, exactMatch members only).

    Tier 1 holds ``nodes``, every other tier ``children``; never both. Both are sorted. ``switches`` say which hardware
    it stands for; they keep the name when members come and go.
    """

    name: str
    tier: int
    tier_name: str
    nodes: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.tier < 0:
            raise Defect(f"{self.name}: tier {self.tier}")
        if bool(self.nodes) == bool(self.children):
            raise Defect(f"{self.name} must hold nodes or HyperNodes, and one kind only")
        for members in (self.nodes, self.children):
            if not all(map(lt, members, members[1:])):
                raise Defect(f"{self.name}: members are not sorted or not distinct")


@dataclass(frozen=True, slots=True)
class Tree:
    """HyperNodes by name, legal for Volcano: a child exists, stands lower, has one parent; no node twice in a tier."""

    hypernodes: Mapping[str, HyperNode]

    def __post_init__(self) -> None:
        parents: dict[str, str] = {}
        for name, node in self.hypernodes.items():
            if name != node.name:
                raise Defect(f"{node.name} is kept under the name {name}")
            for child in node.children:
                below = self.hypernodes.get(child)
                if below is None or below.tier >= node.tier:
                    raise Defect(f"{name} cannot contain {child}")
                if child in parents:
                    raise Defect(f"{child} has two parents, {parents[child]} and {name}")
                parents[child] = name
        self._refuse_doubles()

    def _refuse_doubles(self) -> None:
        """No node stands twice in a tier, directly or through children (it may be held directly on two tiers)."""
        held = [member for node in self.hypernodes.values() for member in node.nodes]
        if len(set(held)) == len(held):
            return  # each node has one holder and each child one parent: the rule, and quick to see
        seated: dict[int, set[str]] = {}
        for name, below in self.nodes_below().items():
            tier = seated.setdefault(self.hypernodes[name].tier, set())
            if not tier.isdisjoint(below):
                raise Defect(f"{name} holds {min(tier & below)}, which another HyperNode of its tier holds")
            tier |= below

    @classmethod
    def of(cls, hypernodes: Iterable[HyperNode]) -> Tree:
        """A tree of these HyperNodes, sorted by tier and name."""
        ordered = sorted(hypernodes, key=lambda node: (node.tier, node.name))
        return cls({node.name: node for node in ordered})

    def parents(self) -> dict[str, str]:
        """The parent's name by child name."""
        return {child: node.name for node in self.hypernodes.values() for child in node.children}

    def nodes_below(self) -> dict[str, frozenset[str]]:
        """All cluster nodes below each HyperNode, by name (status.nodeCount is the size)."""
        below: dict[str, frozenset[str]] = {}
        for node in sorted(self.hypernodes.values(), key=lambda one: one.tier):
            below[node.name] = frozenset(node.nodes).union(*(below[child] for child in node.children))
        return below

    def paths(self) -> dict[str, tuple[str, ...]]:
        """For each cluster node the HyperNodes that hold it, from the closest upward."""
        parents = self.parents()
        found: dict[str, tuple[str, ...]] = {}
        for node in self.hypernodes.values():
            if not node.nodes:
                continue
            path = [node.name]
            while path[-1] in parents:
                path.append(parents[path[-1]])
            found.update(dict.fromkeys(node.nodes, tuple(path)))
        return found
