"""Which switches are leaves: neither a count of hosts nor a majority of neighbours tells."""

from __future__ import annotations

import itertools

import pytest

from tests.drawing import AGGREGATION_NODE, Drawing, kinds, pods, rails, shape, told, tree, units


def test_a_node_on_a_spine_is_a_group_below_that_spines_group() -> None:
    #     S0 S1 S2 S3 ── login
    #    La  Lb  Lc  Ld
    drawing = rails("abcd", each=1)
    drawing.host("login", "S3")
    found = drawing.inferred()
    assert shape(found) == tree([*units("a b c d"), "login"])
    assert told(found) == [("stray-host", "login", "S3")]


def test_a_login_node_on_one_of_two_spines_of_two_leaves_is_a_stray() -> None:
    drawing = rails("ab", hosts=2, each=1, spines=2)
    drawing.host("login", "S1")
    found = drawing.inferred()
    assert shape(found) == tree([*units("a b", 2), "login"])
    assert kinds(found) == {"stray-host"}


@pytest.mark.parametrize("count", [pytest.param(count, id=f"{count} strays") for count in (1, 4, 9)])
def test_more_strays_than_a_leaf_has_hosts_are_strays_all_the_same(count: int) -> None:
    drawing = rails("abcdef", each=1)
    drawing.hosts(f"x1..x{count}", "S2")
    found = drawing.inferred()
    assert shape(found) == tree([*units("a b c d e f"), f"x1..x{count}"])
    assert "not-a-tree" not in kinds(found)


def test_a_stray_on_two_spines_is_one_group() -> None:
    drawing = rails("abcd", each=1)
    drawing.host("login", "S0 S1")
    assert shape(drawing.inferred()) == tree([*units("a b c d"), "login"])


def test_a_host_on_a_leaf_and_on_a_spine_belongs_to_the_leaf() -> None:
    drawing = rails("abc", each=2)
    drawing.host("login", "La0 S1")
    assert shape(drawing.inferred()) == tree(["a1..a4 login", *units("b c")])


def test_a_stray_in_a_pod_stays_in_the_pod() -> None:
    drawing = pods(3, 3)
    drawing.host("login", "S1-2")
    found = drawing.inferred()
    assert shape(found) == tree([[*units("1a 1b 1c", 3), "login"], units("2a 2b 2c", 3)])


def test_a_stray_on_a_core_is_a_group_below_the_core() -> None:
    # It has a HyperNode of every tier: a singleton leaf group in a singleton spine group.
    drawing = pods(3, 3)
    drawing.host("login", "C1-1")
    found = drawing.inferred()
    assert shape(found) == tree([units("1a 1b 1c", 3), units("2a 2b 2c", 3), ["login"]])
    assert told(found) == [("stray-host", "login", "C1-1")]


@pytest.mark.parametrize("count", [pytest.param(count, id=f"{count} a spine") for count in (1, 2, 4)])
def test_outsiders_on_every_spine_lift_nothing(count: int) -> None:
    drawing = rails("abcd", each=1)
    for spine in range(4):
        drawing.hosts(f"mon{spine}x1..mon{spine}x{count}", f"S{spine}")
    found = drawing.inferred("a1..a4 b1..b4 c1..c4 d1..d4")
    assert shape(found) == tree(units("a b c d"))
    assert found.unplaced == ()


def test_roles_are_judged_over_all_hosts_and_then_filtered() -> None:
    # Only unit b is ours; the others' leaves must not look like spines.
    found = rails("abcd").inferred("b1..b4")
    assert shape(found) == tree("b1..b4")
    assert told(found) == []


def test_one_node_of_each_unit() -> None:
    assert shape(rails("abcd").inferred("a1 b2 c3 d4")) == tree(["a1", "b2", "c3", "d4"])


def test_nodes_of_two_pods() -> None:
    found = pods(3, 3, 3).inferred("1a1 1a2 1b3 3c1")
    assert shape(found) == tree([["1a1 1a2", "1b3"], ["3c1"]])


