"""Publishing: from groups to what stands in the store, with the plan and the guard in between.

Knows the order of the work. Does not know files: the store is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from discovery.findings import Finding, found
from hypernode import conditions, guard
from hypernode.manifest import Foreign, Object, generation_of
from hypernode.naming import Former, is_name, name_tree, node_names
from hypernode.plan import Step, plan, plan_from, pruned, salvaged
from hypernode.store import Contents, DirectoryStore
from hypernode.tree import Group, Tree

GUARD_STATE = "guard"
EVIDENCE = "evidence"
UNFINISHED = "unfinished"
"""What a plan that takes HyperNodes out for a while will put back: broken off, the names are still known."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What would be done, and what the guard holds back."""

    contents: Contents
    current: Tree
    desired: Tree
    target: Tree
    """The tree that the steps lead to; the desired one unless something is held back."""
    steps: tuple[Step, ...]
    held: tuple[Step, ...]
    """The steps from the target to the desired tree, which the guard holds back."""
    refused: guard.Refused | None
    seen: Mapping[str, int]
    held_nodes: frozenset[str]
    foreign: tuple[Foreign, ...]
    findings: tuple[Finding, ...]
    """About objects in the store that are not ours or cannot be read."""

    def as_dict(self, applied: int = 0) -> dict[str, Any]:
        """As ``plan -o json`` prints it."""
        refused = self.refused.as_dict() if self.refused else None
        return {"steps": [step.as_dict() for step in self.steps], "refused": refused, "applied": applied}


@dataclass(frozen=True, slots=True)
class Published:
    """What was done."""

    proposal: Proposal
    applied: int
    """Steps carried out."""
    statuses: int
    """Statuses written."""

    def as_dict(self) -> dict[str, Any]:
        """As ``apply -o json`` prints it."""
        return self.proposal.as_dict(self.applied)


def propose(
    store: DirectoryStore,
    groups: Sequence[Group],
    *,
    nodes: Iterable[str] | None = None,
    failed: str | None = None,
    limits: guard.Limits | None = None,
    allow_shrink: bool = False,
    counting: bool = False,
) -> Proposal:
    """Compare what stands in the store with what the groups say. Writes nothing.

    ``nodes``: the cluster's node list, or None where every host counts; ``failed``: why the observation is not whole;
    ``counting``: this is a round of its own for the guard (apply), not only a look (plan).
    """
    contents = store.read()
    current = salvaged(contents.hypernodes)
    claimed = {child for other in contents.foreign for child in other.children}
    taken = {other.name for other in contents.foreign}
    named = name_tree(groups, current, taken=taken, lost=_lost(store))
    desired = pruned(named, children=claimed)
    verdict = guard.check(
        current,
        desired,
        failed=failed,
        departed=_departed(current, nodes),
        seen=_counts(store.load(GUARD_STATE).get("seen")),
        counting=counting,
        allow_shrink=allow_shrink,
        limits=limits,
    )
    held = plan(verdict.target, desired) if verdict.refused else ()
    return Proposal(
        contents=contents,
        current=current,
        desired=desired,
        target=verdict.target,
        steps=plan_from(contents.hypernodes, verdict.target),
        held=held,
        # Half of a sweep may still show all that is published: a refusal that holds nothing back refuses nothing.
        refused=verdict.refused if held else None,
        seen=verdict.seen,
        held_nodes=verdict.held_nodes,
        foreign=contents.foreign,
        findings=tuple(_about(other, named) for other in contents.foreign),
    )


def publish(
    store: DirectoryStore,
    proposal: Proposal,
    *,
    now: datetime,
    evidence: Mapping[str, Any] | None = None,
    findings: Iterable[Finding] = (),
    switch_ids: Mapping[str, str] | None = None,
) -> Published:
    """Carry out the steps one by one, then say how things are, then keep the evidence. Call it inside ``locked()``.

    ``switch_ids``: the id of each switch by the name that findings use.
    An observation that shows nothing leaves the evidence of the last good one in its place.
    StoreError ends it between two steps; the next one goes on from there.
    """
    _remember(store, proposal.steps, proposal.target)
    objects = dict(proposal.contents.objects)
    for step in proposal.steps:
        if step.hypernode is None:
            store.delete(step.name)
            objects.pop(step.name, None)
        else:
            objects[step.name] = store.write(step.hypernode)
    if store.load(UNFINISHED):
        store.save(UNFINISHED, {})
    since = _since(store, proposal, now)
    store.save(GUARD_STATE, {"seen": dict(proposal.seen), "since": since})
    told = conditions.concerned(proposal.target, findings, switch_ids)
    statuses = _write_statuses(store, proposal, objects, told, since, _rfc3339(now))
    if evidence is not None and not (proposal.refused and not proposal.desired.hypernodes):
        store.save(EVIDENCE, evidence)
    return Published(proposal, len(proposal.steps), statuses)


