"""The directory store: whole files or none, others' files untouched, and errors that say what to do."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from hypernode.manifest import to_object
from hypernode.store import DirectoryStore, StoreError
from hypernode.tree import Defect, HyperNode

LEAF = HyperNode("leaf-01", 1, "leaf", nodes=("a", "b"), switches=("01",), annotations={"hypernode.dev/switches": "01"})
SPINE = HyperNode("spine-03", 2, "spine", children=("leaf-01",))


def filled(path: Path, *hypernodes: HyperNode) -> DirectoryStore:
    store = DirectoryStore(path)
    with store.locked():
        for one in hypernodes or (LEAF, SPINE):
            store.write(one)
    return store


def traces(path: Path) -> dict[str, tuple[int, int, bytes]]:
    """What a write would change: inode, time and content of every file."""
    found = {}
    for file in sorted(path.rglob("*")):
        if file.is_file():
            about = file.stat()
            found[str(file.relative_to(path))] = (about.st_ino, about.st_mtime_ns, file.read_bytes())
    return found


def test_there_and_back(tmp_path: Path) -> None:
    store = filled(tmp_path / "deep" / "hn")
    contents = store.read()
    assert contents.hypernodes == (LEAF, SPINE)
    assert contents.foreign == ()
    assert sorted(file.name for file in store.path.iterdir()) == [".hypernode", "leaf-01.yaml", "spine-03.yaml"]
    whole = yaml.safe_load((store.path / "leaf-01.yaml").read_text())
    expected = to_object(LEAF)
    expected["metadata"]["generation"] = 1
    assert whole == expected
    assert contents.objects["leaf-01"] == whole


def test_reading_makes_nothing(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path / "none")
    assert store.read().hypernodes == ()
    assert store.load("evidence") == {}
    assert list(tmp_path.iterdir()) == []


def test_generation_rises_with_the_spec_only(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with store.locked():
        noted = store.write(HyperNode("leaf-01", 1, "leaf", ("a", "b"), annotations={"hypernode.dev/uplink-gbps": "4"}))
        assert noted["metadata"]["generation"] == 1
        assert store.write_status(noted, {"nodeCount": 2})["metadata"]["generation"] == 1
        grown = store.write(HyperNode("leaf-01", 1, "leaf", ("a", "b", "c")))
        assert grown["metadata"]["generation"] == 2
        assert grown["status"] == {"nodeCount": 2}
        assert "annotations" not in grown["metadata"]


def test_nothing_is_written_when_nothing_changed(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with store.locked():
        store.write_status(store.read().objects["leaf-01"], {"nodeCount": 2})
        store.save("evidence", {"b": [1], "a": "ü\ud800"})
    before = traces(tmp_path)
    with store.locked():
        for one in (LEAF, SPINE):
            store.write(one)
        store.write_status(store.read().objects["leaf-01"], {"nodeCount": 2})
        assert store.save("evidence", {"a": "ü\ud800", "b": [1]}) is False
    assert traces(tmp_path) == before
    assert store.load("evidence") == {"a": "ü\ud800", "b": [1]}


def test_what_hands_wrote_into_our_file_stays(tmp_path: Path) -> None:
    store = filled(tmp_path)
    file = tmp_path / "leaf-01.yaml"
    whole = yaml.safe_load(file.read_text())
    whole["metadata"]["annotations"]["note"] = "mine"
    whole["metadata"]["creationTimestamp"] = "2026-12-01T08:00:00Z"
    file.write_text(yaml.safe_dump(whole))
    with store.locked():
        store.write(HyperNode("leaf-01", 1, "leaf", ("a",)))
    kept = store.read().objects["leaf-01"]["metadata"]
    assert kept["annotations"] == {"note": "mine"}
    assert kept["creationTimestamp"] == "2026-12-01T08:00:00Z"


def test_foreign_and_broken_files_are_told_and_never_touched(tmp_path: Path) -> None:
    store = filled(tmp_path)
    foreign = to_object(HyperNode("theirs", 1, "leaf", nodes=("z",)))
    foreign["metadata"]["labels"] = {}
    (tmp_path / "theirs.yaml").write_text(yaml.safe_dump(foreign))
    (tmp_path / "cut.yaml").write_text("apiVersion: [")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe")
    (tmp_path / "other-name.yaml").write_text((tmp_path / "leaf-01.yaml").read_text())
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "link.yaml").symlink_to(tmp_path / "leaf-01.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "notes.txt").write_text("not looked at")
    (tmp_path / ".hidden.yaml").write_text("not looked at")
    before = traces(tmp_path)
    contents = store.read()
    assert contents.hypernodes == (LEAF, SPINE)
    told = {other.name: other for other in contents.foreign}
    assert sorted(told) == ["binary", "cut", "folder", "link", "other-name", "pipe", "theirs"]
    assert told["theirs"].nodes == ("z",)
    assert [name for name, other in sorted(told.items()) if not other.broken] == ["theirs"]
    assert "leaf-01" in told["other-name"].reason
    assert "line 2" in told["cut"].reason
    assert "regular file" in told["pipe"].reason
    with store.locked():
        for name in told:
            with pytest.raises(StoreError, match="is not ours"):
                store.write(HyperNode(name, 1, "leaf", nodes=("a",)))
            with pytest.raises(StoreError, match="is not ours"):
                store.delete(name)
    assert traces(tmp_path) == before


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("../escaped", id="parent folder"),
        pytest.param("/etc/escaped", id="absolute"),
        pytest.param("a/b", id="slash"),
        pytest.param("", id="empty"),
        pytest.param("a\x00b", id="zero byte"),
        pytest.param("x" * 252, id="longer than a file name"),
        pytest.param(".hypernode", id="our own folder"),
    ],
)
def test_no_name_leaves_the_directory(tmp_path: Path, name: str) -> None:
    store = DirectoryStore(tmp_path / "hn")
    with store.locked():
        with pytest.raises(StoreError, match="cannot be the name of a file"):
            store.write(HyperNode(name, 1, "leaf", nodes=("a",)))
        with pytest.raises(StoreError, match="cannot be the name of a file"):
            store.delete(name)
    assert sorted(traces(tmp_path)) == ["hn/.hypernode/lock"]


def test_a_link_in_the_place_of_an_unfinished_file_is_not_followed(tmp_path: Path) -> None:
    store = filled(tmp_path / "hn")
    outside = tmp_path / "outside"
    outside.write_text("keep")
    (store.path / ".unfinished").symlink_to(outside)
    with store.locked():
        store.write(HyperNode("leaf-01", 1, "leaf", nodes=("c",)))
    assert outside.read_text() == "keep"
    assert not (store.path / ".unfinished").exists()


def test_a_state_folder_that_leads_out_of_the_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "hn").mkdir()
    (tmp_path / "hn" / ".hypernode").symlink_to("../outside")
    with pytest.raises(StoreError, match="is a link"), DirectoryStore(tmp_path / "hn").locked():
        pass
    assert list((tmp_path / "outside").iterdir()) == []


def test_deleting_twice_is_no_error(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with store.locked():
        store.delete("spine-03")
        store.delete("spine-03")
    assert store.read().hypernodes == (LEAF,)


def test_writing_without_the_lock_is_our_defect(tmp_path: Path) -> None:
    with pytest.raises(Defect, match="without the lock"):
        DirectoryStore(tmp_path).write(LEAF)


HOLDER = """
import sys
from pathlib import Path
from hypernode.store import DirectoryStore
with DirectoryStore(Path(sys.argv[1])).locked():
    print("in", flush=True)
    sys.stdin.read()