def test_outsiders_on_one_rail_change_nothing() -> None:
    drawing = rails("abc")
    drawing.hosts("ufm ubuntu", "La2")
    found = drawing.inferred("a1..a4 b1..b4 c1..c4")
    assert shape(found) == tree(units("a b c"))
    assert told(found) == []


def test_another_cluster_on_the_same_leaves_is_left_out() -> None:
    drawing = rails("abc")
    for unit in "abc":
        drawing.hosts(f"other{unit}1..other{unit}9", f"L{unit}0 L{unit}1")
    found = drawing.inferred("a1..a4 b1..b4 c1..c4")
    assert shape(found) == tree(units("a b c"))
    assert told(found) == []


def test_aggregation_nodes_routers_and_gateways_are_no_hosts() -> None:
    drawing = rails("abc")
    for name in [name for name, thing in drawing.things.items() if thing.letter == "S"]:
        guid = drawing.things[name].guid
        text = "Mellanox Technologies Aggregation Node"
        drawing.adapter(f"an-{name}", name, text, system=guid, model=AGGREGATION_NODE)
    drawing.adapter("router1", "S0", "router")
    drawing.adapter("gateway", "S1", "MF0;gw1:MGA100-HS2/U1")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert told(found) == []


@pytest.mark.parametrize("count", [pytest.param(1, id="one"), pytest.param(6, id="more than full ones")])
def test_empty_leaves_make_no_tier(count: int) -> None:
    drawing = rails("ab", each=1)
    empty = " ".join(drawing.switches(" ".join(f"E{number}" for number in range(count))))
    drawing.cable(empty, "S0 S1 S2 S3")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b"))
    assert sorted(told(found)) == [("empty-leaf", f"E{number}") for number in range(count)]


def test_empty_leaves_of_a_pod_make_no_alarm() -> None:
    drawing = pods(4, 4, 4)
    drawing.switches("E1 E2 E3 E4")
    drawing.cable("E1 E2 E3 E4", "S1-0 S1-1 S1-2 S1-3")
    found = drawing.inferred()
    assert shape(found) == tree(*[[units(" ".join(f"{pod}{unit}" for unit in "abcd"), 3) for pod in (1, 2, 3)]])
    assert kinds(found) == {"empty-leaf"}


def test_spare_switches_change_nothing() -> None:
    # Z1 and Z2 know only each other, Z3 dangles from a leaf, Z4 from a spine.
    drawing = rails("abc", each=1)
    drawing.switches("Z1 Z2 Z3 Z4")
    drawing.cable("Z1", "Z2")
    drawing.cable("La0", "Z3")
    drawing.cable("S0", "Z4")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert {("disconnected", "Z1"), ("disconnected", "Z2")} <= set(told(found))


def ring(count: int) -> list[tuple[int, int]]:
    return [(one, (one + 1) % count) for one in range(count)]


def cube(dimensions: int) -> list[tuple[int, int]]:
    pairs = [(one, one ^ (1 << bit)) for one in range(1 << dimensions) for bit in range(dimensions)]
    return [pair for pair in pairs if pair[0] < pair[1]]


def torus(*sizes: int) -> list[tuple[int, int]]:
    places = {place: number for number, place in enumerate(itertools.product(*map(range, sizes)))}
    cables = set()
    for place, number in places.items():
        for axis, size in enumerate(sizes):
            beside = (*place[:axis], (place[axis] + 1) % size, *place[axis + 1 :])
            cables.add((min(number, places[beside]), max(number, places[beside])))
    return sorted(cables)


def mesh(count: int) -> list[tuple[int, int]]:
    return list(itertools.combinations(range(count), 2))


FLAT = [
    *[pytest.param(ring(count), id=f"ring of {count}") for count in (3, 4, 5, 6, 9)],
    *[pytest.param(cube(dimensions), id=f"hypercube of {dimensions} dimensions") for dimensions in (3, 4, 5)],
    *[pytest.param(torus(*sizes), id=f"torus {sizes}") for sizes in ((3, 3), (4, 4), (5, 4), (3, 3, 4))],
    *[pytest.param(mesh(count), id=f"mesh of {count}") for count in (2, 3, 6)],
]


