"""Names that follow the hardware: the tree of HyperNodes for the groups that inference found.

Knows groups, names and last time's tree. Does not know how groups are found, nor how objects are written.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from hypernode.tree import Capacity, Group, HyperNode, Tree

ANNOTATIONS = "hypernode.dev/"
"""The annotations of this group are ours; all others on an object belong to somebody else."""
SWITCHES = ANNOTATIONS + "switches"
ORIGINAL_NAMES = ANNOTATIONS + "original-names"
LONGEST_ANNOTATION = 16 * 1024
"""Kubernetes allows 256 KiB for all annotations of an object together; people read the first line."""
LONGEST_NAME = 253
"""RFC 1123 subdomain, as Kubernetes limits it."""
LONGEST_STEM = 200
"""Leaves room for a digest, a number and the ending of a file."""
LONGEST_TIER_NAME = 63
"""In the name of an object; the tier name itself may be longer."""

_LEGAL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z")
_ILLEGAL_RUN = re.compile(r"[^a-z0-9.]+")
_DOTS = re.compile(r"[-.]*\.[-.]*")


def is_name(text: str) -> bool:
    """Whether Kubernetes takes this for the name of a Node or HyperNode."""
    return 0 < len(text) <= LONGEST_NAME and _LEGAL.match(text) is not None


def node_name(text: str) -> str:
    """A legal Kubernetes name for a host name: lower case, other characters become '-'; never empty."""
    if is_name(text):
        return text
    plain = _DOTS.sub(".", _ILLEGAL_RUN.sub("-", text.lower())).strip("-.")
    return plain[:LONGEST_NAME].strip("-.") or f"node-{_digest([text])}"


def node_names(texts: Iterable[str]) -> dict[str, str]:
    """A legal name of its own for each host name, whatever their order; a name that is legal already stays."""
    distinct = sorted(set(texts))
    if all(map(_LEGAL.match, distinct)) and max(map(len, distinct), default=0) <= LONGEST_NAME:
        return dict(zip(distinct, distinct, strict=True))  # the rule: 10,000 names cost 2 ms this way
    names = {text: text for text in distinct if is_name(text)}
    taken = set(names)
    for text in distinct:
        if text not in names:
            name = _free_name(node_name(text), [text], taken)
            names[text] = name
            taken.add(name)
    return names


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Former:
    """What a name stood for until now."""

    name: str
    tier_name: str
    switches: tuple[str, ...]
    nodes: frozenset[str]


def name_tree(
    groups: Sequence[Group],
    current: Tree | None = None,
    *,
    taken: Collection[str] = (),
    lost: Iterable[Former] = (),
) -> Tree:
    """Turn groups into HyperNodes; a group keeps its name in ``current`` as long as most of its members stay.

    ``taken`` are names that others use in the cluster; ``lost`` were taken out of ``current`` for a moment only. The
    order of the groups says nothing.
    """
    ordered = sorted(_all(groups), key=_canonical)
    nodes = node_names(node for group in groups for node in group.nodes)
    formers = [*(_formers(current) if current else ()), *lost]
    kept = _kept(ordered, {former.name: former for former in formers}, nodes) if formers else {}
    names = _names(ordered, kept, taken)
    return Tree.of(_hypernode(group, names, nodes) for group in ordered)


def _formers(current: Tree) -> Iterator[Former]:
    below = current.nodes_below()
    for one in current.hypernodes.values():
        yield Former(one.name, one.tier_name, one.switches, below[one.name])


def _all(groups: Iterable[Group]) -> Iterator[Group]:
    for group in groups:
        yield group
        yield from _all(group.children)


def _canonical(group: Group) -> tuple[int, str, tuple[str, ...], tuple[str, ...]]:
    return group.tier, group.tier_name, group.switches, group.nodes


def _digest(parts: Iterable[str]) -> str:
    import hashlib  # few names need a digest, and it loads OpenSSL

    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _free_name(name: str, parts: Iterable[str], taken: Collection[str]) -> str:
    """The name itself where it is free, else with a digest of what it stands for."""
    if name not in taken:
        return name
    digest = _digest(parts)
    longer, number = f"{name[:LONGEST_STEM].rstrip('-.')}-{digest}", 1
    candidate = longer
    while candidate in taken:
        number += 1
        candidate = f"{longer}-{number}"
    return candidate


def _names(ordered: Sequence[Group], kept: Mapping[int, str], taken: Collection[str]) -> dict[int, str]:
    """The name of each group, by the identity of its value."""
    used = {*taken, *kept.values()}
    names = dict(kept)
    for group in ordered:
        if id(group) not in names:
            name = _free_name(_stateless(group), chain(group.switches, group.nodes), used)
            names[id(group)] = name
            used.add(name)
    return names


def _stateless(group: Group) -> str:
    """The name without a memory: the tier and the smallest switch (or the nodes, where there is no switch)."""
    tier_name = node_name(group.tier_name).replace(".", "-")[:LONGEST_TIER_NAME].strip("-")
    member = node_name(group.switches[0]) if group.switches else _digest(group.nodes)
    return f"{tier_name}-{member}"[:LONGEST_STEM].strip("-.")


class _Claim(NamedTuple):
    """A group may keep an old name. Sorted: the larger share first, switches before nodes, then by name."""

    share: float
    switch_share: float
    node_share: float
    name: str
    row: int


def _kept(ordered: Sequence[Group], formers: Mapping[str, Former], nodes: Mapping[str, str]) -> dict[int, str]:
    """Old names by group, one to one: those that share most of the old one's switches or most of its nodes."""
    names: dict[int, str] = {}
    used: set[str] = set()
    for claim in sorted(_claims(ordered, formers, nodes)):
        key = id(ordered[claim.row])
        if key not in names and claim.name not in used:
            names[key] = claim.name
            used.add(claim.name)
    return names


