"""Groups whose uplinks go mostly to the same switches form a group; a few wrong cables merge or lose nobody."""

from __future__ import annotations

import pytest

from tests.drawing import Drawing, kinds, pods, rails, shape, told, tree, units


def pod(number: int, names: str = "abc", hosts: int = 3) -> list[object]:
    return units(" ".join(f"{number}{unit}" for unit in names), hosts)


def test_three_levels() -> None:
    #  C0-0 C0-1 … C3-1
    #  S1-0…S1-3   S2-0…S2-3
    #  L1a L1b L1c L2a L2b L2c
    found = pods(3, 3).inferred()
    assert shape(found) == tree([pod(1), pod(2)])
    assert told(found) == []


def test_the_tiers_are_called_leaf_spine_core_and_core_2() -> None:
    drawing = halls()
    names = {}
    waiting = list(drawing.inferred().groups)
    while waiting:
        group = waiting.pop()
        names[group.tier] = group.tier_name
        waiting += group.children
    assert names == {1: "leaf", 2: "spine", 3: "core", 4: "core-2"}


def halls() -> Drawing:
    drawing = Drawing()
    drawing.switches("X0 X1")
    for hall in "12":
        drawing.switches(f"C{hall}0 C{hall}1")
        for number in "12":
            tops = " ".join(drawing.switches(f"S{hall}{number}0 S{hall}{number}1"))
            for unit in "ab":
                drawing.switches(f"L{hall}{number}{unit}")
                drawing.hosts(f"{hall}{number}{unit}1..{hall}{number}{unit}3", f"L{hall}{number}{unit}")
                drawing.cable(f"L{hall}{number}{unit}", tops)
            for plane in "01":
                drawing.cable(f"S{hall}{number}{plane}", f"C{hall}{plane}")
        for plane in "01":
            drawing.cable(f"C{hall}{plane}", f"X{plane}", 2)
    return drawing


def test_four_levels() -> None:
    found = halls().inferred()
    wanted = [[units(f"{hall}{number}a {hall}{number}b", 3) for number in "12"] for hall in "12"]
    assert shape(found) == tree(wanted)
    assert told(found) == []


@pytest.mark.parametrize("cores", [pytest.param(cores, id=f"{cores} cores a plane") for cores in (1, 2, 8)])
@pytest.mark.parametrize("sizes", [(1, 8), (1, 1, 8), (1, 2, 6), (8, 1, 3, 1)], ids=str)
def test_pods_of_very_different_sizes(sizes: tuple[int, ...], cores: int) -> None:
    found = pods(*sizes, cores=cores).inferred()
    assert shape(found) == tree([pod(number, "abcdefgh"[:size]) for number, size in enumerate(sizes, 1)])
    assert told(found) == []


def test_a_tier_of_pods_of_one_unit_says_nothing_new() -> None:
    assert shape(pods(1, 1, 1).inferred()) == tree([*pod(1, "a"), *pod(2, "a"), *pod(3, "a")])


def test_one_miscabled_uplink_does_not_merge_two_pods() -> None:
    drawing = pods(3, 3)
    drawing.cut("L1a", "S1-2")
    drawing.cable("L1a", "S2-2")
    found = drawing.inferred()
    assert shape(found) == tree([pod(1), pod(2)])
    assert ("miscabled-uplink", "L1a", "S2-2") in told(found)
    assert not kinds(found) & {"miscabled-hca", "stray-host", "not-a-tree"}


def test_one_miscabled_uplink_does_not_merge_two_pods_of_one_unit() -> None:
    # All other spines of pods 1 and 2 serve one group only.
    drawing = pods(1, 1, 3)
    drawing.cut("L1a", "S1-2")
    drawing.cable("L1a", "S2-2")
    assert shape(drawing.inferred()) == tree([pod(1, "a"), pod(2, "a"), pod(3)])


def test_a_spine_on_a_core_of_another_plane_changes_nothing() -> None:
    drawing = pods(3, 3)
    drawing.cut("S1-0", "C0-0")
    drawing.cable("S1-0", "C1-0")
    assert shape(drawing.inferred()) == tree([pod(1), pod(2)])


def test_a_leaf_cabled_to_a_core_does_not_pull_the_core_down() -> None:
    drawing = pods(3, 3)
    drawing.cut("L1a", "S1-2")
    drawing.cable("L1a", "C2-0 C1-0")
    assert shape(drawing.inferred()) == tree([pod(1), pod(2)])


def test_spines_cabled_to_each_other_make_no_fabric_flat() -> None:
    drawing = pods(3, 3)
    drawing.cable("S1-0", "S2-0")
    drawing.cable("S1-1", "S1-2")
    found = drawing.inferred()
    assert shape(found) == tree([pod(1), pod(2)])
    assert "not-a-tree" not in kinds(found)