"""


def test_two_writers_never_meet(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "in\n"
        second = DirectoryStore(tmp_path)
        with pytest.raises(StoreError, match="another hypernode is writing") as refused, second.locked():
            pass
        assert refused.value.hint
        other.kill()
    with DirectoryStore(tmp_path).locked():
        pass


@contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """A disk that is full after so many bytes of a file (the kernel refuses the rest)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path) -> None:
    store = filled(tmp_path)
    before = traces(tmp_path)
    large = HyperNode("leaf-01", 1, "leaf", nodes=tuple(f"n{number:04}" for number in range(500)))
    with store.locked(), files_at_most(4096):
        with pytest.raises(StoreError, match="cannot write") as full:
            store.write(large)
        with pytest.raises(StoreError, match="cannot write"):
            store.save("evidence", {"x": "y" * 5000})
    assert full.value.hint
    assert traces(tmp_path) == before
    with store.locked():
        store.write(large)
    assert store.read().hypernodes[0] == large


@pytest.mark.parametrize(
    "place",
    [
        pytest.param("hn", id="a file in place of the directory"),
        pytest.param("hn/.hypernode", id="a file in place of our folder"),
    ],
)
def test_a_file_in_the_way(tmp_path: Path, place: str) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("in the way")
    store = DirectoryStore(tmp_path / "hn")
    with pytest.raises(StoreError, match="cannot") as refused, store.locked():
        pass
    assert "A file stands where a directory is needed" in refused.value.hint
    assert store.load("evidence") == {}


def test_a_directory_that_cannot_be_listed_is_an_error_not_an_empty_store(tmp_path: Path) -> None:
    (tmp_path / "hn").write_text("a file")
    with pytest.raises(StoreError, match="cannot read"):
        DirectoryStore(tmp_path / "hn").read()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_an_error_because_it_may_be_ours(tmp_path: Path) -> None:
    store = filled(tmp_path)
    (tmp_path / "leaf-01.yaml").chmod(0)
    with pytest.raises(StoreError, match=r"cannot read .*leaf-01.yaml: Permission denied"):
        store.read()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_directory(tmp_path: Path) -> None:
    store = filled(tmp_path)
    tmp_path.chmod(0o555)
    try:
        with store.locked(), pytest.raises(StoreError, match="cannot write"):
            store.write(HyperNode("leaf-02", 1, "leaf", nodes=("z",)))
        assert store.read().hypernodes == (LEAF, SPINE)
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("{", id="cut"),
        pytest.param("[1]", id="list"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param("\udcff", id="not UTF-8"),
    ],
)
def test_damaged_state_counts_as_none(tmp_path: Path, text: str) -> None:
    store = filled(tmp_path)
    (tmp_path / ".hypernode" / "guard.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert store.load("guard") == {}
    with store.locked():
        assert store.save("guard", {"seen": {"x": 1}}) is True
    assert json.loads((tmp_path / ".hypernode" / "guard.json").read_text()) == {"seen": {"x": 1}}
