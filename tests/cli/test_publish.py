"""plan, apply, check, status and why on a directory: the whole life of a tree."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import Run


def files(folder: Path) -> dict[str, tuple[int, int]]:
    """Each file with its inode and time of change: whatever is written again shows."""
    every = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "lock")
    return {str(path.relative_to(folder)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in every}


def told(hypernode: Run, *words: str | Path, code: int = 0) -> dict[str, object]:
    result = hypernode(*words, "-o", "json")
    assert result.returncode == code, result.stderr
    answer = json.loads(result.stdout)
    assert isinstance(answer, dict)
    return answer


@pytest.fixture
def store(hypernode: Run, capture: Path, tmp_path: Path) -> Path:
    assert hypernode("apply", "--from", capture, "--store", tmp_path / "store").returncode == 0
    return tmp_path / "store"


def test_plan_and_check_write_nothing(hypernode: Run, capture: Path, tmp_path: Path) -> None:
    planned = told(hypernode, "plan", "--from", capture, "--store", "store")
    assert list(planned) == ["steps", "refused", "applied"]
    assert [step["op"] for step in planned["steps"]] == ["create"] * 5
    assert (planned["refused"], planned["applied"]) == (None, 0)
    assert told(hypernode, "check", "--from", capture, "--store", "store", code=1) == planned
    assert sorted(path.name for path in tmp_path.iterdir()) == ["capture"]


def test_apply_publishes_and_is_done(hypernode: Run, capture: Path, store: Path) -> None:
    before = files(store)
    assert sum(name.endswith(".yaml") for name in before) == 5
    again = told(hypernode, "apply", "--from", capture, "--store", store)
    assert (again["steps"], again["applied"]) == ([], 0)
    assert files(store) == before
    assert told(hypernode, "check", "--from", capture, "--store", store)["steps"] == []


def test_the_default_store_is_in_the_working_folder(hypernode: Run, capture: Path, tmp_path: Path) -> None:
    assert told(hypernode, "apply", "--from", capture)["applied"] == 5
    assert len(list((tmp_path / "hypernodes").glob("*.yaml"))) == 5


def test_the_store_of_the_configuration_is_beaten_by_the_option(hypernode: Run, capture: Path, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(f"store: {tmp_path}/from-file\n")
    hypernode("apply", "--from", capture, "--config", "c.yaml")
    hypernode("apply", "--from", capture, "--config", "c.yaml", "--store", "from-option")
    assert (tmp_path / "from-file").is_dir()
    assert (tmp_path / "from-option").is_dir()


def test_a_network_that_shrinks_is_believed_the_third_time(
    hypernode: Run, capture: Path, store: Path, tmp_path: Path
) -> None:
    hosts = (capture / "nodes.txt").read_text().split()
    smaller = tmp_path / "smaller"
    shutil.copytree(capture, smaller)
    sweep = smaller / "fabric" / "ibnetdiscover.txt"
    gone = hosts[:4]
    lines = sweep.read_text().splitlines(keepends=True)
    sweep.write_text("".join(line for line in lines if not any(f"{host} " in line for host in gone)))
    shutil.rmtree(smaller / "hosts")
    words = ("--from", smaller, "--store", store)
    assert told(hypernode, "plan", *words, code=1)["refused"]
    for _ in range(2):
        refused = told(hypernode, "apply", *words, code=1)["refused"]
        assert isinstance(refused, dict)
        assert refused.keys() == {"reason", "hint"}
    assert told(hypernode, "apply", *words)["refused"] is None


def test_shrinking_can_be_allowed(hypernode: Run, capture: Path, store: Path, tmp_path: Path) -> None:
    few = tmp_path / "one-leaf.txt"
    text = (capture / "fabric" / "ibnetdiscover.txt").read_text()
    keep = [record for record in text.split("\n\n") if "dgx-001" in record or "dgx-002" in record]
    few.write_text("\n\n".join(keep) + "\n")
    words = ("apply", "--from", few, "--store", store, "--nodes", capture / "nodes.txt")
    assert told(hypernode, *words, code=1)["refused"]
    assert told(hypernode, *words, "--allow-shrink")["refused"] is None


def test_half_a_sweep_removes_nothing_and_refuses_nothing_else(
    hypernode: Run, capture: Path, store: Path, tmp_path: Path
) -> None:
    sweep = (capture / "fabric" / "ibnetdiscover.txt").read_bytes()
    torn = tmp_path / "torn.txt"
    torn.write_bytes(sweep[:-20])
    assert told(hypernode, "apply", "--from", torn, capture / "hosts", "--store", store)["refused"] is None
    torn.write_bytes(sweep[: len(sweep) // 4])
    before = {path.name for path in store.glob("*.yaml")}
    refused = told(hypernode, "apply", "--from", torn, capture / "hosts", "--store", store, code=1)["refused"]
    assert isinstance(refused, dict)
    assert "breaks off" in refused["reason"]
    assert {path.name for path in store.glob("*.yaml")} >= before


def test_status_says_what_is_published_and_what_is_wrong(hypernode: Run, store: Path) -> None:
    status = told(hypernode, "status", "--store", store)
    assert list(status)[:3] == ["hypernodes", "findings", "fabrics"]
    kinds = {one["kind"] for one in status["findings"]}
    assert kinds & {"dead-hca-link", "stale-guid"}
    counts = {one["metadata"]["name"]: one["status"]["nodeCount"] for one in status["hypernodes"]}
    assert sorted(counts.values()) == [4, 4, 4, 4, 16]
    table = hypernode("status", "--store", store)
    assert table.returncode == 0
    assert all(name in table.stdout for name in counts)


def test_status_of_one_hypernode(hypernode: Run, store: Path) -> None:
    names = [one["metadata"]["name"] for one in told(hypernode, "status", "--store", store)["hypernodes"]]
    one = told(hypernode, "status", names[0], "--store", store)
    assert [each["metadata"]["name"] for each in one["hypernodes"]] == [names[0]]
    assert "Ready" in hypernode("status", names[0], "--store", store).stdout
    unknown = hypernode("status", names[0][:-1] + "f0", "--store", store)
    assert unknown.returncode == 1
    assert names[0] in unknown.stderr


@pytest.mark.parametrize(
    "node",
    [
        pytest.param("dgx-003", id="as-listed"),
        pytest.param("DGX-003", id="upper-case"),
        pytest.param("dgx-003.cluster.local", id="fqdn"),
    ],
)
def test_why_from_the_recording_and_from_the_store(hypernode: Run, capture: Path, store: Path, node: str) -> None:
    heard = told(hypernode, "why", node, "--from", capture)
    kept = told(hypernode, "why", node, "--store", store)
    for one in (heard, kept):
        assert {"node", "path", "links", "votes", "reason"} <= one.keys()
        assert one["node"] == "dgx-003"
        assert one["links"]
    assert heard == kept
    path = heard["path"]
    assert isinstance(path, list)
    assert [name.split("-")[0] for name in path] == ["leaf", "spine"]
    table = hypernode("why", node, "--from", capture)
    assert table.returncode == 0
    assert all(name in table.stdout for name in path)


def test_foreign_objects_are_left_alone_and_told(hypernode: Run, capture: Path, store: Path) -> None:
    theirs = store / "by-hand.yaml"
    theirs.write_text(
        "apiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {name: by-hand}\n"
        "spec:\n  tier: 1\n  members:\n  - {type: Node, selector: {exactMatch: {name: dgx-001}}}\n"
    )
    (store / "broken.yaml").write_text("{")
    before = theirs.read_text()
    assert hypernode("apply", "--from", capture, "--store", store, "-o", "json").returncode == 0
    assert theirs.read_text() == before
    status = told(hypernode, "status", "--store", store)
    assert {one["name"] for one in status["foreign"]} == {"by-hand", "broken"}
    assert "foreign-hypernode" in {one["kind"] for one in status["findings"]}


@pytest.mark.parametrize(
    "kept",
    [
        pytest.param("", id="empty"),
        pytest.param("[]", id="list"),
        pytest.param('{"findings": 3, "fabrics": "x", "unplaced": [1]}', id="wrong-types"),
        pytest.param('{"findings": [{}], "fabrics": [{"kind": 1}], "unplaced": [{"node": 1}]}', id="rows-of-odd-shape"),
        pytest.param('{"why": {"nodes": [1], "unplaced": []}}', id="names-that-are-none"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param("\0\xff", id="binary"),
    ],
)
def test_damaged_evidence_is_no_accident(hypernode: Run, store: Path, kept: str) -> None:
    (store / ".hypernode" / "evidence.json").write_text(kept, "latin-1")
    for words in (["status"], ["status", "-o", "json"], ["why", "dgx-001"]):
        result = hypernode(*words, "--store", store)
        assert result.returncode in (0, 1)
        assert "bug of hypernode" not in result.stderr


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("severity", "odd", id="severity"),
        pytest.param("kind", 3, id="kind"),
        pytest.param("objects", 5, id="objects"),
        pytest.param("message", "\x1b[31m\ud800", id="message"),
    ],
)
def test_a_finding_that_a_hand_has_changed_is_no_accident(hypernode: Run, store: Path, key: str, value: object) -> None:
    file = store / ".hypernode" / "evidence.json"
    kept = json.loads(file.read_text())
    kept["findings"][0][key] = value
    file.write_text(json.dumps(kept))
    leaf = next(path.stem for path in store.glob("leaf-*.yaml"))
    for words in (["status"], ["status", leaf], ["status", "-o", "yaml"]):
        result = hypernode(*words, "--store", store)
        assert (result.returncode, result.stderr) == (0, "")


def test_an_annotation_that_a_hand_has_changed_is_no_accident(hypernode: Run, store: Path) -> None:
    leaf = next(store.glob("leaf-*.yaml"))
    leaf.write_text(
        re.sub("hypernode.dev/oversubscription: .*", "hypernode.dev/oversubscription: lots", leaf.read_text())
    )
    assert "lots" in leaf.read_text()
    result = hypernode("status", "--store", store)
    assert (result.returncode, result.stderr) == (0, "")
    assert leaf.stem in result.stdout
