"""From groups to files and back: published once, kept true, healed after any accident, others respected."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from discovery.findings import Finding, Severity
from hypernode.manifest import Object, to_object
from hypernode.publish import Published, propose, publish
from hypernode.store import DirectoryStore, StoreError
from hypernode.tree import Group, HyperNode, Tree
from tests.naming.groups import above, forests, leaf

START = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)


def apply(store: DirectoryStore, groups: Sequence[Group], hours: int = 0, **options: Any) -> Published:
    said = {key: options.pop(key) for key in ("evidence", "findings") if key in options}
    with store.locked():
        proposal = propose(store, groups, counting=True, **options)
        return publish(store, proposal, now=START + timedelta(hours=hours), **said)


def traces(path: Path) -> dict[str, tuple[int, int]]:
    return {str(file): (file.stat().st_ino, file.stat().st_mtime_ns) for file in path.rglob("*") if file.is_file()}


def tree(store: DirectoryStore) -> Tree:
    return Tree.of(store.read().hypernodes)


def condition(store: DirectoryStore, name: str, kind: str) -> dict[str, Any]:
    return next(one for one in store.read().objects[name]["status"]["conditions"] if one["type"] == kind)


TWO = [above(2, "spine", "05 06", leaf("01 02", "a b c"), leaf("03 04", "d e f"))]


def test_the_first_publication(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path / "hn")
    done = apply(store, TWO, evidence={"links": [1]})
    assert done.as_dict() == {
        "steps": [
            {"op": "create", "name": "leaf-01", "tier": 1, "reason": "a new group of 3 nodes on 2 switches"},
            {"op": "create", "name": "leaf-03", "tier": 1, "reason": "a new group of 3 nodes on 2 switches"},
            {"op": "create", "name": "spine-05", "tier": 2, "reason": "a new group of 2 HyperNodes on 2 switches"},
        ],
        "refused": None,
        "applied": 3,
    }
    objects = store.read().objects
    assert {name: whole["status"]["nodeCount"] for name, whole in objects.items()} == {
        "leaf-01": 3,
        "leaf-03": 3,
        "spine-05": 6,
    }
    assert condition(store, "spine-05", "Ready")["observedGeneration"] == 1
    assert store.load("evidence") == {"links": [1]}


def test_a_look_writes_nothing(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path / "hn")
    assert len(propose(store, TWO).steps) == 3
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_when_nothing_changed(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    finding = Finding("dead-hca-link", ("a", "01", "rail 1"), Severity.WARNING, "dead", "look", ("a",), 1.0)
    apply(store, TWO, findings=[finding], evidence={"x": 1})
    before = traces(tmp_path)
    done = apply(store, TWO, hours=5, findings=[finding], evidence={"x": 1})
    assert (done.applied, done.statuses) == (0, 0)
    assert traces(tmp_path) == before
    assert condition(store, "leaf-01", "Degraded")["message"] == "rail 1: 1 of 3 cables down."


def test_a_repaired_cable_flips_one_condition(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    finding = Finding("dead-hca-link", ("a", "01", "rail 1"), Severity.WARNING, "dead", "look", ("a",), 1.0)
    apply(store, TWO, findings=[finding])
    assert apply(store, TWO, hours=1).statuses == 1
    assert condition(store, "leaf-01", "Degraded")["lastTransitionTime"] == "2026-12-01T09:00:00Z"
    assert condition(store, "leaf-01", "Ready")["lastTransitionTime"] == "2026-12-01T08:00:00Z"


def test_a_shrink_is_held_three_rounds_and_told(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    apply(store, TWO, evidence={"round": 0})
    less = [above(2, "spine", "05 06", leaf("01 02", "a b c new"))]
    first = apply(store, less, hours=1, evidence={"round": 1})
    assert first.proposal.refused is not None
    assert "3 of 6 nodes below spine-05" in first.proposal.refused.reason
    assert [(step.op, step.name) for step in first.proposal.steps] == [("update", "leaf-01")]
    assert [(step.op, step.name) for step in first.proposal.held] == [("update", "spine-05"), ("delete", "leaf-03")]
    assert condition(store, "leaf-03", "Ready")["status"] == "False"
    assert "2026-12-01T09:00:00Z" in condition(store, "leaf-03", "Stale")["message"]
    assert condition(store, "leaf-01", "Stale")["status"] == "False"
    assert "seen 1 of 3" in str(propose(store, less).refused)
    second = apply(store, less, hours=2, evidence={"round": 1})
    assert (second.applied, second.statuses) == (0, 0)
    assert "seen 2 of 3" in str(second.as_dict()["refused"]["reason"])
    third = apply(store, less, hours=3)
    assert third.as_dict()["refused"] is None
    assert sorted(tree(store).hypernodes) == ["leaf-01", "spine-05"]
    assert condition(store, "spine-05", "Stale")["status"] == "False"


def test_a_fabric_that_comes_back_is_fresh_again(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    apply(store, TWO)
    apply(store, TWO[0].children[:1], hours=1)
    assert condition(store, "leaf-03", "Stale")["status"] == "True"
    apply(store, TWO, hours=2)
    assert condition(store, "leaf-03", "Stale") == {
        "type": "Stale",
        "status": "False",
        "observedGeneration": 1,
        "lastTransitionTime": "2026-12-01T10:00:00Z",
        "reason": "Seen",
        "message": "The last observation shows all of its nodes.",
    }
    assert store.load("guard") == {"seen": {}, "since": ""}


def test_an_empty_observation_changes_no_member_and_keeps_the_evidence(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    apply(store, TWO, evidence={"good": 1})
    before = tree(store)
    for hours in range(1, 6):
        done = apply(store, [], hours=hours, evidence={"good": 0}, allow_shrink=True)
        assert done.applied == 0
        assert done.proposal.refused is not None
    assert tree(store) == before
    assert store.load("evidence") == {"good": 1}
    assert condition(store, "leaf-01", "Stale")["lastTransitionTime"] == "2026-12-01T09:00:00Z"


def test_nodes_that_left_the_node_list_go_at_once(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    apply(store, TWO, nodes="abcdef")
    done = apply(store, TWO[0].children[:1], nodes="abc")
    assert done.proposal.refused is None
    assert sorted(tree(store).hypernodes) == ["leaf-01"]


def foreign(name: str, tier: int = 1, **members: tuple[str, ...]) -> Object:
    whole = to_object(HyperNode(name, tier, "rack", **members))
    whole["metadata"]["labels"] = {"volcano.sh/network-topology-source": "label"}
    return whole


def test_foreign_hypernodes_are_respected_and_told(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    files = {
        "leaf-01": foreign("leaf-01", nodes=("z",)),
        "rack-1": foreign("rack-1", nodes=("d", "zz")),
        "row-1": foreign("row-1", 9, children=("leaf-03",)),
    }
    for name, whole in files.items():
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(whole))
    (tmp_path / "cut.yaml").write_text("{")
    before = traces(tmp_path)
    done = apply(store, TWO)
    after = traces(tmp_path)
    assert {file: after[file] for file in before} == before
    published = tree(store).hypernodes
    (other,) = (name for name in published if name.startswith("leaf-01-"))
    assert published[other].nodes == ("a", "b", "c")
    assert published["spine-05"].children == (other,)
    assert published["leaf-03"].nodes == ("d", "e", "f")
    assert [(one.kind, one.objects, one.nodes) for one in done.proposal.findings] == [
        ("broken-hypernode", ("cut",), ()),
        ("foreign-hypernode", ("leaf-01",), ()),
        ("foreign-hypernode", ("rack-1",), ("d",)),
        ("foreign-hypernode", ("row-1",), ()),
    ]
    assert condition(store, "leaf-03", "Conflict")["message"].endswith("rack-1, row-1.")
    assert condition(store, other, "Conflict")["status"] == "False"
    assert apply(store, TWO).as_dict()["steps"] == []


def test_hands_delete_edit_and_double_files_and_all_is_put_right(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    apply(store, TWO)
    wanted = tree(store)
    (tmp_path / "leaf-01.yaml").unlink()
    assert [(step.op, step.name) for step in propose(store, TWO).steps] == [("create", "leaf-01")]
    apply(store, TWO)
    assert tree(store) == wanted
    for one in (HyperNode("extra", 1, "leaf", ("a",)), HyperNode("top", 2, "spine", (), ("gone",))):
        (tmp_path / f"{one.name}.yaml").write_text(yaml.safe_dump(to_object(one)))
        assert [(step.op, step.name) for step in propose(store, TWO).steps] == [("delete", one.name)]
        apply(store, TWO)
        assert tree(store) == wanted


def test_a_replaced_switch_renames_nobody_in_the_store(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    apply(store, TWO)
    new = [above(2, "spine", "06 07", leaf("02 00", "a b c"), leaf("03 04", "d e f"))]
    done = apply(store, new)
    assert [(step.op, step.name, step.reason) for step in done.proposal.steps] == [
        ("update", "leaf-01", "changed: switches"),
        ("update", "spine-05", "changed: switches"),
    ]
    assert apply(store, new).applied == 0


class Stumbling(DirectoryStore):
    """A directory store on a disk that fails after so many writes."""

    def __init__(self, path: Path, writes: int) -> None:
        super().__init__(path)
        self.left = writes

    def _replace(self, file: Path, text: str) -> None:
        self._count(file)
        super()._replace(file, text)

    def delete(self, name: str) -> None:
        self._count(self.path / name)
        super().delete(name)

    def _count(self, file: Path) -> None:
        if self.left == 0:
            raise StoreError(f"cannot write {file}: the disk is gone", "Get another one.")
        self.left -= 1


def written(store: DirectoryStore) -> dict[str, Object]:
    """All objects without what depends on how many steps it took."""
    objects = {}
    for name, whole in store.read().objects.items():
        status = whole["status"]
        facts = [(one["type"], one["status"], one["reason"], one["message"]) for one in status["conditions"]]
        objects[name] = {"spec": whole["spec"], "notes": whole["metadata"].get("annotations"), "facts": facts}
    return objects


SWAPPED = [above(2, "spine", "05", leaf("01 02", "b", "leaf"), leaf("03 04", "a", "leaf"))]
SINGLES = [above(2, "spine", "05", leaf("01 02", "a", "leaf"), leaf("03 04", "b", "leaf"))]
RENAMED = [above(2, "spine", "05", leaf("02 09", "b", "leaf"), leaf("04 08", "a", "leaf"))]
SHIFTED = [above(3, "spine", "05 06", replace(above(2, "leaf", "01 02", leaf("", "a b c", "nvlink"))))]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param([], TWO, id="first publication"),
        pytest.param(SINGLES, SWAPPED, id="groups of one that change places"),
        pytest.param(TWO[0].children, SHIFTED, id="tiers above and below"),
        pytest.param(SHIFTED, TWO, id="a tier goes"),
    ],
)
def test_a_disk_that_fails_after_any_write_is_healed_by_the_next_apply(
    old: list[Group], new: list[Group], tmp_path: Path
) -> None:
    whole = DirectoryStore(tmp_path / "whole")
    apply(whole, old)
    apply(whole, new, allow_shrink=True)
    for writes in range(60):
        path = tmp_path / f"after-{writes}"
        apply(DirectoryStore(path), old)
        stumbled = False
        try:
            apply(Stumbling(path, writes), new, allow_shrink=True)
        except StoreError:
            stumbled = True
        assert Tree.of(DirectoryStore(path).read().hypernodes)
        apply(DirectoryStore(path), new, allow_shrink=True)
        assert written(DirectoryStore(path)) == written(whole)
        if not stumbled:
            break
    assert not stumbled


def test_a_kept_name_survives_a_plan_that_was_broken_off(tmp_path: Path) -> None:
    apply(DirectoryStore(tmp_path), SINGLES)
    kept = [above(2, "spine", "05", leaf("02 09 00", "a", "leaf"), leaf("04 08 03", "b", "leaf"))]
    apply(DirectoryStore(tmp_path), kept)
    assert sorted(tree(DirectoryStore(tmp_path)).hypernodes) == ["leaf-01", "leaf-03", "spine-05"]
    swapped = [above(2, "spine", "05", leaf("02 09 00", "b", "leaf"), leaf("04 08 03", "a", "leaf"))]
    for writes in range(1, 8):
        with pytest.raises(StoreError):
            apply(Stumbling(tmp_path, writes), swapped)
        apply(DirectoryStore(tmp_path), swapped)
        assert {one.name: one.nodes for one in tree(DirectoryStore(tmp_path)).hypernodes.values() if one.nodes} == {
            "leaf-01": ("b",),
            "leaf-03": ("a",),
        }
        swapped, kept = kept, swapped
        apply(DirectoryStore(tmp_path), swapped)
        swapped, kept = kept, swapped


@settings(max_examples=40, deadline=None)
@given(forests(), forests(), st.integers(0, 30))
def test_any_forest_follows_any_other_with_an_accident_between(old: list[Group], new: list[Group], writes: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = DirectoryStore(Path(folder))
        apply(store, old)
        try:
            apply(Stumbling(Path(folder), writes), new, allow_shrink=True)
        except StoreError:
            assert Tree.of(store.read().hypernodes) is not None
        apply(store, new, allow_shrink=True)
        held = {one.nodes for one in tree(store).hypernodes.values() if one.nodes}
        assert held == {low.nodes for one in new for low in _leaves(one)}
        before = traces(Path(folder))
        assert apply(store, new).applied == 0
        assert traces(Path(folder)) == before


def _leaves(group: Group) -> list[Group]:
    return [low for child in group.children for low in _leaves(child)] if group.children else [group]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"taken_out": 5}', id="number"),
        pytest.param('{"taken_out":[1,{"name":"../x","tierName":"l","switches":[],"nodes":[]}]}', id="odd rows"),
        pytest.param('{"taken_out":[{"name":"x","tierName":"leaf","switches":[5],"nodes":["a"]}]}', id="odd ids"),
        pytest.param('{"seen": {"x": true, "y": "z"}, "since": 5}', id="odd counts"),
    ],
)
def test_damaged_memory_does_no_harm(tmp_path: Path, text: str) -> None:
    store = DirectoryStore(tmp_path)
    apply(store, TWO)
    for name in ("unfinished", "guard"):
        (tmp_path / ".hypernode" / f"{name}.json").write_text(text)
    assert apply(store, TWO).applied == 0
    assert apply(store, []).proposal.refused is not None
    assert condition(store, "leaf-01", "Stale")["message"].startswith("3 of 3 nodes are not seen since 2026")
