"""Switches that serve several groups (storage, management) are taken out before overlaps are judged."""

from __future__ import annotations

import pytest

from hypernode.infer import infer
from hypernode.planes import Planes
from tests.drawing import NDR, Drawing, kinds, rails, shape, spread, told, tree, units

FALSE_ALARMS = {"dead-hca-link", "miscabled-hca", "rail-swap", "tie", "missing-switch", "dead-uplink", "empty-leaf"}


def everybody(count: int = 6, names: str = "abcd") -> list[str]:
    return [host for unit in names for host in spread(f"{unit}1..{unit}{count}")]


def store(drawing: Drawing, hosts: list[str], span: int, links: int, first: int, speed: str = NDR) -> str:
    """Storage leaves, ``links`` of them for every ``span`` hosts in the order given."""
    for number, start in enumerate(range(0, len(hosts), span)):
        leaves = " ".join(drawing.switches(" ".join(f"ST{number}-{link}" for link in range(links))))
        for host in hosts[start : start + span]:
            drawing.host(host, leaves, first=first, speed=speed)
    return " ".join(name for name in drawing.things if name.startswith("ST"))


@pytest.mark.parametrize(
    "uplink",
    [
        pytest.param("", id="isolated"),
        pytest.param("own", id="own spines"),
        pytest.param("S0 S1", id="on compute spines"),
    ],
)
@pytest.mark.parametrize("links", [pytest.param(1, id="one storage link"), pytest.param(2, id="twin storage links")])
@pytest.mark.parametrize("each", [pytest.param(each, id=f"{each} rails") for each in (1, 4)])
def test_a_storage_leaf_of_everybody_joins_nobody(each: int, links: int, uplink: str) -> None:
    #  La…  Lb…  Lc…  Ld…
    #   a    b    c    d
    #  └────┴─ ST ┴────┘
    drawing = rails("abcd", hosts=6, each=each)
    leaves = store(drawing, everybody(), 24, links, each)
    if uplink == "own":
        uplink = " ".join(drawing.switches("SS0 SS1"))
    if uplink:
        drawing.cable(leaves, uplink)
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c d", 6))
    assert "storage-plane" in kinds(found)
    assert not kinds(found) & FALSE_ALARMS


@pytest.mark.parametrize("span", [pytest.param(span, id=f"{span} a pair") for span in (8, 9, 16)])
@pytest.mark.parametrize("each", [pytest.param(each, id=f"{each} rails") for each in (4, 8)])
def test_storage_leaves_that_cut_the_hosts_elsewhere_lose_by_bandwidth(each: int, span: int) -> None:
    drawing = rails("abcd", hosts=6, each=each)
    drawing.switches("SS")
    drawing.cable(store(drawing, everybody(), span, 2, each), "SS", 4)
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c d", 6))
    assert not kinds(found) & FALSE_ALARMS


def test_storage_servers_on_the_storage_leaves_change_nothing() -> None:
    drawing = rails("abcd", hosts=6)
    leaves = store(drawing, everybody(), 24, 2, 4)
    drawing.hosts("nas1..nas6", leaves)
    found = drawing.inferred(" ".join(everybody()))
    assert shape(found) == tree(units("a b c d", 6))
    assert found.unplaced == ()


def test_a_slow_management_network_joins_nobody() -> None:
    drawing = rails("abcd", hosts=6)
    drawing.switches("MG")
    for host in everybody():
        drawing.host(host, "MG", first=9, speed="4xSDR")
    drawing.hosts("login1 ufm1", "MG")
    assert shape(drawing.inferred(" ".join(everybody()))) == tree(units("a b c d", 6))


def test_islands_joined_by_storage_stay_separate_roots() -> None:
    #   I1    I2
    #   a ─ST─ b
    drawing = Drawing()
    drawing.switches("I1 I2 ST")
    drawing.hosts("a1..a6", "I1 ST")
    drawing.hosts("b1..b6", "I2 ST")
    found = drawing.inferred()
    assert shape(found) == tree("a1..a6", "b1..b6")
    assert ("storage-plane", "ST") in told(found)


def test_a_host_that_only_storage_still_reaches_is_unplaced() -> None:
    drawing = rails("abcd", hosts=6)
    store(drawing, everybody(), 24, 2, 4)
    for rail in range(4):
        drawing.remove(f"a1/{rail}")
    found = drawing.inferred(" ".join(everybody()))
    assert shape(found) == tree(["a2..a6", *units("b c d", 6)])
    assert [(one.node, one.reason) for one in found.unplaced] == [("a1", "storage-only")]


