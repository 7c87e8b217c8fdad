"""Any tree becomes any other, step by step, and every tree in between is legal (applied() builds it)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hypernode.plan import Step, applied, plan, plan_from, salvaged, same
from hypernode.tree import HyperNode, Tree
from tests.plan.trees import loose_hypernodes, trees


def walked(current: Tree, steps: tuple[Step, ...]) -> Tree:
    for step in steps:
        current = applied(current, step)
    return current


@settings(max_examples=300, deadline=None)
@given(trees(), trees(), st.data())
def test_a_plan_broken_off_anywhere_can_be_planned_again(current: Tree, desired: Tree, data: st.DataObject) -> None:
    steps = plan(current, desired)
    current = walked(current, steps[: data.draw(st.integers(0, len(steps)))])
    assert walked(current, plan(current, desired)) == desired
    assert plan(desired, desired) == ()


@settings(max_examples=200, deadline=None)
@given(loose_hypernodes(), trees())
def test_what_hands_have_broken_is_put_right(found: list[HyperNode], desired: Tree) -> None:
    there = {one.name: one for one in found}
    for step in plan_from(found, desired):
        there.pop(step.name, None)
        if step.hypernode is not None:
            there[step.name] = step.hypernode
    assert Tree.of(there.values()) == desired
    assert plan_from(there.values(), desired) == ()


@settings(max_examples=100, deadline=None)
@given(trees())
def test_a_legal_tree_is_salvaged_whole(tree: Tree) -> None:
    assert salvaged(tree.hypernodes.values()) == tree
    assert all(same(one, one) for one in tree.hypernodes.values())
