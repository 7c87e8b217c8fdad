"""HyperNodes are named by their hardware, whatever the order, and keep their names while most members stay."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypernode.naming import LONGEST_ANNOTATION, Former, is_name, name_tree
from hypernode.tree import Capacity, Group, Tree
from tests.naming.groups import above, forests, guid, leaf, shuffled


def names(tree: Tree) -> dict[tuple[str, ...], str]:
    """The name by nodes, for HyperNodes that hold nodes."""
    return {one.nodes: one.name for one in tree.hypernodes.values() if one.nodes}


def test_the_smallest_switch_lends_its_guid() -> None:
    tree = name_tree([above(2, "spine", "0c", leaf("0b 0a", "a b"), leaf("0d", "c"))])
    assert sorted(tree.hypernodes) == ["leaf-0a", "leaf-0d", "spine-0c"]
    assert tree.hypernodes["spine-0c"].children == ("leaf-0a", "leaf-0d")
    assert tree.hypernodes["leaf-0a"].nodes == ("a", "b")
    assert tree.hypernodes["leaf-0a"].annotations == {"hypernode.dev/switches": "0a,0b"}


def test_without_switches_the_nodes_name_the_group() -> None:
    one, other = (name_tree([leaf("", nodes, "nvlink")]) for nodes in ("a b", "a c"))
    assert list(one.hypernodes) != list(other.hypernodes)
    assert all(name.startswith("nvlink-") for name in (*one.hypernodes, *other.hypernodes))


@settings(max_examples=60, deadline=None)
@given(forests(), st.data())
def test_order_says_nothing(groups: list[Group], data: st.DataObject) -> None:
    first = name_tree(groups)
    second = name_tree(shuffled(groups, data))
    assert list(first.hypernodes.items()) == list(second.hypernodes.items())
    assert name_tree(shuffled(groups, data), first) == first
    assert all(is_name(name) for name in first.hypernodes)


@settings(max_examples=60, deadline=None)
@given(forests(), st.data())
def test_replacing_every_switch_of_a_group_renames_nobody(groups: list[Group], data: st.DataObject) -> None:
    before = name_tree(groups)
    spine = data.draw(st.sampled_from(groups if groups[0].tier == 2 else list(groups[0].children)))
    chosen = data.draw(st.sampled_from(spine.children))
    fresh = data.draw(st.sampled_from([(guid(0xF00),), (guid(0), guid(0xF00)), (guid(0), *chosen.switches)]))

    def mend(group: Group) -> Group:
        if group == chosen:
            return replace(group, switches=fresh)
        return replace(group, children=tuple(mend(child) for child in group.children))

    assert names(name_tree([mend(group) for group in groups], before)) == names(before)
    assert set(name_tree([mend(group) for group in groups], before).hypernodes) == set(before.hypernodes)


@settings(max_examples=60, deadline=None)
@given(forests(), forests(), st.lists(st.sampled_from([f"leaf-{guid(n)}" for n in range(1, 60)])))
def test_names_are_unique_and_never_taken(old: list[Group], new: list[Group], taken: list[str]) -> None:
    current = name_tree(old)
    tree = name_tree(new, current, taken=taken)
    count = sum(1 + len(one.children) + sum(len(low.children) for low in one.children) for one in new)
    assert len(tree.hypernodes) == count
    kept = set(tree.hypernodes) & set(current.hypernodes)
    assert not (set(tree.hypernodes) - kept) & set(taken)


KEEPING = [
    pytest.param(leaf("01 02", "a b c"), leaf("03 04", "a b x"), True, id="most nodes stay, all switches go"),
    pytest.param(leaf("01 02 03", "a b"), leaf("02 03 04", "x y"), True, id="most switches stay, all nodes go"),
    pytest.param(leaf("01 02", "a b"), leaf("02 03", "b c"), False, id="half of both is not most"),
    pytest.param(leaf("01", "a b"), leaf("02", "a b", "spine"), False, id="another tier is another thing"),
    pytest.param(leaf("01", "a b"), leaf("02", "a b c d e f"), True, id="the members of the old one count"),
]


@pytest.mark.parametrize(("old", "new", "keeps"), KEEPING)
def test_keeping_a_name(old: Group, new: Group, keeps: bool) -> None:
    current = name_tree([old])
    assert (list(name_tree([new], current).hypernodes) == list(current.hypernodes)) is keeps


def test_a_new_group_never_takes_a_kept_name() -> None:
    current = name_tree([leaf("01 02 03", "a b c")])
    tree = name_tree([leaf("02 03 04", "a b c"), leaf("01 05", "x y")], current)
    assert tree.hypernodes["leaf-01"].nodes == ("a", "b", "c")
    (other,) = set(tree.hypernodes) - {"leaf-01"}
    assert other.startswith("leaf-01-")
    assert tree.hypernodes[other].nodes == ("x", "y")


def test_a_group_that_splits_leaves_its_name_to_the_larger_part() -> None:
    current = name_tree([leaf("01 02", "a b c d e")])
    tree = name_tree([leaf("01 02", "a b"), leaf("01 02", "c d e")], current)
    assert tree.hypernodes["leaf-01"].nodes == ("c", "d", "e")
    assert len(tree.hypernodes) == 2


def test_switches_beat_nodes_where_two_groups_change_hosts() -> None:
    current = name_tree([leaf("01", "a b"), leaf("02", "c d")])
    tree = name_tree([leaf("01", "c d"), leaf("02", "a b")], current)
    assert names(tree) == {("c", "d"): "leaf-01", ("a", "b"): "leaf-02"}


def test_what_was_taken_out_for_a_moment_gets_its_name_back() -> None:
    lost = [Former("leaf-77", "leaf", ("01",), frozenset({"a"}))]
    assert list(name_tree([leaf("01", "a")], lost=lost).hypernodes) == ["leaf-77"]


def test_capacity_becomes_annotations() -> None:
    def notes(capacity: Capacity) -> dict[str, str]:
        (one,) = name_tree([replace(leaf("", "a"), capacity=capacity)]).hypernodes.values()
        return {key.removeprefix("hypernode.dev/"): text for key, text in one.annotations.items()}

    assert notes(Capacity(12800, 9600)) == {"host-gbps": "12800", "uplink-gbps": "9600", "oversubscription": "1.33"}
    assert notes(Capacity(10.3125, 0.0)) == {"host-gbps": "10.31", "uplink-gbps": "0"}


def test_names_that_kubernetes_refuses_are_mapped_and_kept_in_an_annotation() -> None:
    group = Group(1, "Scale Unit\n", ("01",), ("GPU_1", "gpu-2", "gpu-\x1b[31m"))
    (one,) = name_tree([group]).hypernodes.values()
    assert one.name == "scale-unit-01"
    assert one.nodes == ("gpu-1", "gpu-2", "gpu-31m")
    text = one.annotations["hypernode.dev/original-names"]
    assert text.isprintable()
    assert json.loads(text) == {"gpu-1": "GPU_1", "gpu-31m": "gpu-\x1b[31m"}


def test_long_lists_are_cut_and_still_tell_a_change() -> None:
    def switches(count: int, last: int) -> str:
        ids = (*(guid(n) for n in range(count)), guid(last))
        (one,) = name_tree([Group(1, "leaf", ids, ("a",))]).hypernodes.values()
        return one.annotations["hypernode.dev/switches"]

    long = switches(2000, 5000)
    assert len(long) <= LONGEST_ANNOTATION
    assert ",sha256:" in long
    assert long != switches(2000, 5001)
    assert long.split(",")[0] == guid(0)
