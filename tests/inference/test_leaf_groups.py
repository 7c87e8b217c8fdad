"""Hosts that share most of their leaf switches are one group, whatever a few cables say."""

from __future__ import annotations

import pytest

from tests.drawing import UNKNOWN, Drawing, kinds, rails, shape, told, tree, units


@pytest.mark.parametrize("each", [pytest.param(each, id=f"{each} rails") for each in (1, 2, 4, 8)])
def test_the_rail_leaves_of_one_unit_are_one_group(each: int) -> None:
    #     S0 S1 S2 S3
    #  La0…La7   Lb0…Lb7   Lc0…Lc7
    #   a1..a4    b1..b4    c1..c4
    found = rails(each=each).inferred()
    assert shape(found) == tree(units("a b c"))
    assert told(found) == []


def test_a_fabric_of_one_unit_keeps_the_leaf_tier_alone() -> None:
    assert shape(rails("a", each=8).inferred()) == tree("a1..a4")


def test_one_switch_is_one_group() -> None:
    drawing = Drawing()
    drawing.switches("L")
    drawing.hosts("a1..a9", "L")
    assert shape(drawing.inferred()) == tree("a1..a9")


@pytest.mark.parametrize("lost", [pytest.param(lost, id=f"{lost} of 8 lost") for lost in (1, 3, 4, 7)])
def test_dead_adapters_move_nobody(lost: int) -> None:
    drawing = rails(each=8)
    for rail in range(lost):
        drawing.remove(f"a1/{rail}")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert kinds(found) == {"dead-hca-link"}


def test_an_overlap_of_exactly_one_half_is_enough() -> None:
    # a1 kept one of two links: {La0} against {La0, La1}.
    drawing = rails(each=2)
    drawing.remove("a1/1")
    assert shape(drawing.inferred()) == tree(units("a b c"))


def test_equal_sets_of_leaves_belong_together_whatever_the_bandwidth() -> None:
    # a1..a4 have 400 Gbit/s on each leaf, a5 100 on one and 25 on the other.
    drawing = rails(each=2)
    drawing.adapter("a5/0", "La0", "a5 mlx5_0", speed="4xEDR")
    drawing.adapter("a5/1", "La1", "a5 mlx5_1", speed="1xEDR")
    assert shape(drawing.inferred()) == tree(["a1..a5", *units("b c")])


def test_the_overlap_is_weighed_by_bandwidth() -> None:
    # x has 400 Gbit/s on Lb0 and 2 × 100 on La0 and La1: more to b.
    drawing = rails("abc", each=2)
    drawing.adapter("x/0", "Lb0", "x mlx5_0")
    drawing.adapter("x/1", "La0", "x mlx5_1", speed="1xNDR")
    drawing.adapter("x/2", "La1", "x mlx5_2", speed="1xNDR")
    assert shape(drawing.inferred()) == tree(["a1..a4", "b1..b4 x", "c1..c4"])


def test_a_dead_leaf_moves_nobody_and_is_a_missing_switch() -> None:
    drawing = rails("abcd", each=8)
    drawing.remove("Lb3")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c d"))
    assert [one[0] for one in told(found)] == ["missing-switch"]


def test_two_exchanged_rails_of_two_units_move_nobody() -> None:
    #  a1 rail 3 on Lb3, b1 rail 3 on La3: each has 7 of 8 links at home.
    drawing = rails(each=8)
    drawing.move("a1/3", "Lb3")
    drawing.move("b1/3", "La3")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert ("miscabled-hca", "a1", "Lb3") in told(found)
    assert ("miscabled-hca", "b1", "La3") in told(found)


def test_hosts_that_changed_all_their_cables_changed_their_group() -> None:
    drawing = rails(each=8)
    for rail in range(8):
        drawing.move(f"a1/{rail}", f"Lb{rail}")
    found = drawing.inferred()
    assert shape(found) == tree(["a2..a4", "a1 b1..b4", "c1..c4"])
    assert told(found) == []