def _rfc3339(now: datetime) -> str:
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def _lost(store: DirectoryStore) -> tuple[Former, ...]:
    """What a plan that was broken off had taken out for a while."""
    listed = store.load(UNFINISHED).get("taken_out")
    formers = []
    for row in listed if isinstance(listed, list) else []:
        match row:
            case {"name": str(name), "tierName": str(tier_name), "switches": list(switches), "nodes": list(nodes)}:
                if is_name(name) and all(isinstance(text, str) for text in (*switches, *nodes)):
                    formers.append(Former(name, tier_name, tuple(switches), frozenset(nodes)))
    return tuple(formers)


def _remember(store: DirectoryStore, steps: Iterable[Step], target: Tree) -> None:
    """Keep what stands behind the names that the steps take out and put back."""
    below = target.nodes_below()
    rows = [
        {"name": one.name, "tierName": one.tier_name, "switches": one.switches, "nodes": sorted(below[one.name])}
        for step in steps
        if step.op == "delete" and (one := target.hypernodes.get(step.name)) is not None
    ]
    if rows:
        store.save(UNFINISHED, {"taken_out": rows})


def _departed(current: Tree, nodes: Iterable[str] | None) -> set[str]:
    if nodes is None:
        return set()
    listed = set(node_names(nodes).values())
    return {node for one in current.hypernodes.values() for node in one.nodes if node not in listed}


def _counts(kept: object) -> dict[str, int]:
    if not isinstance(kept, dict):
        return {}
    return {key: count for key, count in kept.items() if isinstance(count, int) and not isinstance(count, bool)}


def _about(other: Foreign, desired: Tree) -> Finding:
    if other.broken:
        return found("broken-hypernode", other.name, name=other.name, reason=other.reason)
    placed = {node for one in desired.hypernodes.values() for node in one.nodes}
    shared = [node for node in other.nodes if node in placed]
    return found("foreign-hypernode", other.name, nodes=shared, name=other.name, reason=other.reason)


def _since(store: DirectoryStore, proposal: Proposal, now: datetime) -> str:
    """Since when nodes keep a place without being seen; empty where none does."""
    if not proposal.held_nodes:
        return ""
    since = store.load(GUARD_STATE).get("since")
    return since if isinstance(since, str) and since else _rfc3339(now)


def _write_statuses(
    store: DirectoryStore,
    proposal: Proposal,
    objects: Mapping[str, Object],
    told: Mapping[str, tuple[Finding, ...]],
    since: str,
    now: str,
) -> int:
    below = proposal.target.nodes_below()
    rivals = _rivals(proposal.foreign, proposal.target)
    written = 0
    for name in proposal.target.hypernodes:
        whole = objects[name]
        about = conditions.Circumstances(
            below[name], told.get(name, ()), proposal.held_nodes & below[name], since, rivals.get(name, ())
        )
        previous = whole.get("status")
        status = conditions.status(about, generation=generation_of(whole), previous=previous, now=now)
        if status != previous:
            store.write_status(whole, status)
            written += 1
    return written


def _rivals(foreign: Iterable[Foreign], target: Tree) -> dict[str, tuple[str, ...]]:
    """The foreign HyperNodes that claim a HyperNode of ours or nodes right below it."""
    claims: dict[str, set[str]] = {}
    for other in foreign:
        for child in other.children:
            claims.setdefault(child, set()).add(other.name)
        for node in other.nodes:
            claims.setdefault("node " + node, set()).add(other.name)
    if not claims:
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for one in target.hypernodes.values():
        names = claims.get(one.name, set()).union(*(claims.get("node " + node, ()) for node in one.nodes))
        if names:
            found[one.name] = tuple(sorted(names))
    return found
