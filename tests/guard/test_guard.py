"""The guard believes a smaller fabric only when it stays small; everything else goes on meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypernode.guard import Limits, check
from hypernode.plan import plan
from hypernode.tree import HyperNode, Tree
from tests.plan.trees import trees

EMPTY = Tree.of([])


def fabric(name: str, *groups: str) -> list[HyperNode]:
    """Leaves <name>1, <name>2… with these nodes, below one spine."""
    leaves = [
        HyperNode(f"{name}{number}", 1, "leaf", nodes=tuple(sorted(text.split())))
        for number, text in enumerate(groups, 1)
        if text
    ]
    return [*leaves, HyperNode(f"{name}-top", 2, "spine", children=tuple(sorted(one.name for one in leaves)))]


def hosts(first: int, last: int) -> str:
    return " ".join(f"n{number:03}" for number in range(first, last + 1))


FULL = Tree.of(fabric("x", hosts(1, 20), hosts(21, 40)))


@dataclass
class Rounds:
    """A guard that is asked again and again, as a controller does."""

    current: Tree
    seen: dict[str, int]

    def apply(self, desired: Tree, **options: object) -> str | None:
        verdict = check(self.current, desired, seen=self.seen, counting=True, **options)  # type: ignore[arg-type]
        self.seen = dict(verdict.seen)
        self.current = verdict.target
        return verdict.refused.reason if verdict.refused else None


ALLOWED = [
    pytest.param(FULL, FULL, id="nothing changed"),
    pytest.param(EMPTY, EMPTY, id="nothing there yet, nothing seen"),
    pytest.param(EMPTY, FULL, id="first light"),
    pytest.param(FULL, Tree.of(fabric("x", hosts(1, 19), hosts(21, 40))), id="one host of forty"),
    pytest.param(FULL, Tree.of(fabric("x", hosts(1, 18), hosts(23, 40))), id="exactly ten percent"),
    pytest.param(FULL, Tree.of(fabric("x", hosts(21, 40), hosts(1, 20))), id="everybody moves"),
    pytest.param(Tree.of(fabric("x", "a b c")), Tree.of(fabric("x", "a b")), id="one of three is only one"),
    pytest.param(Tree.of(fabric("x", "a", "b c d e")), Tree.of(fabric("x", "", "b c d e")), id="a group of one"),
]


@pytest.mark.parametrize(("current", "desired"), ALLOWED)
def test_allowed(current: Tree, desired: Tree) -> None:
    verdict = check(current, desired)
    assert (verdict.target, verdict.refused, verdict.held_nodes) == (desired, None, frozenset())


MANY = Tree.of(fabric("x", hosts(1, 100), hosts(101, 102)))
HELD = [
    pytest.param(FULL, Tree.of(fabric("x", hosts(1, 17), hosts(23, 40))), "5 of 40", id="more than ten percent"),
    pytest.param(MANY, Tree.of(fabric("x", hosts(1, 100), "")), "2 of 102", id="a whole group of two"),
    pytest.param(
        Tree.of(fabric("x", "a b") + fabric("y", "c d")), Tree.of(fabric("y", "c d")), "2 of 2", id="a whole fabric"
    ),
]


@pytest.mark.parametrize(("current", "desired", "words"), HELD)
def test_held_until_seen_three_times_running(current: Tree, desired: Tree, words: str) -> None:
    rounds = Rounds(current, {})
    first = rounds.apply(desired)
    assert first is not None
    assert words in first
    assert "seen 1 of 3" in first
    assert rounds.current == current
    assert "seen 2 of 3" in (rounds.apply(desired) or "")
    assert rounds.apply(desired) is None
    assert rounds.current == desired
    assert rounds.apply(desired) is None
    assert rounds.seen == {}


@pytest.mark.parametrize(("current", "desired", "words"), HELD)
def test_allow_shrink_lets_it_pass(current: Tree, desired: Tree, words: str) -> None:
    assert check(current, desired, allow_shrink=True).target == desired
    assert words in str(check(current, desired).refused)


def test_a_look_counts_nothing() -> None:
    desired = Tree.of(fabric("x", hosts(1, 20), ""))
    for _ in range(5):
        verdict = check(FULL, desired)
        assert "seen 0 of 3" in str(verdict.refused)
    counted = check(FULL, desired, counting=True).seen
    assert "seen 1 of 3" in str(check(FULL, desired, seen=counted).refused)


def test_another_shrink_or_a_good_round_starts_anew() -> None:
    one, other = Tree.of(fabric("x", hosts(1, 20), "")), Tree.of(fabric("x", "", hosts(21, 40)))
    rounds = Rounds(FULL, {})
    assert "seen 1 of 3" in (rounds.apply(one) or "")
    assert "seen 2 of 3" in (rounds.apply(one) or "")
    assert "seen 1 of 3" in (rounds.apply(other) or "")
    assert "seen 1 of 3" in (rounds.apply(one) or "")
    assert rounds.apply(FULL) is None
    assert "seen 1 of 3" in (rounds.apply(one) or "")


def test_a_shrink_that_was_broken_off_half_way_is_still_the_same() -> None:
    desired = Tree.of(fabric("x", hosts(1, 10), hosts(21, 30)))
    rounds = Rounds(FULL, {})
    rounds.apply(desired)
    rounds.apply(desired)
    seen = check(FULL, desired, seen=rounds.seen, counting=True).seen
    half = Tree.of(fabric("x", hosts(1, 10), hosts(21, 40)))
    assert check(half, desired, seen=seen, counting=True).refused is None


@pytest.mark.parametrize(
    ("desired", "failed"),
    [
        pytest.param(EMPTY, None, id="empty"),
        pytest.param(EMPTY, "the sweep failed", id="failed and empty"),
        pytest.param(Tree.of(fabric("x", hosts(1, 20), "")), "one file is cut", id="failed and half"),
    ],
)
def test_an_empty_or_failed_observation_removes_nothing_ever(desired: Tree, failed: str | None) -> None:
    rounds = Rounds(FULL, {})
    for _ in range(5):
        assert "nothing is removed" in (rounds.apply(desired, failed=failed, allow_shrink=True) or "")
        assert rounds.current == FULL


def test_a_failed_observation_still_adds() -> None:
    desired = Tree.of(fabric("x", hosts(1, 21), "") + fabric("y", "new"))
    seen = check(FULL, Tree.of(fabric("x", hosts(1, 20), "") + fabric("y", "new")), failed="one file is cut")
    assert seen.target == Tree.of([*FULL.hypernodes.values(), *fabric("y", "new")])
    assert check(FULL, desired, failed="x").target.hypernodes["x1"].nodes == FULL.hypernodes["x1"].nodes


def test_other_fabrics_and_new_nodes_go_on() -> None:
    current = Tree.of(fabric("x", "a b", "c d") + fabric("y", "p q", "r s"))
    desired = Tree.of(fabric("x", "a b new", "", "e f") + fabric("y", "p", "q r s"))
    verdict = check(current, desired)
    assert verdict.target == Tree.of(fabric("x", "a b new", "c d", "e f") + fabric("y", "p", "q r s"))
    assert verdict.held_nodes == {"c", "d"}
    assert [step.op for step in plan(verdict.target, desired)] == ["update", "delete"]


def measured(gbps: str, *groups: str) -> Tree:
    notes = {"hypernode.dev/uplink-gbps": gbps}
    return Tree.of(replace(one, annotations=notes) for one in fabric("x", *groups))


def told(tree: Tree) -> dict[str, str]:
    return {one.name: one.annotations["hypernode.dev/uplink-gbps"] for one in tree.hypernodes.values()}


def test_what_is_measured_goes_on_in_the_shrunken_fabric() -> None:
    target = check(measured("400", "a b", "c d"), measured("200", "a b", "")).target
    assert told(target) == {"x1": "200", "x2": "400", "x-top": "400"}


def test_nothing_is_measured_without_the_nodes_that_are_held_below() -> None:
    target = check(measured("400", "a b", "c d e f"), measured("200", "a b", "c d")).target
    assert target.hypernodes["x2"].nodes == ("c", "d", "e", "f")
    assert told(target) == {"x1": "200", "x2": "400", "x-top": "400"}


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        pytest.param(("a b", "c d"), {"x1": "400", "x2": "400", "x-top": "400"}, id="all nodes seen"),
        pytest.param(("a b", "c"), {"x1": "400", "x2": "400", "x-top": "400"}, id="one missing"),
        pytest.param(("a b new", "c d"), {"x1": "400", "x2": "400", "x-top": "400"}, id="one more"),
        pytest.param(
            ("a b", "c d", "e f"), {"x1": "400", "x2": "400", "x3": "200", "x-top": "400"}, id="a new group beside"
        ),
    ],
)
def test_a_failed_observation_measures_nothing_that_exists(groups: tuple[str, ...], expected: dict[str, str]) -> None:
    verdict = check(measured("400", "a b", "c d"), measured("200", *groups), failed="one file is cut")
    assert told(verdict.target) == expected
    assert verdict.refused is not None


def test_a_refusal_names_hosts_as_ranges_and_ends_somewhere() -> None:
    refused = check(FULL, Tree.of(fabric("x", hosts(1, 10), hosts(31, 40)))).refused
    assert refused is not None
    assert "(n[011-030])" in refused.reason
    many = [fabric(f"x{number:03}", f"a{number} b{number}") for number in range(300)]
    refused = check(Tree.of(one for part in many for one in part), Tree.of(many[0])).refused
    assert refused is not None
    assert "294 more fabrics shrank as well" in refused.reason
    assert len(refused.reason) < 1000


def test_a_failed_observation_that_shows_all_refuses_nothing() -> None:
    assert check(FULL, FULL, failed="one file is cut").refused is None


def test_moves_in_the_shrunken_fabric_wait() -> None:
    current = Tree.of(fabric("x", "a b", "c d", "e f"))
    desired = Tree.of(fabric("x", "a b c", "", "e"))
    assert check(current, desired).target == current


def test_a_node_that_left_the_cluster_goes_at_once() -> None:
    desired = Tree.of(fabric("x", hosts(1, 20), ""))
    departed = hosts(21, 40).split()
    verdict = check(FULL, desired, departed=departed)
    assert (verdict.target, verdict.refused) == (desired, None)
    partly = check(FULL, Tree.of(fabric("x", hosts(1, 10), "")), departed=departed)
    assert "10 of 20" in str(partly.refused)
    assert partly.target == desired
    assert check(FULL, EMPTY, departed=departed).target == desired


def test_an_empty_node_list_removes_nothing() -> None:
    verdict = check(FULL, EMPTY, departed=hosts(1, 40).split())
    assert verdict.refused is not None
    assert verdict.target == FULL


def test_limits_are_settings() -> None:
    desired = Tree.of(fabric("x", hosts(1, 15), hosts(21, 40)))
    assert check(FULL, desired, limits=Limits(share=0.2)).refused is None
    assert check(FULL, desired, limits=Limits(repeats=1), counting=True).refused is None
    assert check(FULL, desired, limits=Limits(nodes=6)).refused is None
    assert check(FULL, desired).refused is not None


@settings(max_examples=200, deadline=None)
@given(trees(), trees(), st.sampled_from([None, "cut"]), st.sets(st.sampled_from(["node-0", "node-1"])))
def test_what_is_held_is_legal_and_nothing_is_lost(
    current: Tree, desired: Tree, failed: str | None, departed: set[str]
) -> None:
    verdict = check(current, desired, failed=failed, departed=departed)
    placed = set(verdict.target.paths())
    assert verdict.held_nodes <= placed
    if verdict.refused is None:
        assert verdict.target == desired
    if failed:
        kept = set(current.paths()) - departed
        assert kept <= placed
    for _ in range(3):
        verdict = check(current, desired, seen=verdict.seen, counting=True, departed=departed)
    assert verdict.target == desired or not desired.hypernodes
