"""The catalogue of conditions: everything that a HyperNode's status may say, and when it says it.

Knows HyperNodes, findings and what was said before. Does not know the time: it is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discovery.findings import Finding
from hypernode.naming import node_name
from hypernode.ranges import compact
from hypernode.tree import Tree

LONGEST_MESSAGE = 1024
"""metav1.Condition allows 32 KiB; a person reads the first lines."""
_LISTED = 5

DEGRADING = (
    "missing-switch",
    "dead-uplink",
    "dead-hca-link",
    "link-down",
    "slow-link",
    "one-sided-link",
    "miscabled-uplink",
    "miscabled-hca",
    "rail-swap",
    "stale-guid",
)
"""Findings that take bandwidth from a group, the worst first."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One row of the catalogue: a condition's type and status, its reason and its sentence."""

    type: str
    status: str
    name: str
    sentence: str


PUBLISHED = Reason("Ready", "True", "Published", "{nodes} nodes have their place here.")
NOT_SEEN = Reason("Ready", "False", "NotSeen", "None of its {nodes} nodes is seen any more.")
WHOLE = Reason("Degraded", "False", "NothingMissing", "No cable or switch is missing.")
DEGRADED = Reason("Degraded", "True", "", "{detail}")
SEEN = Reason("Stale", "False", "Seen", "The last observation shows all of its nodes.")
STALE = Reason(
    "Stale", "True", "LastKnownGood", "{gone} of {nodes} nodes are not seen since {since}, their place is kept: {names}"
)
UNCONTESTED = Reason("Conflict", "False", "NoConflict", "Nobody else claims its members.")
CONTESTED = Reason("Conflict", "True", "ForeignHyperNode", "Its members are claimed by others too: {names}.")

OUR_TYPES = frozenset({"Ready", "Degraded", "Stale", "Conflict"})


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is to be said about one HyperNode."""

    nodes: frozenset[str]
    """All cluster nodes below it."""
    findings: tuple[Finding, ...] = ()
    unseen: frozenset[str] = frozenset()
    """Nodes below that keep their place although the last observation did not show them ..."""
    since: str = ""
    """... since this time."""
    rivals: tuple[str, ...] = ()
    """Foreign HyperNodes that claim members of this one."""


def status(circumstances: Circumstances, *, generation: int, previous: object, now: str) -> dict[str, Any]:
    """The status to write; equal to the previous one (whatever that is) where nothing changed. ``now`` is RFC 3339."""
    previous = previous if isinstance(previous, dict) else {}
    listed = previous.get("conditions")
    rows = listed if isinstance(listed, list) else []
    old = [one for one in rows if isinstance(one, dict) and isinstance(one.get("type"), str)]
    by_type = {one["type"]: one for one in old}
    others = [one for one in old if one["type"] not in OUR_TYPES]
    ours = [_condition(reason, message, by_type, generation, now) for reason, message in _said(circumstances)]
    return {**previous, "nodeCount": len(circumstances.nodes), "conditions": [*ours, *others]}


def _condition(
    reason: Reason, message: str, by_type: Mapping[Any, Mapping[str, Any]], generation: int, now: str
) -> dict[str, Any]:
    old = by_type.get(reason.type, {})
    since = old.get("lastTransitionTime")
    kept = old.get("status") == reason.status and isinstance(since, str)
    return {
        "type": reason.type,
        "status": reason.status,
        "observedGeneration": generation,
        "lastTransitionTime": since if kept else now,
        "reason": reason.name,
        "message": message if len(message) <= LONGEST_MESSAGE else message[: LONGEST_MESSAGE - 1] + "…",
    }


def _said(about: Circumstances) -> list[tuple[Reason, str]]:
    count = len(about.nodes)
    ready = NOT_SEEN if about.nodes and about.nodes <= about.unseen else PUBLISHED
    said = [(ready, ready.sentence.format(nodes=count)), _degraded(about)]
    gone = about.nodes & about.unseen
    if gone:
        message = STALE.sentence.format(gone=len(gone), nodes=count, since=about.since, names=compact(gone))
        said.append((STALE, message))
    else:
        said.append((SEEN, SEEN.sentence))
    if about.rivals:
        said.append((CONTESTED, CONTESTED.sentence.format(names=_listed(about.rivals))))
    else:
        said.append((UNCONTESTED, UNCONTESTED.sentence))
    return said


def _degraded(about: Circumstances) -> tuple[Reason, str]:
    by_kind: dict[str, list[Finding]] = {}
    for finding in sorted(about.findings):
        by_kind.setdefault(finding.kind, []).append(finding)
    kinds = [kind for kind in DEGRADING if kind in by_kind]
    if not kinds:
        return WHOLE, WHOLE.sentence
    detail = " ".join(_summary(by_kind[kind], len(about.nodes)) for kind in kinds)
    name = "".join(word.capitalize() for word in kinds[0].split("-"))
    return Reason(DEGRADED.type, DEGRADED.status, name, DEGRADED.sentence), DEGRADED.sentence.format(detail=detail)


def _summary(findings: Sequence[Finding], nodes: int) -> str:
    """What one kind of finding takes away, in a sentence: cables to hosts by rail, others by the first of them."""
    if findings[0].kind == "dead-hca-link":
        by_rail: dict[str, int] = {}
        for finding in findings:
            rail = finding.objects[2] if len(finding.objects) > 2 else finding.objects[-1]
            by_rail[rail] = by_rail.get(rail, 0) + max(1, round(finding.lost))
        return " ".join(f"{rail}: {down} of {max(nodes, down)} cables down." for rail, down in sorted(by_rail.items()))
    more = len(findings) - 1
    return findings[0].message + (f" And {more} more like it." if more else "")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def concerned(
    tree: Tree, findings: Iterable[Finding], switch_ids: Mapping[str, str] | None = None
) -> dict[str, tuple[Finding, ...]]:
    """The findings that each HyperNode has to tell: about one of its switches, or about nodes right below.

    ``switch_ids``: the id of each switch by the name that findings use.
    """
    owners = {switch: one.name for one in tree.hypernodes.values() for switch in one.switches}
    owners.update({name: owners[switch] for name, switch in (switch_ids or {}).items() if switch in owners})
    homes = {node: _home(tree, path) for node, path in tree.paths().items()}
    told: dict[str, list[Finding]] = {}
    for finding in findings:
        names = {homes[name] for name in map(node_name, finding.nodes) if name in homes}
        if finding.objects and finding.objects[0] in owners:
            names.add(owners[finding.objects[0]])
        for name in names:
            told.setdefault(name, []).append(finding)
    return {name: tuple(rows) for name, rows in told.items()}


def _home(tree: Tree, path: Sequence[str]) -> str:
    """The closest HyperNode that stands for switches; an NVLink domain has no cable that could be down."""
    return next((name for name in path if tree.hypernodes[name].switches), path[0])