@pytest.mark.parametrize(
    ("moved", "home"),
    [
        pytest.param(3, "a", id="three of eight: it stays"),
        pytest.param(5, "b", id="five of eight: it has moved"),
    ],
)
def test_most_links_decide(moved: int, home: str) -> None:
    drawing = rails(hosts=6, each=8)
    for rail in range(moved):
        drawing.move(f"a1/{rail}", f"Lb{rail}")
    a, b = ("a1..a6", "b1..b6") if home == "a" else ("a2..a6", "a1 b1..b6")
    assert shape(drawing.inferred()) == tree([a, b, "c1..c6"])


@pytest.mark.parametrize("salt", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("leaves", "home"),
    [pytest.param("L1 M2", "a", id="lowest port with a"), pytest.param("M1 L2", "b", id="lowest port with b")],
)
def test_a_tie_goes_with_the_lowest_port(leaves: str, home: str, salt: int) -> None:
    #      S1  S2
    #   L1 L2  M1 M2       x has one foot in each rack
    #   a1..a5 b1..b6
    drawing = Drawing(salt)
    drawing.switches("S1 S2 L1 L2 M1 M2")
    drawing.hosts("a1..a5", "L1 L2")
    drawing.hosts("b1..b6", "M1 M2")
    drawing.host("x", leaves)
    drawing.cable("L1 L2 M1 M2", "S1 S2")
    found = drawing.inferred()
    assert shape(found) == tree(["a1..a5 x", "b1..b6"] if home == "a" else ["a1..a5", "b1..b6 x"])
    assert "tie" in kinds(found)


def test_port_ten_comes_after_port_two() -> None:
    drawing = rails("ab", each=1)
    drawing.host("x", "La0", first=10)
    drawing.adapter("x/2", "Lb0", "x mlx5_2")
    assert shape(drawing.inferred()) == tree(["a1..a4", "b1..b4 x"])


def test_a_foot_in_each_of_two_racks_joins_nobody_else() -> None:
    # Grouping is transitive, but one host between two racks is no reason to call them one.
    drawing = rails("ab", hosts=6, each=2)
    drawing.host("x", "La0 La1 Lb0 Lb1")
    found = shape(drawing.inferred())
    assert found in (tree(["a1..a6 x", "b1..b6"]), tree(["a1..a6", "b1..b6 x"]))


@pytest.mark.parametrize("count", [pytest.param(1, id="one"), pytest.param(3, id="fewer"), pytest.param(9, id="more")])
def test_hosts_with_one_adapter_join_the_owner_of_their_leaf(count: int) -> None:
    # c1..cN: CPU nodes on rail 0 of unit a.
    drawing = rails(each=8)
    drawing.hosts(f"cpu1..cpu{count}", "La0")
    assert shape(drawing.inferred()) == tree([f"a1..a4 cpu1..cpu{count}", *units("b c")])


def test_hosts_of_another_kind_have_no_dead_links() -> None:
    drawing = rails(hosts=6, each=8)
    drawing.hosts("cpu1..cpu3", "La0")
    assert told(drawing.inferred()) == []


def test_a_host_whose_last_link_is_on_a_foreign_leaf_goes_with_that_leaf() -> None:
    drawing = rails(each=4)
    for rail in (0, 1, 2):
        drawing.remove(f"a1/{rail}")
    drawing.move("a1/3", "Lb3")
    assert shape(drawing.inferred()) == tree(["a2..a4", "a1 b1..b4", "c1..c4"])


def test_several_links_to_one_leaf_are_one_leaf() -> None:
    drawing = Drawing()
    drawing.switches("S1 S2")
    for unit in "abc":
        drawing.switches(f"L{unit}")
        drawing.hosts(f"{unit}1..{unit}5", f"L{unit} L{unit}")
        drawing.cable(f"L{unit}", "S1 S2", 2)
    drawing.cut("a1/1", "La")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c", 5))
    assert [one[:3] for one in told(found)] == [("dead-hca-link", "a1", "La")]