def test_a_login_node_on_the_storage_network_alone_is_unplaced() -> None:
    drawing = rails("abcd", hosts=6)
    leaves = store(drawing, everybody(), 24, 1, 4)
    drawing.host("login1", leaves)
    found = drawing.inferred(" ".join([*everybody(), "login1"]))
    assert [(one.node, one.reason) for one in found.unplaced] == [("login1", "storage-only")]


def test_a_rail_that_carries_storage_uplinks_too_is_no_storage_network() -> None:
    # Rails without cross links: every rail is a part of its own. Storage leaves hang on the spines of rail 0.
    drawing = Drawing()
    drawing.switches("S0 S1 S2 S3")
    for unit in "abcd":
        leaves = drawing.switches(" ".join(f"L{unit}{rail}" for rail in range(4)))
        drawing.hosts(f"{unit}1..{unit}6", " ".join(leaves))
        for rail in range(4):
            drawing.cable(leaves[rail], f"S{rail}", 4)
    drawing.hosts("cpu1..cpu3", "La0")
    drawing.cable(store(drawing, everybody(), 9, 1, 4), "S0")
    found = drawing.inferred()
    assert shape(found) == tree(["a1..a6 cpu1..cpu3", *units("b c d", 6)])
    assert not {"La0", "S0"} & {name for kind, *names in told(found) if kind == "storage-plane" for name in names}


@pytest.mark.parametrize("salt", [0, 1, 2])
def test_several_miscabled_hosts_make_no_storage_network(salt: int) -> None:
    # Two of six hosts of b have rail 3 on La3; they lack their own leaf, so La3 serves no second group.
    drawing = rails("abc", hosts=6, each=8, salt=salt)
    drawing.move("b1/3", "La3")
    drawing.move("b2/3", "La3")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c", 6))
    assert "storage-plane" not in kinds(found)
    assert {("miscabled-hca", "b1", "La3"), ("miscabled-hca", "b2", "La3")} <= set(told(found))


@pytest.mark.parametrize("each", [pytest.param(each, id=f"{each} rails") for each in (1, 2, 4)])
def test_storage_servers_bridge_no_groups(each: int) -> None:
    # nas1..nas3 have both storage links and nothing else.
    drawing = rails("abcd", hosts=4, each=each)
    drawing.hosts("nas1..nas3", store(drawing, everybody(4), 16, 2, each))
    found = drawing.inferred(" ".join(everybody(4)))
    assert shape(found) == tree(units("a b c d"))


def equal_networks() -> Drawing:
    """Two networks of one link a host each, which cut the hosts into threes and into fours: structure cannot tell."""
    drawing = Drawing()
    drawing.switches("X0 X1 X2 X3 Y0 Y1 Y2 XS YS")
    for number in range(12):
        drawing.host(f"n{number}", f"X{number // 3} Y{number % 3}")
    drawing.cable("X0 X1 X2 X3", "XS", 2)
    drawing.cable("Y0 Y1 Y2", "YS", 2)
    return drawing


@pytest.mark.parametrize(
    "planes",
    [
        pytest.param(Planes(storage=("Y?", "YS")), id="storage named"),
        pytest.param(Planes(compute=("x?",)), id="compute named, in another case"),
    ],
)
def test_the_configuration_tells_networks_apart(planes: Planes) -> None:
    found = infer(equal_networks().fabric(), planes=planes)
    assert shape(found) == tree(["n0 n1 n2", "n3 n4 n5", "n6 n7 n8", "n9 n10 n11"])
    assert not kinds(found) & FALSE_ALARMS


def test_the_configuration_may_turn_the_tree_round() -> None:
    found = infer(equal_networks().fabric(), planes=Planes(storage=("X*",)))
    assert shape(found) == tree(["n0 n3 n6 n9", "n1 n4 n7 n10", "n2 n5 n8 n11"])


@pytest.mark.parametrize("servers", [pytest.param("", id="no servers"), pytest.param("nas1..nas3", id="with servers")])
@pytest.mark.parametrize("sizes", [(4, 5), (5, 4), (12, 8), (4, 9), (4, 4)], ids=str)
def test_twin_storage_of_two_unequal_units_joins_nobody(sizes: tuple[int, int], servers: str) -> None:
    drawing = Drawing()
    drawing.switches("S0 S1 La Lb ST0 ST1")
    for unit, count in zip("ab", sizes, strict=True):
        drawing.hosts(f"{unit}1..{unit}{count}", f"L{unit} ST0 ST1")
        drawing.cable(f"L{unit}", "S0 S1", 2)
    drawing.hosts(servers, "ST0 ST1")
    wanted = [f"{unit}1..{unit}{count}" for unit, count in zip("ab", sizes, strict=True)]
    assert shape(drawing.inferred(" ".join(wanted))) == tree(wanted)