@pytest.mark.parametrize("left", [pytest.param(left, id=f"{left} of 4 left") for left in (1, 2, 3)])
def test_a_leaf_with_few_uplinks_joins_the_owner_of_the_switches_it_touches(left: int) -> None:
    drawing = pods(3, 3)
    for spine in range(4 - left):
        drawing.cut("L1a", f"S1-{spine}")
    found = drawing.inferred()
    assert shape(found) == tree([pod(1), pod(2)])
    assert {one[:3] for one in told(found)} == {("dead-uplink", "L1a", f"S1-{spine}") for spine in range(4 - left)}


@pytest.mark.parametrize("left", [pytest.param(left, id=f"{left} of 8 left") for left in (1, 2, 5)])
def test_a_pod_with_few_core_links_stays_below_the_core(left: int) -> None:
    drawing = pods(3, 3, 2)
    links = [(f"S3-{spine}", f"C{spine}-{core}") for spine in range(4) for core in range(2)]
    for spine, core in links[left:]:
        drawing.cut(spine, core)
    found = drawing.inferred()
    assert shape(found) == tree([pod(1), pod(2), pod(3, "ab")])
    assert "forest" not in kinds(found)


def test_dead_spines_and_cores_move_nobody() -> None:
    drawing = pods(3, 3)
    for switch in ("S1-1", "S1-2", "C0-0"):
        drawing.remove(switch)
    assert shape(drawing.inferred()) == tree([pod(1), pod(2)])


def test_a_plane_whose_spines_are_all_dead_moves_nobody() -> None:
    drawing = Drawing()
    drawing.switches("A0 B0")
    for unit in "abc":
        drawing.switches(f"L{unit}0 L{unit}1")
        drawing.hosts(f"{unit}1..{unit}4", f"L{unit}0 L{unit}1")
        drawing.cable(f"L{unit}0", "A0", 2)
        drawing.cable(f"L{unit}1", "B0", 2)
    drawing.remove("B0")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert "forest" not in kinds(found)


def test_rails_that_never_meet_above_are_one_tree_through_their_hosts() -> None:
    drawing = Drawing()
    drawing.switches("S0 S1 S2 S3")
    for unit in "abc":
        leaves = drawing.switches(" ".join(f"L{unit}{rail}" for rail in range(4)))
        drawing.hosts(f"{unit}1..{unit}4", " ".join(leaves))
        for rail in range(4):
            drawing.cable(leaves[rail], f"S{rail}", 4)
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert told(found) == []


def test_a_next_level_that_serves_one_group_only_says_nothing_about_its_parent() -> None:
    # Every pod has its own two switches above its spines; the cores join the pods all the same.
    drawing = pods(3, 3)
    for number in (1, 2):
        drawing.switches(f"P{number}-0 P{number}-1")
        drawing.cable(f"S{number}-0 S{number}-1 S{number}-2 S{number}-3", f"P{number}-0 P{number}-1")
    assert shape(drawing.inferred()) == tree([pod(1), pod(2)])


def test_empty_pods_change_nothing() -> None:
    drawing = pods(3, 2)
    for number in (7, 8, 9):
        tops = " ".join(drawing.switches(" ".join(f"S{number}-{spine}" for spine in range(4))))
        drawing.switches(f"L{number}a L{number}b L{number}c")
        drawing.cable(f"L{number}a L{number}b L{number}c", tops)
        for spine in range(4):
            drawing.cable(f"S{number}-{spine}", f"C{spine}-0 C{spine}-1")
    assert shape(drawing.inferred()) == tree([pod(1), pod(2, "ab")])


def test_a_leaf_that_lost_all_uplinks_of_many_stays_in_its_unit() -> None:
    drawing = rails("abcd", each=8)
    for spine in range(4):
        drawing.cut("Lb3", f"S{spine}")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c d"))
    assert [one[:2] for one in told(found)] == [("missing-switch", "Lb3")]


def test_a_group_has_the_switches_of_its_tier_and_measured_capacity() -> None:
    # Each unit: 4 hosts × 4 × 400 Gbit/s down, 4 leaves × 4 spines × 400 up. The spines lead nowhere.
    [root] = rails("abc").inferred().groups
    drawing = rails("abc")
    assert root.switches == tuple(sorted(f"{drawing.things[f'S{spine}'].guid:016x}" for spine in range(4)))
    assert [child.switches for child in root.children] == [
        tuple(sorted(f"{drawing.things[f'L{unit}{rail}'].guid:016x}" for rail in range(4))) for unit in "abc"
    ]
    [first, *_] = [child.capacity for child in root.children]
    assert first is not None
    assert (first.hosts_gbps, first.uplink_gbps, first.oversubscription) == (6400.0, 6400.0, 1.0)
    assert root.capacity is not None
    assert (root.capacity.hosts_gbps, root.capacity.uplink_gbps) == (19200.0, 0.0)
    assert root.capacity.oversubscription is None


def test_dead_uplinks_show_in_the_capacity() -> None:
    drawing = rails("ab", each=1, hosts=4)
    drawing.cut("La0", "S0")
    drawing.cut("La0", "S1")
    [root] = drawing.inferred().groups
    a = next(child for child in root.children if "a1" in child.nodes)
    assert a.capacity is not None
    assert (a.capacity.uplink_gbps, a.capacity.oversubscription) == (800.0, 2.0)