def test_leaves_of_one_host_each_are_groups() -> None:
    drawing = Drawing()
    drawing.switches("S1 S2")
    for number in range(1, 7):
        drawing.switches(f"L{number}")
        drawing.host(f"n{number}", f"L{number}")
        drawing.cable(f"L{number}", "S1 S2", 2)
    found = drawing.inferred()
    assert shape(found) == tree(["n1", "n2", "n3", "n4", "n5", "n6"])
    assert told(found) == []


def test_half_a_unit_of_rails_is_a_unit() -> None:
    drawing = rails(each=8)
    drawing.switches("X0 X1 X2 X3")
    drawing.hosts("x1..x4", "X0 X1 X2 X3")
    drawing.cable("X0 X1 X2 X3", "S0 S1 S2 S3")
    found = drawing.inferred()
    assert shape(found) == tree([*units("a b c"), "x1..x4"])
    assert "dead-hca-link" not in kinds(found)


def test_unknown_speeds_count_alike() -> None:
    drawing = Drawing()
    drawing.switches("S1 S2")
    for unit in "abc":
        leaves = " ".join(drawing.switches(f"L{unit}0 L{unit}1"))
        drawing.hosts(f"{unit}1..{unit}4", leaves, speed=UNKNOWN)
        drawing.cable(leaves, "S1 S2", speed=UNKNOWN)
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert kinds(found) == {"unknown-speed"}


def test_generations_mixed_on_the_same_leaves_are_no_slow_links() -> None:
    drawing = rails(each=2)
    for unit in "abc":
        drawing.hosts(f"{unit}5..{unit}8", f"L{unit}0 L{unit}1", speed="4xEDR")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c", 8))
    assert told(found) == []


MODELS = [pytest.param("ports", id="one adapter of four ports"), pytest.param("cards", id="four adapters")]


@pytest.mark.parametrize("model", MODELS)
def test_the_planes_of_one_port_are_links_of_one_host(model: str) -> None:
    drawing = Drawing()
    drawing.switches("S0 S1 S2 S3")
    for unit in "abc":
        leaves = drawing.switches(" ".join(f"L{unit}{plane}" for plane in range(4)))
        for host in range(1, 5):
            name = f"{unit}{host}"
            first = drawing.adapter(f"{name}/0", leaves[0], f"{name} mlx5_0", speed="1xXDR")
            for plane in (1, 2, 3):
                if model == "ports":
                    drawing.connect(first, leaves[plane], "1xXDR")
                else:
                    drawing.adapter(f"{name}/0.{plane}", leaves[plane], f"{name} mlx5_0", system=first.guid)
        for plane in range(4):
            drawing.cable(leaves[plane], f"S{plane}", 2)
    assert shape(drawing.inferred()) == tree(units("a b c"))


def test_miscabled_hosts_do_not_cost_others_their_only_leaf() -> None:
    # Two links a host, both on its one leaf. b1 has a foot on La, c1 and c2 too; a1..a6 have La alone.
    drawing = Drawing()
    drawing.switches("S1 S2")
    for unit in "abcd":
        drawing.switches(f"L{unit}")
        drawing.hosts(f"{unit}1..{unit}6", f"L{unit} L{unit}")
        drawing.cable(f"L{unit}", "S1 S2", 2)
    for adapter in ("b1/1", "c1/1", "c2/1"):
        drawing.move(adapter, "La")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c d", 6))
    assert found.unplaced == ()


def test_dead_adapters_of_a_small_unit_split_nobody() -> None:
    # a1 and a2 lost rail 0, a3 lost rail 2: without La1 they share only La3, and still they are one unit.
    drawing = rails(hosts=3)
    for adapter in ("a1/0", "a2/0", "a3/2"):
        drawing.remove(adapter)
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c", 3))
    assert kinds(found) == {"dead-hca-link"}
