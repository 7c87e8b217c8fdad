"""What is told about cables: each fault once, with its host, switch and port, and nothing about sound ones."""

from __future__ import annotations

import pytest

from discovery.findings import Finding
from hypernode.infer import Inference
from tests.drawing import Drawing, kinds, pods, rails, shape, told, tree, units


def only(found: Inference, kind: str) -> Finding:
    [one] = [one for one in found.findings if one.kind == kind]
    return one


def test_a_dead_adapter_is_told_with_its_switch_and_its_rail() -> None:
    drawing = rails(each=8)
    drawing.remove("b2/3")
    found = drawing.inferred()
    dead = only(found, "dead-hca-link")
    assert dead.objects == ("b2", "Lb3", "mlx5_3")
    assert dead.nodes == ("b2",)
    assert dead.lost == 1.0
    assert "3 of 4" in dead.message
    assert kinds(found) == {"dead-hca-link"}


def test_two_dead_adapters_are_two_findings() -> None:
    drawing = rails(each=8)
    drawing.remove("b2/3")
    drawing.remove("c1/0")
    found = drawing.inferred()
    assert [one[:3] for one in told(found)] == [("dead-hca-link", "b2", "Lb3"), ("dead-hca-link", "c1", "Lc0")]


def test_dead_links_of_hosts_that_are_no_nodes_are_nobodys_business() -> None:
    drawing = rails(each=4)
    drawing.remove("b2/3")
    nodes = "a1..a4 b1 b3 b4 c1..c4"
    assert told(drawing.inferred(nodes)) == []


def test_an_unnamed_adapter_on_the_leaf_may_be_the_missing_one() -> None:
    drawing = rails(each=4)
    drawing.rename("b2", "b2 mlx5_{}")
    drawing.things["b2/3"].text = "MT4129 ConnectX7   Mellanox Technologies"
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert kinds(found) == {"default-description"}


def test_one_of_two_ports_of_an_adapter_is_down() -> None:
    drawing = Drawing()
    drawing.switches("S1 S2")
    for unit in "abc":
        drawing.switches(f"L{unit}0 L{unit}1")
        for host in range(1, 5):
            adapter = drawing.adapter(f"{unit}{host}/0", f"L{unit}0", f"{unit}{host} mlx5_0")
            drawing.connect(adapter, f"L{unit}1")
        drawing.cable(f"L{unit}0 L{unit}1", "S1 S2")
    drawing.cut("a1/0", "La1")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert [one[:3] for one in told(found)] == [("dead-hca-link", "a1", "La1")]


def test_a_miscabled_adapter_is_told_with_its_port_and_its_home() -> None:
    drawing = rails(each=8)
    drawing.move("a2/5", "Lc5")
    found = drawing.inferred()
    wrong = only(found, "miscabled-hca")
    assert wrong.objects == ("a2", "Lc5")
    assert all(word in wrong.message for word in ("mlx5_5", f"port {drawing.things['a2/5'].lines[0][2]}", "La5"))
    assert kinds(found) == {"miscabled-hca"}


def test_rails_crossed_inside_a_unit_move_nobody_and_are_told() -> None:
    drawing = rails(each=8)
    drawing.move("a2/2", "La3")
    drawing.move("a2/3", "La2")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert {one[:3] for one in told(found)} == {("rail-swap", "a2", "La2"), ("rail-swap", "a2", "La3")}


def test_an_outsider_with_one_adapter_swapped_no_rails() -> None:
    drawing = rails(each=4)
    drawing.host("ufm", "La2")
    assert told(drawing.inferred("a1..a4 b1..b4 c1..c4")) == []


@pytest.mark.parametrize("speed", ["1xNDR", "4xHDR"])
def test_a_slow_link_is_told_and_moves_nobody(speed: str) -> None:
    drawing = rails(each=4)
    drawing.remove("a1/2")
    drawing.adapter("a1/2", "La2", "a1 mlx5_2", speed=speed)
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    slow = only(found, "slow-link")
    assert slow.objects[:2] == ("a1", "La2")
    usual, runs = {"1xNDR": 100, "4xHDR": 200}, "a1 mlx5_2 runs at"
    assert f"{runs} {usual[speed]} Gbit/s, its peers at 400 Gbit/s." in slow.message
    assert kinds(found) == {"slow-link"}


def test_dead_uplinks_are_told_with_their_number() -> None:
    drawing = Drawing()
    drawing.switches("S0 S1")
    for unit in "abc":
        drawing.switches(f"L{unit}")
        drawing.hosts(f"{unit}1..{unit}4", f"L{unit}")
        drawing.cable(f"L{unit}", "S0 S1", 4)
    drawing.cut("Lb", "S1", 3)
    dead = only(drawing.inferred(), "dead-uplink")
    assert dead.objects == ("Lb", "S1")
    assert dead.message == "Lb has 1 of 4 links to S1 (free between its uplinks: ports 9, 10, 11)."
    assert dead.lost == 3.0


def test_a_dead_uplink_has_a_port_only_where_no_other_port_could_be_meant() -> None:
    drawing = Drawing()
    drawing.switches("S0 S1 spare")
    for unit in "abc":
        drawing.switches(f"L{unit}")
        drawing.hosts(f"{unit}1..{unit}4", f"L{unit}")
        drawing.cable(f"L{unit}", "S0 spare S1")
    drawing.remove("spare")
    drawing.cable("La Lb Lc", "S0 S1")
    drawing.cut("La", "S1")
    drawing.cut("Lb", "S0", 2)
    messages = sorted(one.message for one in drawing.inferred().findings)
    assert messages == ["La has 1 of 2 links to S1.", "Lb has 0 of 2 links to S0."]


def test_a_dead_core_link_is_told() -> None:
    drawing = pods(3, 3)
    drawing.cut("S1-2", "C2-1")
    found = drawing.inferred()
    assert [one[:3] for one in told(found)] == [("dead-uplink", "S1-2", "C2-1")]


def test_a_login_leaf_with_few_uplinks_is_of_another_kind() -> None:
    drawing = rails("abcd", spines=8)
    drawing.switches("MG")
    drawing.hosts("login1..login4", "MG")
    drawing.cable("MG", "S0 S1")
    assert told(drawing.inferred("a1..a4 b1..b4 c1..c4 d1..d4")) == []


def test_a_cable_that_one_end_does_not_mention() -> None:
    drawing = rails()
    drawing.mute("a1/1", "La1")
    drawing.mute("Lb1", "S1")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert {(one[0], frozenset(one[1:])) for one in told(found)} == {
        ("one-sided-link", frozenset({"La1", "a1 mlx5_1"})),
        ("one-sided-link", frozenset({"S1", "Lb1"})),
    }


def test_a_switch_cabled_to_itself() -> None:
    drawing = rails()
    drawing.cable("S0", "S0")
    found = drawing.inferred()
    assert shape(found) == tree(units("a b c"))
    assert told(found) == [("self-loop", "S0")]


def test_every_finding_names_a_cluster_node_where_it_touches_one() -> None:
    drawing = rails(each=8)
    drawing.remove("a1/0")
    drawing.move("b1/1", "Lc1")
    drawing.host("login", "S0")
    drawing.rename("c1", "MT4129 ConnectX7   Mellanox Technologies")
    found = drawing.inferred("a1..a4 b1..b4 c1..c4 login")
    nodes = {one.kind: one.nodes for one in found.findings if one.nodes}
    assert nodes["dead-hca-link"] == ("a1",)
    assert nodes["miscabled-hca"] == ("b1",)
    assert nodes["stray-host"] == ("login",)
    assert nodes["unplaced"] == ("c1",)
