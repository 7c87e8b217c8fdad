"""HyperNode objects exactly as Volcano's CRD spells them, and back: what is ours, and what is left alone.

Knows topology.volcano.sh/v1alpha1. Does not know where objects are kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypernode import yamltext
from hypernode.naming import ANNOTATIONS, SWITCHES, is_name
from hypernode.tree import Defect, HyperNode
from hypernode.yamltext import YamlError

API_VERSION = "topology.volcano.sh/v1alpha1"
KIND = "HyperNode"
SOURCE_LABEL = "volcano.sh/network-topology-source"
SOURCE = "hypernode-autogen"
"""Volcano's own controller deletes what carries its sources (ufm, label); this one is ours alone."""
LONGEST_TIER_NAME = 253
HIGHEST_TIER = 100
"""No network has so many; a chain of thousands would be deeper than whoever walks it can go."""
MOST_MEMBERS = 1_000_000
_SHOWN = 80

Object = dict[str, Any]
"""A Kubernetes object as JSON values."""


class ManifestError(Exception):
    """A text or object that is no HyperNode: what is wrong and where."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """An object that is not ours or cannot be read; it is never touched. Its name is taken all the same."""

    name: str
    reason: str
    broken: bool = False
    """It claims to be ours or is no HyperNode at all: somebody should look at it."""
    nodes: tuple[str, ...] = ()
    """The nodes it names (exactMatch only)."""
    children: tuple[str, ...] = ()
    """The HyperNodes it names as members: they have their parent already."""


def to_object(hypernode: HyperNode, *, status: Mapping[str, Any] | None = None) -> Object:
    """The object for the cluster; ``status`` is left out where it is None."""
    metadata: Object = {"name": hypernode.name, "labels": {SOURCE_LABEL: SOURCE}}
    if hypernode.annotations:
        metadata["annotations"] = dict(sorted(hypernode.annotations.items()))
    kind, names = ("Node", hypernode.nodes) if hypernode.nodes else (KIND, hypernode.children)
    spec: Object = {"tier": hypernode.tier}
    if hypernode.tier_name:
        spec["tierName"] = hypernode.tier_name
    spec["members"] = [{"type": kind, "selector": {"exactMatch": {"name": name}}} for name in names]
    whole: Object = {"apiVersion": API_VERSION, "kind": KIND, "metadata": metadata, "spec": spec}
    if status is not None:
        whole["status"] = dict(status)
    return whole


def merged(existing: Object, hypernode: HyperNode) -> Object:
    """The object with our spec and annotations; labels, annotations and status that others wrote stay."""
    ours = to_object(hypernode)
    old = existing["metadata"]
    metadata: Object = {**old, **ours["metadata"], "labels": {**old.get("labels", {}), SOURCE_LABEL: SOURCE}}
    others = {key: text for key, text in (old.get("annotations") or {}).items() if not key.startswith(ANNOTATIONS)}
    metadata["annotations"] = dict(sorted({**others, **hypernode.annotations}.items()))
    if not metadata["annotations"]:
        del metadata["annotations"]
    return {**existing, **ours, "metadata": metadata}


def generation_of(whole: Object) -> int:
    """metadata.generation, which rises when the spec changes; 0 where there is none."""
    generation = whole.get("metadata", {}).get("generation")
    return generation if isinstance(generation, int) and not isinstance(generation, bool) else 0


def from_object(thing: object, name: str = "?") -> HyperNode | Foreign:
    """Read an object that anybody may have written; ``name`` is used where it names itself nothing legal."""
    try:
        whole = _mapping(thing, "the object")
        metadata = _mapping(whole.get("metadata"), "metadata")
        name = _name(metadata.get("name"), "metadata.name")
        for field, value in (("kind", KIND), ("apiVersion", API_VERSION)):
            if whole.get(field) != value:
                raise _wrong(field, whole.get(field), value)
        spec = _mapping(whole.get("spec"), "spec")
        if _mapping(metadata.get("labels") or {}, "metadata.labels").get(SOURCE_LABEL) != SOURCE:
            return _foreign(name, spec)
        return _ours(name, spec, _texts(metadata.get("annotations") or {}, "metadata.annotations"))
    except (ManifestError, Defect) as error:
        return Foreign(name, str(error), broken=True)


def _ours(name: str, spec: Object, annotations: Mapping[str, str]) -> HyperNode | Foreign:
    members = _members(spec)
    if any(selected is None for _, selected in members):
        return Foreign(name, "members are selected by pattern or label, which we never write", broken=True)
    nodes, children = _names_of(members, "Node"), _names_of(members, KIND)
    if nodes and children:
        return Foreign(name, "nodes and HyperNodes are mixed in spec.members", True, nodes, children)
    notes = {key: text for key, text in annotations.items() if key.startswith(ANNOTATIONS)}
    switches = tuple(guid for guid in notes.get(SWITCHES, "").split(",") if guid and not guid.startswith("sha256:"))
    tier_name = _text(spec.get("tierName", ""), "spec.tierName")
    if len(tier_name) > LONGEST_TIER_NAME:
        raise _wrong("spec.tierName", tier_name, f"at most {LONGEST_TIER_NAME} characters")
    return HyperNode(name, _tier(spec), tier_name, nodes, children, switches, notes)


def _foreign(name: str, spec: Object) -> Foreign:
    """Somebody else's: only what it claims is read, and nothing about it has to be right."""
    try:
        members = _members(spec)
    except ManifestError as error:
        return Foreign(name, f"it lacks our label, and {error}")
    reason = f"it does not carry the label {SOURCE_LABEL}={SOURCE}"
    return Foreign(name, reason, False, _names_of(members, "Node"), _names_of(members, KIND))