def _claims(ordered: Sequence[Group], formers: Mapping[str, Former], nodes: Mapping[str, str]) -> Iterator[_Claim]:
    by_switch: dict[str, _Owners] = {}
    by_node: dict[str, _Owners] = {}
    for former in formers.values():
        _own(by_switch.setdefault(former.tier_name, []), former.switches, former.name)
        _own(by_node.setdefault(former.tier_name, []), former.nodes, former.name)
    for row, group in enumerate(ordered):
        switches = _shared(group.switches, by_switch.get(group.tier_name, ()))
        shared = _shared([nodes[node] for node in group.nodes], by_node.get(group.tier_name, ()))
        for name in switches.keys() | shared.keys():
            former = formers[name]
            switch_share = switches.get(name, 0) / max(1, len(former.switches))
            node_share = shared.get(name, 0) / max(1, len(former.nodes))
            if max(switch_share, node_share) > 0.5:
                yield _Claim(-max(switch_share, node_share), -switch_share, -node_share, name, row)


_Owners = list[dict[str, str]]
"""The former HyperNode by member, in as many layers as have claimed the same member: mostly one."""


def _own(layers: _Owners, members: Collection[str], name: str) -> None:
    for layer in layers:
        if layer.keys().isdisjoint(members):
            layer.update(dict.fromkeys(members, name))
            return
    layers.append(dict.fromkeys(members, name))


def _shared(members: Sequence[str], layers: Iterable[Mapping[str, str]]) -> dict[str, int]:
    """How many of these members each former HyperNode had."""
    counts: Counter[str | None] = Counter()
    for layer in layers:
        counts.update(map(layer.get, members))
    return {name: count for name, count in counts.items() if name is not None}


def _hypernode(group: Group, names: Mapping[int, str], nodes: Mapping[str, str]) -> HyperNode:
    children = tuple(sorted(names[id(child)] for child in group.children))
    members = () if children else tuple(sorted(map(nodes.__getitem__, group.nodes)))
    renamed = () if children or members == group.nodes else group.nodes
    return HyperNode(
        names[id(group)],
        group.tier,
        group.tier_name,
        nodes=members,
        children=children,
        switches=group.switches,
        annotations=_annotations(group, {nodes[text]: text for text in renamed if nodes[text] != text}),
    )


def _annotations(group: Group, originals: Mapping[str, str]) -> dict[str, str]:
    notes: dict[str, str] = {}
    if group.switches:
        notes[SWITCHES] = _bounded_list(group.switches)
    if group.capacity is not None:
        notes.update(_capacity(group.capacity))
    if originals:
        notes[ORIGINAL_NAMES] = _bounded_json(originals)
    return notes


def _capacity(capacity: Capacity) -> dict[str, str]:
    notes = {
        ANNOTATIONS + "host-gbps": _number(capacity.hosts_gbps),
        ANNOTATIONS + "uplink-gbps": _number(capacity.uplink_gbps),
    }
    if capacity.oversubscription is not None:
        notes[ANNOTATIONS + "oversubscription"] = f"{capacity.oversubscription:.2f}"
    return notes


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _bounded_list(members: Sequence[str]) -> str:
    """Members by comma; beyond the bound a digest stands for the rest, so that a change is still seen."""
    text = ",".join(members)
    if len(text) <= LONGEST_ANNOTATION:
        return text
    digest = f",sha256:{_digest(members)}"
    cut = text.rfind(",", 0, LONGEST_ANNOTATION - len(digest))
    return text[:cut] + digest


def _bounded_json(originals: Mapping[str, str]) -> str:
    """A JSON object of legal name to original (ASCII, so control characters stay escaped), whole entries only."""
    kept: dict[str, str] = {}
    room = LONGEST_ANNOTATION - 2
    for name, original in sorted(originals.items()):
        room -= len(json.dumps({name: original}))
        if room < 0:
            break
        kept[name] = original
    return json.dumps(kept, sort_keys=True)
