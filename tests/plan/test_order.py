"""The steps of ordinary changes: as few as possible, in an order that is legal for Volcano, with reasons that read."""

from __future__ import annotations

import pytest

from hypernode.plan import applied, plan
from hypernode.tree import Defect, HyperNode, Tree


def tree(*rows: tuple[str, int, str]) -> Tree:
    """HyperNodes by (name, tier, members): members that are rows themselves are children."""
    names = {name for name, _, _ in rows}
    found = []
    for name, tier, text in rows:
        members = tuple(sorted(text.split()))
        kinds = {"children": members} if set(members) <= names else {"nodes": members}
        found.append(HyperNode(name, tier, ("", "leaf", "spine", "core")[tier], **kinds))
    return Tree.of(found)


def steps(current: Tree, desired: Tree) -> list[str]:
    found = plan(current, desired)
    for step in found:
        current = applied(current, step)
    assert current == desired
    return [f"{step.op} {step.name}" for step in found]


EMPTY = Tree.of([])
TWO_LEAVES = tree(("A", 1, "a b"), ("B", 1, "c d"), ("S", 2, "A B"))

CASES = [
    pytest.param(EMPTY, EMPTY, "", id="nothing to do"),
    pytest.param(EMPTY, TWO_LEAVES, "create A, create B, create S", id="children before parents"),
    pytest.param(TWO_LEAVES, EMPTY, "delete S, delete B, delete A", id="parents deleted before children"),
    pytest.param(TWO_LEAVES, tree(("A", 1, "a b x"), ("B", 1, "c d"), ("S", 2, "A B")), "update A", id="a node joins"),
    pytest.param(TWO_LEAVES, tree(("A", 1, "a"), ("B", 1, "c d"), ("S", 2, "A B")), "update A", id="a node leaves"),
    pytest.param(
        TWO_LEAVES,
        tree(("A", 1, "a b c"), ("B", 1, "d"), ("S", 2, "A B")),
        "update B, update A",
        id="a node moves: it leaves before it enters",
    ),
    pytest.param(
        TWO_LEAVES,
        tree(("A", 1, "a c"), ("B", 1, "b d"), ("S", 2, "A B")),
        "update A, update B, update A",
        id="two nodes change places: one lets go first",
    ),
    pytest.param(
        TWO_LEAVES,
        tree(("A", 1, "a b"), ("B", 1, "c d"), ("C", 1, "e f"), ("S", 2, "A B C")),
        "create C, update S",
        id="a group is added",
    ),
    pytest.param(TWO_LEAVES, tree(("A", 1, "a b"), ("S", 2, "A")), "update S, delete B", id="a group goes"),
    pytest.param(
        TWO_LEAVES,
        tree(("A", 1, "a b"), ("C", 1, "e f"), ("S", 2, "A C")),
        "create C, update S, delete B",
        id="a group goes, another comes",
    ),
    pytest.param(
        TWO_LEAVES,
        tree(("A", 1, "a b"), ("C", 1, "c d"), ("S", 2, "A C")),
        "update S, delete B, create C, update S",
        id="a group gets another name: nobody is in two groups in between",
    ),
    pytest.param(
        tree(("A", 1, "a"), ("S", 2, "A")),
        tree(("B", 1, "a"), ("S", 2, "B")),
        "delete S, delete A, create B, create S",
        id="a parent that would be emptied is put back",
    ),
    pytest.param(
        tree(("A", 1, "a"), ("B", 1, "b"), ("S", 2, "A"), ("T", 2, "B")),
        tree(("A", 1, "a"), ("B", 1, "b"), ("S", 2, "A"), ("T", 2, "B"), ("U", 3, "S T")),
        "create U",
        id="a tier above",
    ),
    pytest.param(
        tree(("A", 1, "a b"), ("S", 2, "A")),
        tree(("X", 1, "a b"), ("A", 2, "X"), ("S", 3, "A")),
        "update S, update A, create X, update A",
        id="a tier below: shifted up from the top down",
    ),
    pytest.param(
        tree(("X", 1, "a b"), ("A", 2, "X"), ("S", 3, "A")),
        tree(("A", 1, "a b"), ("S", 2, "A")),
        "update A, delete X, update A, update S",
        id="a tier below goes: nobody is taken out",
    ),
    pytest.param(
        tree(("A", 1, "a b"), ("B", 1, "c"), ("S", 2, "A"), ("T", 2, "B")),
        tree(("A", 1, "a b"), ("B", 1, "c"), ("S", 2, "A B")),
        "delete T, update S",
        id="a child leaves its old parent first",
    ),
]


@pytest.mark.parametrize(("current", "desired", "expected"), CASES)
def test_steps(current: Tree, desired: Tree, expected: str) -> None:
    assert ", ".join(steps(current, desired)) == expected


def test_reasons_are_sentences() -> None:
    desired = tree(("A", 1, "a x y"), ("B", 1, "c d"), ("S", 2, "A B"))
    assert [step.reason for step in plan(TWO_LEAVES, desired)] == ["2 nodes joined: x y; 1 node left: b"]
    assert plan(EMPTY, TWO_LEAVES)[0].reason == "a new group of 2 nodes"
    many = tree(("A", 1, "a b " + " ".join(f"n{i}" for i in range(9))), ("B", 1, "c d"), ("S", 2, "A B"))
    assert plan(TWO_LEAVES, many)[0].reason == "9 nodes joined: n[0-8]"


def test_measured_bandwidth_alone_is_an_update() -> None:
    one = HyperNode("A", 1, "leaf", ("a",), annotations={"hypernode.dev/uplink-gbps": "400"})
    two = HyperNode("A", 1, "leaf", ("a",), annotations={"hypernode.dev/uplink-gbps": "200"})
    (step,) = plan(Tree.of([one]), Tree.of([two]))
    assert (step.op, step.reason) == ("update", "changed: uplink-gbps")


def test_an_illegal_step_is_a_defect() -> None:
    (create, *_) = plan(EMPTY, TWO_LEAVES)
    with pytest.raises(Defect, match="cannot create A"):
        applied(TWO_LEAVES, create)
    (delete, *_) = plan(TWO_LEAVES, EMPTY)
    with pytest.raises(Defect, match="cannot delete S"):
        applied(EMPTY, delete)