@pytest.mark.parametrize("hosts", [pytest.param([3], id="alike"), pytest.param([1, 2, 3, 2, 1], id="uneven")])
@pytest.mark.parametrize("cables", FLAT)
def test_a_flat_fabric_has_a_group_a_switch_and_one_above(cables: list[tuple[int, int]], hosts: list[int]) -> None:
    drawing = Drawing()
    count = max(max(pair) for pair in cables) + 1
    drawing.switches(" ".join(f"T{number}" for number in range(count)))
    groups = []
    for number in range(count):
        groups.append(f"t{number}h1..t{number}h{hosts[number % len(hosts)]}")
        drawing.hosts(groups[-1], f"T{number}")
    for one, other in cables:
        drawing.cable(f"T{one}", f"T{other}")
    found = drawing.inferred()
    assert shape(found) == tree(groups)
    assert "stray-host" not in kinds(found)


@pytest.mark.parametrize("holes", [pytest.param({6}, id="one"), pytest.param({0, 5, 10}, id="three")])
def test_switches_whose_hosts_are_off_stay_inside_a_flat_fabric(holes: set[int]) -> None:
    drawing = Drawing()
    drawing.switches(" ".join(f"T{number}" for number in range(16)))
    for number in set(range(16)) - holes:
        drawing.hosts(f"t{number}h1..t{number}h3", f"T{number}")
    for one, other in torus(4, 4):
        drawing.cable(f"T{one}", f"T{other}")
    found = drawing.inferred()
    assert shape(found) == tree([f"t{number}h1..t{number}h3" for number in set(range(16)) - holes])
    assert kinds(found) == {"not-a-tree", "empty-leaf"}


def test_switches_in_cascade_are_all_leaves() -> None:
    #  L1 ─ L0 ─ L2     all with hosts
    #       └─ L3
    drawing = Drawing()
    drawing.switches("L0 L1 L2 L3")
    for number in range(4):
        drawing.hosts(f"n{number}h1..n{number}h6", f"L{number}")
    drawing.cable("L1 L2 L3", "L0", 2)
    found = drawing.inferred()
    assert shape(found) == tree([f"n{number}h1..n{number}h6" for number in range(4)])


def test_a_leaf_with_one_neighbour_stands_over_nobody() -> None:
    drawing = Drawing()
    drawing.switches("L1 L2")
    drawing.hosts("a1..a12", "L1")
    drawing.host("b", "L2")
    drawing.cable("L1", "L2", 4)
    found = drawing.inferred()
    assert shape(found) == tree(["a1..a12", "b"])
    assert "stray-host" not in kinds(found)


def test_a_cable_between_two_leaves_changes_no_level() -> None:
    drawing = rails("abcd", each=1)
    drawing.cable("La0", "Lb0", 2)
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c d"))
    (link,) = found.findings
    assert (link.kind, sorted(link.objects)) == ("same-level-link", ["La0", "Lb0"])
    assert link.message.count(" ports 9, 10 ") == 2


def test_strays_on_spines_of_a_pod_of_one_leaf_do_not_lift_the_leaf() -> None:
    # S1-1 and S1-2 share their cores with S2-1, which has a stray too; L1a shares its spines with nobody.
    drawing = Drawing()
    drawing.switches("C0 C1 C2")
    for number, names in ((1, "a"), (2, "abc")):
        tops = " ".join(drawing.switches(" ".join(f"S{number}-{spine}" for spine in range(6))))
        for unit in names:
            drawing.switches(f"L{number}{unit}")
            drawing.hosts(f"{number}{unit}1..{number}{unit}6", f"L{number}{unit}")
            drawing.cable(f"L{number}{unit}", tops)
        drawing.cable(tops, "C0 C1 C2")
    drawing.host("x1", "S1-1")
    drawing.host("x2", "S1-2")
    drawing.host("x3", "S2-1")
    found = drawing.inferred()
    assert shape(found) == tree([["1a1..1a6", "x1", "x2"], [*units("2a 2b 2c", 6), "x3"]])
    assert {one[1] for one in told(found) if one[0] == "stray-host"} == {"x1", "x2", "x3"}
