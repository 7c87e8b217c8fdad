"""The plan: which steps lead from the HyperNodes that are there to those that should be, legal after every step.

Knows two trees. Does not know where they are kept, nor whether the steps are wise (that is the guard's part).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hypernode.ranges import compact
from hypernode.tree import Defect, HyperNode, Tree

Op = Literal["create", "update", "delete"]
_LISTED = 5
"""So many names stand in a reason; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Step:
    """One write: what to do with which HyperNode and why; ``hypernode`` is what to write, None for a delete."""

    op: Op
    name: str
    tier: int
    reason: str
    hypernode: HyperNode | None = None

    def as_dict(self) -> dict[str, object]:
        """The step as ``plan -o json`` prints it."""
        return {"op": self.op, "name": self.name, "tier": self.tier, "reason": self.reason}


def plan(current: Tree, desired: Tree) -> tuple[Step, ...]:
    """Steps from one tree to the other. Every tree in between is legal; the plan of what is reached already is empty.

    Each HyperNode gets one step where an order exists in which that is legal at every moment. Where members change
    places in a circle, one holder lets go first; one that would be empty then is taken out and put back.
    """
    walk = _Walk(current, desired)
    walk.go()
    return tuple(walk.steps)


def applied(current: Tree, step: Step) -> Tree:
    """The tree after a step; Defect where the step is not legal."""
    hypernodes = dict(current.hypernodes)
    if (step.name in hypernodes) == (step.op == "create"):
        raise Defect(f"cannot {step.op} {step.name}")
    hypernodes.pop(step.name, None)
    if step.hypernode is not None:
        hypernodes[step.name] = step.hypernode
    return Tree.of(hypernodes.values())


def same(one: HyperNode | None, other: HyperNode | None) -> bool:
    """Whether two HyperNodes are one object in the cluster (all their switches may not fit into an annotation)."""
    if one is None or other is None:
        return one is other
    return replace(one, switches=()) == replace(other, switches=())


def salvaged(hypernodes: Iterable[HyperNode]) -> Tree:
    """The largest part of what is there that is legal: hands may have removed a child or named a member twice."""
    kept: dict[str, HyperNode] = {}
    parented: set[str] = set()
    seats: set[tuple[int, str]] = set()
    below: dict[str, frozenset[str]] = {}
    for one in sorted(hypernodes, key=lambda node: (node.tier, node.name)):
        nodes = tuple(node for node in one.nodes if (one.tier, node) not in seats)
        held = set(nodes)
        children: list[str] = []
        for child in one.children:
            low = kept.get(child)
            if low is None or low.tier >= one.tier or child in parented:
                continue
            if any((one.tier, node) in seats for node in below[child] - held):
                continue
            children.append(child)
            held |= below[child]
        if nodes or children:
            kept[one.name] = replace(one, nodes=nodes, children=tuple(children))
            below[one.name] = frozenset(held)
            parented.update(children)
            seats.update((one.tier, node) for node in held)
    return Tree.of(kept.values())


def pruned(tree: Tree, *, nodes: Collection[str] = (), children: Collection[str] = ()) -> Tree:
    """The tree without these members; HyperNodes that held nothing else go as well."""
    if not nodes and not children:
        return tree
    kept: dict[str, HyperNode] = {}
    for one in sorted(tree.hypernodes.values(), key=_height):
        fewer = tuple(node for node in one.nodes if node not in nodes)
        rest = tuple(child for child in one.children if child in kept and child not in children)
        if fewer or rest:
            kept[one.name] = replace(one, nodes=fewer, children=rest)
    return Tree.of(kept.values())


def plan_from(actual: Iterable[HyperNode], desired: Tree) -> tuple[Step, ...]:
    """The plan from HyperNodes that may not even be a legal tree: what no step would touch is put right first."""
    there = {one.name: one for one in actual}
    legal = salvaged(there.values())
    steps = plan(legal, desired)
    touched = {step.name for step in steps}
    repairs = [
        _repair(one, legal.hypernodes.get(name))
        for name, one in sorted(there.items())
        if name not in touched and not same(one, legal.hypernodes.get(name))
    ]
    return (*repairs, *_needed(steps, there))


def _needed(steps: Iterable[Step], there: Mapping[str, HyperNode]) -> Iterator[Step]:
    """The steps that change what is there; what could not be salvaged is there all the same, so it is not created."""
    now = dict(there)
    for step in steps:
        old, new = now.pop(step.name, None), step.hypernode
        if new is None:
            yield step
            continue
        now[step.name] = new
        if old is None:
            yield step
        elif not same(old, new):
            yield replace(step, op="update", reason=step.reason if step.op == "update" else _difference(old, new))


