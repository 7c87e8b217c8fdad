"""The guard between plan and shell: a fabric that suddenly looks smaller is believed only when it stays so.

Knows two trees and what was seen before. Does not know why nodes are missing, and writes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hypernode.plan import pruned, salvaged
from hypernode.ranges import compact
from hypernode.tree import HyperNode, Tree

_MOST_SENTENCES = 5
_RETRY_HINT = "Read the network again when it is whole."
_SHRINK_HINT = (
    "It is published when it was seen {repeats} times running, or at once with --allow-shrink; "
    "look at the switches and the subnet manager first."
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a fabric may go at once."""

    share: float = 0.10
    """Of the fabric's placed nodes; a rack of a small cluster is more, a few broken hosts of a large one are less."""
    nodes: int = 2
    """Fewer nodes than this may always go: one host that is being repaired is no alarm."""
    repeats: int = 3
    """Seen so often running, a shrink is true: a restarted subnet manager needs one or two rounds."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What the guard says when it holds something back."""

    reason: str
    hint: str

    def as_dict(self) -> dict[str, str]:
        """As ``plan -o json`` prints it."""
        return {"reason": self.reason, "hint": self.hint}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The tree to converge to now, and what was held back of the desired one."""

    target: Tree
    refused: Refused | None = None
    """None: the target is the desired tree."""
    seen: Mapping[str, int] = field(default_factory=dict)
    """How often each shrink was seen running; hand it in again next time."""
    held_nodes: frozenset[str] = frozenset()
    """Nodes that keep their last known place although the fabric does not show them."""


@dataclass(frozen=True, slots=True)
class _Part:
    """HyperNodes of both trees that have to do with each other: one fabric before and after."""

    before: tuple[HyperNode, ...]
    after: tuple[HyperNode, ...]


def check(
    current: Tree,
    desired: Tree,
    *,
    failed: str | None = None,
    departed: Collection[str] = (),
    seen: Mapping[str, int] | None = None,
    counting: bool = False,
    allow_shrink: bool = False,
    limits: Limits | None = None,
) -> Verdict:
    """Decide what of ``desired`` may come true.

    ``failed``: why the observation is not whole, or None. ``departed``: nodes that left the cluster's node list; they
    go at once. ``seen``: the counts of last time; they rise only when ``counting`` (an apply, a controller's round).
    """
    limits, seen = limits or Limits(), seen or {}
    staying = pruned(current, nodes=set(departed))
    if failed is None and current.hypernodes and not desired.hypernodes:
        failed = "the observation places no node"
    if failed is not None:
        staying = staying if staying.hypernodes else current
        missing = _placed(staying) - _placed(desired)
        target = _merged(_parts(staying, desired), (), measured=False)
        if target == desired:
            return Verdict(desired, seen=seen)  # what is not whole may still show all that is published
        return Verdict(target, Refused(f"{failed}; nothing is removed or moved", _RETRY_HINT), seen, missing)
    gone = _placed(staying) - _placed(desired)
    parts = _parts(staying, desired) if gone else []
    shrunken = [part for part in parts if not allow_shrink and _is_shrink(part, gone, limits)]
    counts = {_digest(part): seen.get(_digest(part), 0) + counting for part in shrunken}
    held = [part for part in shrunken if counts[_digest(part)] < limits.repeats]
    if not held:
        return Verdict(desired, seen=counts)
    target = _merged(held, [part for part in parts if part not in held], measured=True)
    refused = _refusal([(part, counts[_digest(part)]) for part in held], gone, limits)
    return Verdict(target, refused, counts, gone & _placed_by(one for part in held for one in part.before))


def _placed(tree: Tree) -> frozenset[str]:
    return _placed_by(tree.hypernodes.values())


def _placed_by(hypernodes: Iterable[HyperNode]) -> frozenset[str]:
    return frozenset(node for one in hypernodes for node in one.nodes)


def _parts(current: Tree, desired: Tree) -> list[_Part]:
    """Fabrics: HyperNodes of both trees hang together by name, by child and by node."""
    leader: dict[tuple[str, str], tuple[str, str]] = {}

    def lead(key: tuple[str, str]) -> tuple[str, str]:
        while (above := leader.setdefault(key, key)) != key:
            leader[key] = key = leader[above]
        return key

    for tree in (current, desired):
        for one in tree.hypernodes.values():
            top = lead(("hypernode", one.name))
            for key in [*(("node", node) for node in one.nodes), *(("hypernode", child) for child in one.children)]:
                leader[lead(key)] = top
    before: dict[tuple[str, str], list[HyperNode]] = {}
    after: dict[tuple[str, str], list[HyperNode]] = {}
    for tree, fabrics in ((current, before), (desired, after)):
        for one in tree.hypernodes.values():
            fabrics.setdefault(lead(("hypernode", one.name)), []).append(one)
    keys = sorted(before.keys() | after.keys())
    return [_Part(tuple(before.get(key, ())), tuple(after.get(key, ()))) for key in keys]


def _is_shrink(part: _Part, gone: frozenset[str], limits: Limits) -> bool:
    placed = _placed_by(part.before)
    missing = len(placed & gone)
    if missing >= limits.nodes and missing > limits.share * len(placed):
        return True
    groups = Tree.of(part.before).nodes_below().values()
    return missing > 0 and any(len(group) > 1 and group <= gone for group in groups)


def _digest(part: _Part) -> str:
    """What this fabric looks like now; where nothing is left of it, what it was."""
    nodes = _placed_by(part.after) or _placed_by(part.before)
    return hashlib.sha256("\n".join(sorted(nodes)).encode()).hexdigest()[:16]


def _merged(held: Iterable[_Part], free: Iterable[_Part], *, measured: bool) -> Tree:
    """Held fabrics as they were with what is new in them; free ones as they shall be.

    ``measured``: the observation is whole, so what it measured of a HyperNode that it shows whole is true.
    """
    hypernodes = [one for part in free for one in part.after]
    for part in held:
        hypernodes += _with_new_nodes(part, measured)
    return salvaged(hypernodes)


def _with_new_nodes(part: _Part, measured: bool) -> list[HyperNode]:
    """What was there, and nodes that were not placed before at the place they shall have.

    A HyperNode whose nodes are all seen takes what is ``measured`` now; where some are held, their part is not in it.
    """
    kept = {one.name: one for one in part.before}
    below_before, below_after = Tree.of(part.before).nodes_below(), Tree.of(part.after).nodes_below()
    known = _placed_by(part.before)
    created: set[str] = set()
    for one in part.after:
        nodes = tuple(node for node in one.nodes if node not in known)
        children = tuple(child for child in one.children if child in created)
        old = kept.get(one.name)
        if old is None and (nodes or children):
            kept[one.name] = replace(one, nodes=nodes, children=children)
            created.add(one.name)
        elif old is not None and old.tier == one.tier and bool(old.nodes) == bool(one.nodes):
            whole = below_before[one.name] <= below_after[one.name] and set(old.children) <= set(one.children)
            kept[one.name] = replace(
                one if whole and measured else old,
                nodes=tuple(sorted({*old.nodes, *nodes})),
                children=tuple(sorted({*old.children, *children})),
            )
    return list(kept.values())


def _refusal(held: Sequence[tuple[_Part, int]], gone: frozenset[str], limits: Limits) -> Refused:
    sentences = []
    for part, count in held[:_MOST_SENTENCES]:
        placed = _placed_by(part.before)
        missing = placed & gone
        top = max(part.before, key=lambda one: (one.tier, one.name)).name
        sentences.append(
            f"{len(missing)} of {len(placed)} nodes below {top} are not there any more ({compact(missing)}), "
            f"seen {count} of {limits.repeats}"
        )
    if len(held) > _MOST_SENTENCES:
        sentences.append(f"{len(held) - _MOST_SENTENCES} more fabrics shrank as well")
    return Refused("; ".join(sentences), _SHRINK_HINT.format(repeats=limits.repeats))
