"""Where no next level exists: forests, dragonflies, and components that only hosts or storage join."""

from __future__ import annotations

import itertools

import pytest

from tests.drawing import Drawing, kinds, pods, rails, shape, told, tree, units


def dragonfly(groups: int, routers: int, hosts: int, *, without: frozenset[tuple[int, int]] = frozenset()) -> Drawing:
    """Routers of a group are meshed; every two groups share one cable."""
    drawing = Drawing()
    for group in range(groups):
        names = drawing.switches(" ".join(f"G{group}R{router}" for router in range(routers)))
        for router in range(routers):
            drawing.hosts(f"g{group}r{router}h1..g{group}r{router}h{hosts}", names[router])
        for one, other in itertools.combinations(names, 2):
            drawing.cable(one, other)
    spread_globals(drawing, groups, routers, "R", without)
    return drawing


def dragonfly_plus(groups: int, *, without: frozenset[tuple[int, int]] = frozenset()) -> Drawing:
    """Three leaves of four hosts and four spines a group; spines of different groups are cabled, no core."""
    drawing = Drawing()
    for group in range(groups):
        tops = " ".join(drawing.switches(" ".join(f"G{group}S{spine}" for spine in range(4))))
        for router in range(3):
            drawing.switches(f"G{group}L{router}")
            drawing.hosts(f"g{group}r{router}h1..g{group}r{router}h4", f"G{group}L{router}")
            drawing.cable(f"G{group}L{router}", tops)
    spread_globals(drawing, groups, 4, "S", without)
    return drawing


def spread_globals(
    drawing: Drawing, groups: int, switches: int, letter: str, without: frozenset[tuple[int, int]]
) -> None:
    used = [0] * groups
    for one, other in itertools.combinations(range(groups), 2):
        if (one, other) not in without:
            a, b = used[one] % switches, used[other] % switches
            drawing.cable(f"G{one}{letter}{a}", f"G{other}{letter}{b}")
            used[one] += 1
            used[other] += 1


def wanted(groups: int, routers: int, hosts: int) -> list[object]:
    return [[f"g{group}r{router}h1..g{group}r{router}h{hosts}" for router in range(routers)] for group in range(groups)]


@pytest.mark.parametrize("size", [(5, 4, 2), (9, 4, 2), (3, 4, 2), (7, 6, 3)], ids=str)
def test_a_dragonfly_has_a_tier_of_groups_and_one_above(size: tuple[int, int, int]) -> None:
    found = dragonfly(*size).inferred()
    assert shape(found) == tree(wanted(*size))
    assert "not-a-tree" in kinds(found)
    assert not kinds(found) & {"stray-host", "dead-uplink", "empty-leaf"}


def test_a_dragonfly_with_dead_global_links_is_the_same() -> None:
    found = dragonfly(5, 4, 2, without=frozenset({(0, 1), (2, 4)})).inferred()
    assert shape(found) == tree(wanted(5, 4, 2))


@pytest.mark.parametrize("groups", [3, 4, 9])
def test_a_dragonfly_plus_has_a_tier_of_groups_and_one_above(groups: int) -> None:
    found = dragonfly_plus(groups).inferred()
    assert shape(found) == tree(wanted(groups, 3, 4))
    assert kinds(found) == {"not-a-tree"}


def test_a_dragonfly_plus_group_without_global_links_is_a_root_of_its_own() -> None:
    found = dragonfly_plus(4, without=frozenset({(0, 3), (1, 3), (2, 3)})).inferred()
    first, last = wanted(4, 3, 4)[:3], wanted(4, 3, 4)[3]
    assert shape(found) == tree(first, last)
    assert "forest" in kinds(found)


def test_a_stray_in_a_dragonfly_plus_stays_in_its_group() -> None:
    drawing = dragonfly_plus(3)
    drawing.host("login", "G0S2")
    [zero, one, two] = wanted(3, 3, 4)
    assert isinstance(zero, list)
    assert shape(drawing.inferred()) == tree([[*zero, "login"], one, two])


@pytest.mark.parametrize("size", [(3, 3), (4, 4)], ids=str)
def test_a_hyperx_is_flat_its_rows_are_no_nearer_than_its_columns(size: tuple[int, int]) -> None:
    rows, columns = size
    drawing = Drawing()
    places = list(itertools.product(range(rows), range(columns)))
    drawing.switches(" ".join(f"T{row}{column}" for row, column in places))
    for row, column in places:
        drawing.hosts(f"t{row}{column}h1..t{row}{column}h3", f"T{row}{column}")
    for (a, b), (c, d) in itertools.combinations(places, 2):
        if (a == c) != (b == d):
            drawing.cable(f"T{a}{b}", f"T{c}{d}")
    found = drawing.inferred()
    assert shape(found) == tree([f"t{row}{column}h1..t{row}{column}h3" for row, column in places])


def test_islands_are_roots_of_their_own() -> None:
    drawing = Drawing()
    drawing.switches("A B")
    drawing.hosts("a1..a6", "A")
    drawing.hosts("b1..b6", "B")
    found = drawing.inferred()
    assert shape(found) == tree("a1..a6", "b1..b6")
    assert kinds(found) == {"forest"}


def test_a_pod_without_core_links_is_a_root_and_nobody_is_lost() -> None:
    drawing = pods(3, 3, 2)
    for spine in range(4):
        for core in range(2):
            drawing.cut(f"S3-{spine}", f"C{spine}-{core}")
    found = drawing.inferred()
    pod_3 = units("3a 3b", 3)
    assert shape(found) == tree([units("1a 1b 1c", 3), units("2a 2b 2c", 3)], pod_3)
    assert "forest" in kinds(found)
    assert found.unplaced == ()


def test_a_leaf_without_uplinks_is_a_root() -> None:
    drawing = rails("abcd", each=1)
    for spine in range(4):
        drawing.cut("Lb0", f"S{spine}")
    assert shape(drawing.inferred()) == tree(units("a c d"), "b1..b4")


def test_tiers_are_dropped_where_the_placed_nodes_make_them_say_nothing() -> None:
    # Only pod 1 is ours: the core tier would repeat its spine group.
    assert shape(pods(3, 3).inferred("1a1 1a2 1b1")) == tree(["1a1 1a2", "1b1"])


def test_no_node_no_tree() -> None:
    found = rails().inferred("elsewhere")
    assert found.groups == ()
    assert [one.reason for one in found.unplaced] == ["not-heard"]
    assert told(found) == [("unplaced", "elsewhere")]