def _repair(one: HyperNode, legal: HyperNode | None) -> Step:
    if legal is None:
        return Step("delete", one.name, one.tier, "none of its members is there or free")
    return Step("update", one.name, one.tier, "it was not legal: " + _difference(one, legal), legal)


class _Walk:
    """The state between two steps: what is there, who holds what, and the steps so far."""

    def __init__(self, current: Tree, desired: Tree) -> None:
        self.there = dict(current.hypernodes)
        self.goal = desired.hypernodes
        self.parent = current.parents()
        self.holders: dict[str, set[str]] = {}
        self.steps: list[Step] = []
        for one in self.there.values():
            for node in one.nodes:
                self.holders.setdefault(node, set()).add(one.name)
        names = sorted(self.there.keys() | self.goal.keys())
        self.pending = {name for name in names if not same(self.there.get(name), self.goal.get(name))}

    def go(self) -> None:
        """Take every step that is legal now; when none is, let somebody give way; until nothing is left to do."""
        patience = 4 * len(self.there) + 4 * len(self.goal) + 16
        while self.pending:
            progress, blockers = self._advance()
            if not progress:
                self._give_way(blockers)
                patience -= 1
            if not patience:
                raise Defect("the plan does not end")

    def _advance(self) -> tuple[bool, set[str]]:
        """Try all that is left once: from the nodes upward what is wanted, from the top down what is not."""
        blockers: set[str] = set()
        before = len(self.steps)
        for wanted in sorted((self.goal[name] for name in self.pending if name in self.goal), key=_height):
            conflicts = self._conflicts(wanted)
            if conflicts:
                blockers |= conflicts
                continue
            self._put(wanted, self._why(wanted))
        unwanted = [self.there[name] for name in self.pending if name not in self.goal]
        for one in sorted(unwanted, key=_height, reverse=True):
            if one.name in self.parent:
                blockers.add(self.parent[one.name])
                continue
            self._drop(one.name, "no group stands for it any more")
        return len(self.steps) > before, blockers

    def _conflicts(self, wanted: HyperNode) -> set[str]:
        """The HyperNodes that stand in the way of writing this one now; empty if it is legal."""
        in_the_way: set[str] = set()
        above = self.parent.get(wanted.name)
        if above is not None and self.there[above].tier <= wanted.tier:
            in_the_way.add(above)
        for child in wanted.children:
            low = self.there.get(child)
            if low is None or low.tier >= wanted.tier:
                in_the_way.add(child)
            elif self.parent.get(child, wanted.name) != wanted.name:
                in_the_way.add(self.parent[child])
        return in_the_way or self._doubles(wanted)

    def _doubles(self, wanted: HyperNode) -> set[str]:
        """Those that hold a node which would then stand twice in a tier, directly or through children."""
        old = self.there.get(wanted.name)
        self._write(wanted.name, wanted)
        found: set[str] = set()
        for node in self._nodes_below(wanted):
            holders = self.holders[node]
            if len(holders) > 1 and self._is_double(holders):
                found |= holders - {wanted.name}
        self._write(wanted.name, old)
        return found

    def _nodes_below(self, top: HyperNode) -> Iterator[str]:
        yield from top.nodes
        for child in top.children:
            yield from self._nodes_below(self.there[child])

    def _is_double(self, holders: set[str]) -> bool:
        seats: dict[int, str] = {}
        for holder in holders:
            name: str | None = holder
            while name is not None:
                if seats.setdefault(self.there[name].tier, name) != name:
                    return True
                name = self.parent.get(name)
        return False

    def _give_way(self, blockers: set[str]) -> None:
        """No step is legal: one that blocks others lets go of what it will lose, shifts, or is taken out."""
        present = sorted(name for name in blockers & self.pending if name in self.there)
        for name in present:
            rest = self._rest(name)
            if rest is not None and not same(rest, self.there[name]):
                self._put(rest, "members leave before they enter elsewhere: " + _difference(self.there[name], rest))
                return
        if self._shift(present):
            return
        if not present:
            present = sorted(name for name in self.pending if name in self.there)
        self._take_out(min(present, key=lambda name: (self._cost(name), name)))

    def _shift(self, names: Sequence[str]) -> bool:
        """A tier comes or goes below: a HyperNode takes its new tier before its new members, or the other way round."""
        before = len(self.steps)
        for name in names:
            one, wanted = self.there[name], self.goal.get(name)
            if wanted is None or wanted.tier == one.tier:
                continue
            for half in (
                replace(one, tier=wanted.tier, tier_name=wanted.tier_name),
                replace(wanted, tier=one.tier, tier_name=one.tier_name),
            ):
                if not same(half, self.there[name]) and not self._conflicts(half):
                    self._put(half, "a tier below changes: " + _difference(one, half))
                    break
        return len(self.steps) > before

    def _rest(self, name: str, without: str | None = None) -> HyperNode | None:
        """What stays of a HyperNode that lets go of all that it will not hold in the end; None where nothing does."""
        one, wanted = self.there[name], self.goal.get(name)
        if wanted is None:
            return None
        nodes = tuple(sorted(set(one.nodes) & set(wanted.nodes)))
        children = tuple(sorted((set(one.children) & set(wanted.children)) - {without}))
        return replace(one, nodes=nodes, children=children) if nodes or children else None

    def _cost(self, name: str) -> int:
        above = self.parent.get(name)
        if above is None:
            return 1
        return 2 if self._rest(above, name) is not None else 1 + self._cost(above)

    def _take_out(self, name: str) -> None:
        above = self.parent.get(name)
        if above is not None:
            rest = self._rest(above, name)
            if rest is None:
                self._take_out(above)
            else:
                self._put(rest, f"{name} is taken out for a moment")
        self._drop(name, "its members change places; " + ("it comes back" if name in self.goal else "it is not needed"))

    def _why(self, wanted: HyperNode) -> str:
        old = self.there.get(wanted.name)
        return _introduction(wanted) if old is None else _difference(old, wanted)

    def _put(self, one: HyperNode, reason: str) -> None:
        op: Op = "update" if one.name in self.there else "create"
        self._write(one.name, one)
        self.steps.append(Step(op, one.name, one.tier, reason, one))
        self._recount(one.name)

    def _drop(self, name: str, reason: str) -> None:
        self.steps.append(Step("delete", name, self.there[name].tier, reason))
        self._write(name, None)
        self._recount(name)

    def _recount(self, name: str) -> None:
        if same(self.there.get(name), self.goal.get(name)):
            self.pending.discard(name)
        else:
            self.pending.add(name)

    def _write(self, name: str, one: HyperNode | None) -> None:
        old = self.there.pop(name, None)
        for child in old.children if old else ():
            del self.parent[child]
        for node in old.nodes if old else ():
            self.holders[node].discard(name)
        if one is not None:
            self.there[name] = one
            self.parent.update(dict.fromkeys(one.children, name))
            for node in one.nodes:
                self.holders.setdefault(node, set()).add(name)


