"""``why`` shows the links and votes that put a node where it is, each with its witness, and one true sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hypernode.infer import infer
from hypernode.naming import name_tree
from hypernode.why import evidence, explain, from_evidence
from tests.drawing import Drawing, pods, rails, spread


def why(drawing: Drawing, node: str, nodes: str | None = None) -> dict[str, Any]:
    fabric = drawing.fabric(nodes)
    found = infer(fabric)
    return explain(node, fabric, found, name_tree(found.groups))


def test_every_link_is_shown_with_both_ends_and_its_witness() -> None:
    drawing = rails(each=4)
    answer = why(drawing, "a1")
    assert [link["device"] for link in answer["links"]] == ["mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"]
    link = answer["links"][2]
    adapter = drawing.things["a1/2"]
    _, leaf, port, _ = adapter.lines[0]
    assert (link["adapter"], link["adapterPort"]) == (f"{adapter.guid:016x}", 1)
    assert (link["switch"], link["switchGuid"], link["switchPort"]) == ("La2", f"{leaf.guid:016x}", port)
    assert (link["speed"], link["gbps"], link["place"]) == ("4x NDR", 400.0, "home")
    assert link["saidBy"] == ["switch", "adapter"]
    assert link["witness"] == "ibnetdiscover from ibnetdiscover.txt Wed Aug  6 16:11:23 2025"


def test_the_path_leads_upward_and_its_first_group_holds_the_votes() -> None:
    answer = why(pods(3, 3), "1a1")
    assert [name.partition("-")[0] for name in answer["path"]] == ["leaf", "spine", "core"]
    assert answer["votes"] == [{"hyperNode": answer["path"][0], "links": 1, "gbps": 400.0}]
    assert "1 of 1 links" in answer["reason"]
    assert "known by its name" in answer["reason"]


def test_votes_of_a_miscabled_host_are_those_of_all_its_links() -> None:
    drawing = rails(each=8)
    drawing.move("a1/2", "Lb2")
    answer = why(drawing, "a1")
    home, other = answer["votes"]
    assert (home["links"], home["gbps"]) == (7, 2800.0)
    assert (other["links"], other["gbps"]) == (1, 400.0)
    assert home["hyperNode"] == answer["path"][0] != other["hyperNode"]
    assert [link["place"] for link in answer["links"]] == ["home", "home", "foreign", *["home"] * 5]
    assert "7 of 8 links" in answer["reason"]
    assert f"1 to {other['hyperNode']}" in answer["reason"]
    assert [one["kind"] for one in answer["findings"]] == ["miscabled-hca"]


def test_storage_has_no_vote() -> None:
    drawing = rails("abcd")
    drawing.switches("ST")
    for unit in "abcd":
        for host in spread(f"{unit}1..{unit}4"):
            drawing.host(host, "ST", first=4)
    answer = why(drawing, "b2")
    assert [link["place"] for link in answer["links"]] == ["home"] * 4 + ["storage"]
    assert [vote["links"] for vote in answer["votes"]] == [4]
    assert "storage network, which has no vote" in answer["reason"]


def test_a_stray_says_what_it_stands_below() -> None:
    drawing = rails("abcd")
    drawing.host("login", "S2")
    answer = why(drawing, "login")
    assert [link["place"] for link in answer["links"]] == ["stray"]
    assert "no leaf" in answer["reason"]
    assert [one["kind"] for one in answer["findings"]] == ["stray-host"]


def test_a_node_known_by_its_guids_says_so() -> None:
    drawing = rails()
    drawing.rename("a1", "MT4129 ConnectX7   Mellanox Technologies")
    drawing.reports("a1")
    assert "known by the GUIDs it reports" in why(drawing, "a1", "a1..a4 b1..b4 c1..c4")["reason"]


@pytest.mark.parametrize(
    ("node", "reason"), [pytest.param("a1", "no-identity", id="silent"), pytest.param("b2", "conflict", id="two of it")]
)
def test_an_unplaced_node_says_why(node: str, reason: str) -> None:
    drawing = rails()
    drawing.rename("a1", "MT4129 ConnectX7   Mellanox Technologies")
    for rail in range(4):
        drawing.adapter(f"second/{rail}", f"Lc{rail}", f"b2 mlx5_{rail}")
    answer = why(drawing, node, "a1..a4 b1..b4 c1..c4")
    assert answer["path"] == []
    assert reason in answer["reason"]
    assert "unplaced" in [one["kind"] for one in answer["findings"]]


def test_a_link_that_one_end_mentions_says_which() -> None:
    drawing = rails()
    drawing.mute("a1/0", "La0")
    assert [link["saidBy"] for link in why(drawing, "a1")["links"]] == [["switch"], *[["switch", "adapter"]] * 3]


def test_an_unknown_node_is_an_error() -> None:
    with pytest.raises(KeyError):
        why(rails(), "nobody")


@pytest.mark.parametrize("node", ["a1", "b2", "c3", "login"])
def test_the_evidence_of_a_store_answers_alike(node: str) -> None:
    drawing = rails(each=4)
    drawing.move("a1/2", "Lb2")
    drawing.remove("b2/1")
    drawing.host("login", "S0")
    fabric = drawing.fabric()
    found = infer(fabric)
    named = name_tree(found.groups)
    stored = json.loads(json.dumps(evidence(fabric, found, named)))
    assert from_evidence(node, stored) == explain(node, fabric, found, named)
