"""Conditions: one catalogue, times that only move when a status flips, sentences that a person can act on."""

from __future__ import annotations

import pytest

from discovery.findings import Finding, Severity, found
from hypernode.conditions import LONGEST_MESSAGE, Circumstances, concerned, status
from hypernode.tree import HyperNode, Tree

NODES = frozenset({"a", "b", "c", "d"})
THEN, NOW = "2026-12-01T08:00:00Z", "2026-12-01T09:00:00Z"


def said(
    about: Circumstances, previous: object = None, generation: int = 1, now: str = THEN
) -> dict[str, dict[str, object]]:
    conditions = status(about, generation=generation, previous=previous, now=now)["conditions"]
    return {one["type"]: one for one in conditions}


def dead(host: str, switch: str, rail: str) -> Finding:
    return Finding("dead-hca-link", (host, switch, rail), Severity.WARNING, "no link", "check", nodes=(host,), lost=1.0)


def test_all_is_well() -> None:
    whole = status(Circumstances(NODES), generation=3, previous=None, now=THEN)
    assert whole["nodeCount"] == 4
    assert [(one["type"], one["status"], one["reason"]) for one in whole["conditions"]] == [
        ("Ready", "True", "Published"),
        ("Degraded", "False", "NothingMissing"),
        ("Stale", "False", "Seen"),
        ("Conflict", "False", "NoConflict"),
    ]
    for one in whole["conditions"]:
        assert one["observedGeneration"] == 3
        assert one["lastTransitionTime"] == THEN
        assert one["message"].endswith(".")


def test_the_same_again_is_identical() -> None:
    about = Circumstances(NODES, (dead("a", "leaf-3", "rail 3"),), frozenset({"b"}), THEN, ("theirs",))
    first = status(about, generation=1, previous=None, now=THEN)
    assert status(about, generation=1, previous=first, now=NOW) == first


def test_times_move_only_when_a_status_flips() -> None:
    first = status(Circumstances(NODES), generation=1, previous=None, now=THEN)
    one = said(Circumstances(NODES, (dead("a", "leaf-3", "rail 3"),)), first, 2, NOW)
    assert one["Degraded"]["lastTransitionTime"] == NOW
    assert one["Ready"]["lastTransitionTime"] == THEN
    assert one["Ready"]["observedGeneration"] == 2
    before = {"conditions": list(one.values())}
    two = said(Circumstances(NODES, (dead("b", "leaf-3", "rail 3"), dead("a", "leaf-3", "rail 3"))), before, 2, "later")
    assert two["Degraded"]["message"] != one["Degraded"]["message"]
    assert two["Degraded"]["lastTransitionTime"] == NOW


def test_dead_cables_are_counted_by_rail() -> None:
    findings = (dead("a", "leaf-3", "rail 3"), dead("b", "leaf-3", "rail 3"), dead("a", "leaf-1", "rail 1"))
    one = said(Circumstances(NODES, findings))["Degraded"]
    assert (one["status"], one["reason"]) == ("True", "DeadHcaLink")
    assert one["message"] == "rail 1: 1 of 4 cables down. rail 3: 2 of 4 cables down."


def test_other_findings_speak_for_themselves_the_worst_first() -> None:
    findings = (
        found("slow-link", "s1", a="s1", port=1, b="s2", speed="4x EDR", usual="4x NDR"),
        Finding("missing-switch", ("leaf-1",), Severity.WARNING, "leaf-1 has no switch for rail 2.", "look"),
        found("slow-link", "s1", a="s1", port=2, b="s2", speed="4x EDR", usual="4x NDR"),
        found("unknown-speed", links="3 links"),
    )
    one = said(Circumstances(NODES, findings))["Degraded"]
    assert one["reason"] == "MissingSwitch"
    assert str(one["message"]).startswith("leaf-1 has no switch for rail 2. s1 port 1 ")
    assert str(one["message"]).endswith("And 1 more like it.")
    assert "3 links" not in str(one["message"])


def test_harmless_findings_degrade_nothing() -> None:
    findings = (found("unknown-speed", links="3 links"), found("empty-leaf", "s", switch="s"))
    assert said(Circumstances(NODES, findings))["Degraded"]["status"] == "False"


def test_last_known_good_says_who_and_since_when() -> None:
    some = said(Circumstances(NODES, unseen=frozenset({"b", "x"}), since=THEN))
    assert some["Stale"]["reason"] == "LastKnownGood"
    assert some["Stale"]["message"] == f"1 of 4 nodes are not seen since {THEN}, their place is kept: b"
    assert some["Ready"]["status"] == "True"
    every = said(Circumstances(NODES, unseen=NODES, since=THEN))
    assert (every["Ready"]["status"], every["Ready"]["reason"]) == ("False", "NotSeen")


def test_rivals_are_named() -> None:
    one = said(Circumstances(NODES, rivals=("hand-made", "ufm-leaf")))["Conflict"]
    assert one["status"] == "True"
    assert one["message"] == "Its members are claimed by others too: hand-made, ufm-leaf."


def test_messages_are_bounded() -> None:
    findings = tuple(found("slow-link", "s", a="x" * 5000, port=1, b="y", speed="1", usual="2") for _ in range(3))
    assert len(str(said(Circumstances(NODES, findings))["Degraded"]["message"])) == LONGEST_MESSAGE


@pytest.mark.parametrize(
    "previous",
    [
        pytest.param("text", id="text"),
        pytest.param({"conditions": "text"}, id="text as conditions"),
        pytest.param({"conditions": [None, 5, {"type": ["x"]}, {"type": "Ready", "status": "True"}]}, id="odd rows"),
        pytest.param({"conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": 5}]}, id="odd time"),
    ],
)
def test_a_damaged_status_is_replaced(previous: object) -> None:
    assert said(Circumstances(NODES), previous)["Ready"]["lastTransitionTime"] == THEN


def test_what_others_say_in_the_status_stays() -> None:
    other = {"type": "Checked", "status": "True", "reason": "ByHand"}
    whole = status(Circumstances(NODES), generation=1, previous={"conditions": [other], "more": 1}, now=THEN)
    assert whole["conditions"][-1] == other
    assert whole["more"] == 1


def test_findings_are_told_by_the_hypernode_they_concern() -> None:
    tree = Tree.of(
        [
            HyperNode("nvlink-x", 1, "nvlink", nodes=("a", "b")),
            HyperNode("leaf-01", 2, "leaf", children=("nvlink-x",), switches=("01", "02")),
            HyperNode("spine-03", 3, "spine", children=("leaf-01",), switches=("03",)),
        ]
    )
    at_node, at_leaf = dead("a", "leaf-3", "rail 3"), found("link-down", "02", switch="02", port=1)
    at_spine = found("dead-uplink", "02", "03", switch="02", peer="03", left="1 of 2 links", free="")
    nowhere = found("slow-link", "ff", nodes=["zz"], a="ff", port=1, b="y", speed="1", usual="2")
    assert concerned(tree, [at_node, at_leaf, at_spine, nowhere]) == {"leaf-01": (at_node, at_leaf, at_spine)}
    named = found("dead-uplink", "SPINE-3", "CORE", switch="SPINE-3", peer="CORE", left="1 of 2 links", free="")
    assert concerned(tree, [named], {"SPINE-3": "03", "CORE": "ff"}) == {"spine-03": (named,)}
    assert concerned(tree, [named]) == {}