def _height(one: HyperNode) -> tuple[int, str]:
    return one.tier, one.name


def _introduction(one: HyperNode) -> str:
    members = _count(one.nodes, "node") if one.nodes else _count(one.children, "HyperNode")
    switches = f" on {_count(one.switches, 'switch', 'es')}" if one.switches else ""
    return f"a new group of {members}{switches}"


def _difference(old: HyperNode, new: HyperNode) -> str:
    parts = [
        *_moves("node", old.nodes, new.nodes, compact),
        *_moves("HyperNode", old.children, new.children, _listed),
        f"tier {old.tier} becomes {new.tier}" if old.tier != new.tier else "",
        f"tier name {old.tier_name!r} becomes {new.tier_name!r}" if old.tier_name != new.tier_name else "",
        _notes(old, new),
    ]
    return "; ".join(part for part in parts if part) or "only its switches differ"


def _moves(word: str, old: Sequence[str], new: Sequence[str], shown: Callable[[Sequence[str]], str]) -> Iterator[str]:
    joined, left = sorted(set(new) - set(old)), sorted(set(old) - set(new))
    if joined:
        yield f"{_count(joined, word)} joined: {shown(joined)}"
    if left:
        yield f"{_count(left, word)} left: {shown(left)}"


def _notes(old: HyperNode, new: HyperNode) -> str:
    keys = old.annotations.keys() | new.annotations.keys()
    changed = sorted(key for key in keys if old.annotations.get(key) != new.annotations.get(key))
    return f"changed: {_listed([key.rpartition('/')[2] for key in changed])}" if changed else ""


def _count(members: Sequence[str], word: str, plural: str = "s") -> str:
    return f"{len(members)} {word}{'' if len(members) == 1 else plural}"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")
