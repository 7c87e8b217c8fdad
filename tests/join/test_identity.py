"""Which adapter is in which machine: GUIDs first, names last, and never a name alone against a GUID."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.drawing import Drawing, kinds, rails, shape, spread, told, tree, units

NODES = "a1..a4 b1..b4 c1..c4"
FACTORY = "MT4129 ConnectX7   Mellanox Technologies"


def reasons(drawing: Drawing, nodes: str = NODES) -> list[tuple[str, str]]:
    return [(one.node, one.reason) for one in drawing.inferred(nodes).unplaced]


def test_guids_that_a_node_reports_name_its_silent_adapters() -> None:
    drawing = rails()
    drawing.rename("a1", FACTORY)
    drawing.reports("a1")
    found = drawing.inferred(NODES)
    assert shape(found) == tree(units("a b c"))
    assert found.unplaced == ()


def test_one_known_guid_of_four_is_enough_for_a_place() -> None:
    drawing = rails()
    drawing.rename("a1", FACTORY)
    drawing.reports("a1", "a1/2")
    found = drawing.inferred(NODES)
    assert shape(found) == tree(units("a b c"))
    assert "dead-hca-link" not in kinds(found)


def test_reported_guids_name_the_devices_for_findings() -> None:
    drawing = rails()
    for host in spread("a1..a4"):
        drawing.rename(host, FACTORY)
        drawing.reports(host)
    drawing.move("a1/2", "Lb2")
    [wrong] = [one for one in drawing.inferred(NODES).findings if one.kind == "miscabled-hca"]
    assert wrong.objects == ("a1", "Lb2")
    assert "mlx5_2" in wrong.message


def test_guids_win_over_swapped_descriptions() -> None:
    drawing = rails()
    drawing.rename("a1", "b1 mlx5_{}")
    drawing.rename("b1", "a1 mlx5_{}")
    drawing.reports("a1")
    drawing.reports("b1")
    found = drawing.inferred(NODES)
    assert shape(found) == tree(units("a b c"))
    assert {("description-contradicts-guid", "a1", "b1"), ("description-contradicts-guid", "b1", "a1")} <= set(
        told(found)
    )


def test_a_description_that_a_guid_contradicts_names_nobody() -> None:
    # Only a1 reports. What calls itself a1 elsewhere is not a1, and b1 has nothing that calls itself b1 left.
    drawing = rails()
    drawing.rename("a1", "b1 mlx5_{}")
    drawing.rename("b1", "a1 mlx5_{}")
    drawing.reports("a1")
    found = drawing.inferred(NODES)
    assert shape(found) == tree(["a1..a4", "b2..b4", "c1..c4"])
    assert [one.node for one in found.unplaced] == ["b1"]


def test_hypervisor_names_are_overruled_by_guids() -> None:
    drawing = rails()
    for number, host in enumerate(spread(NODES)):
        drawing.rename(host, f"hv-{number:04d} mlx5_{{}}")
        drawing.reports(host)
    found = drawing.inferred(NODES)
    assert shape(found) == tree(units("a b c"))
    assert found.unplaced == ()


def test_a_guid_of_two_nodes_belongs_to_neither() -> None:
    drawing = rails()
    drawing.reports("a1")
    drawing.adapters.append(replace(drawing.adapters[0], node="a2"))
    found = drawing.inferred(NODES)
    assert shape(found) == tree(units("a b c"))
    assert ("duplicate-guid", "a1", "a2") in told(found)


def test_the_card_names_an_adapter_that_is_silent() -> None:
    # Both ports of a card share one system image GUID; the second one shows its factory description.
    drawing = rails(each=2)
    for host in spread(NODES):
        drawing.things[f"{host}/1"].system = drawing.things[f"{host}/0"].guid
        drawing.things[f"{host}/1"].text = FACTORY
    found = drawing.inferred(NODES)
    assert shape(found) == tree(units("a b c"))
    assert "dead-hca-link" not in kinds(found)


def test_a_zero_card_joins_nobody() -> None:
    drawing = rails()
    for thing in drawing.things.values():
        thing.system = 0
    drawing.rename("a1", FACTORY)
    found = drawing.inferred(NODES)
    assert shape(found) == tree(["a2..a4", *units("b c")])
    assert [(one.node, one.reason) for one in found.unplaced] == [("a1", "no-identity")]


def test_a_host_of_factory_descriptions_has_no_identity() -> None:
    drawing = rails()
    drawing.rename("a1", FACTORY)
    found = drawing.inferred(NODES)
    assert shape(found) == tree(["a2..a4", *units("b c")])
    assert [(one.node, one.reason) for one in found.unplaced] == [("a1", "no-identity")]
    assert "default-description" in kinds(found)


def test_a_named_host_with_many_factory_descriptions_is_one_short_finding() -> None:
    drawing = rails()
    drawing.rename("a1", FACTORY)
    drawing.reports("a1")
    (silent,) = drawing.inferred(NODES).findings
    assert silent.message.startswith("a1 (4 adapters) shows its factory description")
    assert (silent.kind, silent.objects[0], len(silent.objects)) == ("default-description", "a1", 5)


def test_localhost_is_nobody_and_bridges_nothing() -> None:
    drawing = rails()
    drawing.rename("a1", "localhost mlx5_{}")
    drawing.rename("b1", "localhost mlx5_{}")
    drawing.reports("b1")
    found = drawing.inferred(NODES)
    assert shape(found) == tree(["a2..a4", *units("b c")])
    assert [(one.node, one.reason) for one in found.unplaced] == [("a1", "no-identity")]


def test_two_machines_of_one_name_are_a_conflict() -> None:
    drawing = rails()
    for rail in range(4):
        drawing.adapter(f"second/{rail}", f"Lb{rail}", f"a1 mlx5_{rail}")
    found = drawing.inferred(NODES)
    assert shape(found) == tree(["a2..a4", *units("b c")])
    assert [(one.node, one.reason) for one in found.unplaced] == [("a1", "conflict")]
    (doubled,) = (one for one in found.findings if one.kind == "duplicate-hostname")
    assert (doubled.objects, doubled.nodes) == (("a1",), ("a1",))
    assert "mlx5_0 on La0 port 1 and Lb0 port 9; mlx5_1 on La1 port 1 and Lb1 port 9;" in doubled.message


def test_guids_settle_which_of_two_machines_is_the_node() -> None:
    drawing = rails()
    for rail in range(4):
        drawing.adapter(f"second/{rail}", f"Lb{rail}", f"a1 mlx5_{rail}")
    drawing.reports("a1")
    found = drawing.inferred(NODES)
    assert shape(found) == tree(units("a b c"))
    assert found.unplaced == ()


@pytest.mark.parametrize(
    ("said", "nodes"),
    [
        pytest.param("{}.cluster.example.com", "{}", id="the machine says its FQDN"),
        pytest.param("{}", "{}.cluster.example.com", id="the node is called by FQDN"),
        pytest.param("{}.ib.example.com", "{}.k8s.example.com", id="FQDNs of two domains"),
        pytest.param("RACK_{}", "rack-{}", id="case and underscores"),
        pytest.param("{}.", "{}", id="a final dot"),
    ],
)
def test_aliases_of_one_machine(said: str, nodes: str) -> None:
    drawing = rails()
    for host in spread(NODES):
        drawing.rename(host, said.format(host) + " mlx5_{}")
    wanted = [" ".join(nodes.format(host) for host in spread(str(unit))) for unit in units("a b c")]
    found = drawing.inferred(" ".join(wanted))
    assert shape(found) == tree(wanted)
    assert found.unplaced == ()
    assert told(found) == []


def test_two_nodes_of_one_short_name_are_never_guessed() -> None:
    drawing = Drawing()
    drawing.switches("L")
    drawing.hosts("n1 n2", "L")
    found = drawing.inferred("n1.east.example.com n1.west.example.com n2")
    assert shape(found) == tree("n2")
    assert {one.node for one in found.unplaced} == {"n1.east.example.com", "n1.west.example.com"}


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["node1 node10", "node100 node-1", "node1a node"], id="prefixes of each other"),
        pytest.param(["1 10", "01 010", "001 100"], id="digits only"),
        pytest.param(["mlx5-a mlx5-b", "hca-1 hca-2", "mellanox-lab connectx-dev"], id="names like devices"),
        pytest.param(["Skyway1 n2", "n3 n4", "n5 n6"], id="a name like a gateway's"),
    ],
)
def test_names_are_whole_words(names: list[str]) -> None:
    drawing = Drawing()
    drawing.switches("L0 L1 L2 S")
    for number, words in enumerate(names):
        drawing.hosts(words, f"L{number}")
    drawing.cable("L0 L1 L2", "S")
    found = drawing.inferred(" ".join(names))
    assert shape(found) == tree(names)
    assert found.unplaced == ()


@pytest.mark.parametrize("text", ["{}", "{} HCA-1", "{} hfi1_0", "  {}   mlx5_0 ", '{} "mlx5_0"'])
def test_the_first_word_is_the_host(text: str) -> None:
    drawing = Drawing()
    drawing.switches("L0 L1 S")
    drawing.hosts("a1..a4", "L0", text=text.replace("{}", "{0}"))
    drawing.hosts("b1..b4", "L1", text=text.replace("{}", "{0}"))
    drawing.cable("L0 L1", "S")
    assert shape(drawing.inferred()) == tree(["a1..a4", "b1..b4"])


def test_a_name_cut_off_at_64_bytes_is_completed_from_the_node_list() -> None:
    drawing = Drawing()
    drawing.switches("L0 L1 S")
    stem = "{}.training.cluster-a.eu-central-1.example-company-with-long-name.internal"
    for unit, leaf in (("a", "L0"), ("b", "L1")):
        for number in range(1, 4):
            name = f"gpu-node-{unit}{number}"
            drawing.adapter(f"{name}/0", leaf, (stem.format(name) + " mlx5_0")[:64])
    drawing.cable("L0 L1", "S")
    wanted = [" ".join(stem.format(f"gpu-node-{unit}{number}") for number in range(1, 4)) for unit in "ab"]
    assert shape(drawing.inferred(" ".join(wanted))) == tree(wanted)


def test_a_node_that_no_sweep_shows_is_told_with_its_reason() -> None:
    drawing = rails()
    assert reasons(drawing, NODES + " ghost") == [("ghost", "not-heard")]


def test_a_node_that_reports_adapters_without_links() -> None:
    drawing = rails()
    drawing.reports("a1")
    for rail in range(4):
        drawing.remove(f"a1/{rail}")
    assert reasons(drawing) == [("a1", "no-compute-link")]
    assert "stale-guid" in kinds(drawing.inferred(NODES))


def test_a_reported_adapter_that_no_sweep_shows_is_told() -> None:
    drawing = rails()
    drawing.reports("a1")
    drawing.remove("a1/2")
    found = drawing.inferred(NODES)
    assert ("stale-guid", "a1", "mlx5_2") in {one[:3] for one in told(found)}
    assert ("dead-hca-link", "a1", "La2") in {one[:3] for one in told(found)}


def test_without_a_node_list_every_named_host_is_a_node() -> None:
    drawing = rails("ab")
    drawing.adapter("x/0", "La0", FACTORY)
    drawing.hosts("UFM", "Lb0")
    assert shape(drawing.inferred()) == tree(["a1..a4", "UFM b1..b4"])