def _members(spec: Object) -> list[tuple[str, str | None]]:
    """(type, name) of each member; the name is None where a pattern or label selects."""
    members = spec.get("members")
    if not isinstance(members, list) or not 0 < len(members) <= MOST_MEMBERS:
        raise _wrong("spec.members", members, "a list with at least one member")
    found: list[tuple[str, str | None]] = []
    for number, member in enumerate(members):
        place = f"spec.members[{number}]"
        kind = _mapping(member, place).get("type")
        if kind not in ("Node", KIND):
            raise _wrong(f"{place}.type", kind, f"Node or {KIND}")
        selector = _mapping(member.get("selector"), f"{place}.selector")
        exact = selector.get("exactMatch")
        if exact is None and (selector.get("regexMatch") or selector.get("labelMatch")):
            found.append((kind, None))
            continue
        found.append((kind, _name(_mapping(exact, f"{place}.selector.exactMatch").get("name"), f"{place} name")))
    return found


def _names_of(members: Sequence[tuple[str, str | None]], kind: str) -> tuple[str, ...]:
    return tuple(sorted({name for one, name in members if one == kind and name is not None}))


def _wrong(field: str, value: object, allowed: str) -> ManifestError:
    return ManifestError(f"{field} is {_shown(value)}, must be {allowed}")


def _shown(value: object) -> str:
    """A value in a message: short, and no containers, whose text may have no end."""
    if value is None:
        return "missing"
    if isinstance(value, str):
        return ascii(value[:_SHOWN]) + ("…" if len(value) > _SHOWN else "")
    if isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 1 << 64):
        return str(value)
    return f"a value of type {type(value).__name__}"


def _mapping(value: object, field: str) -> Object:
    if not isinstance(value, dict):
        raise _wrong(field, value, "a mapping")
    return value


def _texts(value: object, field: str) -> dict[str, str]:
    for key, text in _mapping(value, field).items():
        _text(text, f"{field}[{_shown(_text(key, f'a key of {field}'))}]")
    return _mapping(value, field)


def _text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise _wrong(field, value, "text")
    return value


def _name(value: object, field: str) -> str:
    if not isinstance(value, str) or not is_name(value):
        raise _wrong(field, value, "a legal Kubernetes name")
    return value


def _tier(spec: Object) -> int:
    tier = spec.get("tier")
    if not isinstance(tier, int) or isinstance(tier, bool) or not 0 <= tier <= HIGHEST_TIER:
        raise _wrong("spec.tier", tier, f"a whole number from 0 to {HIGHEST_TIER}")
    return tier


def to_json(objects: Sequence[Object]) -> str:
    """A Kubernetes List, as ``kubectl get -o json`` prints it."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}, indent=2)


def to_yaml(objects: Sequence[Object]) -> str:
    """One YAML document an object, ready for ``kubectl apply -f -``."""
    import yaml  # only where YAML is asked for: the import costs as much as a small fabric

    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return str(yaml.dump_all(objects, Dumper=dumper, sort_keys=False, explicit_start=len(objects) > 1, width=_WIDE))


_WIDE = 1 << 16
"""No line is folded: switch lists stay searchable."""


def from_yaml(text: str) -> object:
    """The one document in a text that anybody may have written; ManifestError where there is no such."""
    try:
        return yamltext.load(text)
    except YamlError as error:
        raise ManifestError(str(error)) from error
