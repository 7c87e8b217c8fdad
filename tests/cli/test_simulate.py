"""simulate: the same words draw the same files, and nothing that is not its own is overwritten."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from tests.conftest import Run

WORDS = ("simulate", "rail", "--hosts", "16", "--rails", "2", "--seed", "3")


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_one_file_is_printed_or_written(hypernode: Run, tmp_path: Path) -> None:
    printed = hypernode(*WORDS)
    assert printed.returncode == 0
    assert printed.stdout.startswith("#\n# Topology file")
    assert hypernode(*WORDS, "--out", "x.txt").returncode == 0
    assert (tmp_path / "x.txt").read_text("utf-8") == printed.stdout


def test_a_capture_can_be_drawn_again(hypernode: Run, tmp_path: Path) -> None:
    words = (*WORDS, "--format", "capture", "--out", "cap")
    assert hypernode(*words).returncode == 0
    first = files(tmp_path / "cap")
    assert {"nodes.txt", "fabric/ibnetdiscover.txt"} <= first.keys()
    assert hypernode(*words).returncode == 0
    assert files(tmp_path / "cap") == first


def test_a_full_disk_is_told_and_can_be_tried_again(hypernode: Run, tmp_path: Path) -> None:
    words = (*WORDS, "--format", "capture", "--out", "cap")
    full = hypernode(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000)))
    assert (full.returncode, full.stdout) == (1, "")
    assert "could not be written: File too large" in full.stderr
    assert not [path for path in tmp_path.rglob(".*") if path.name != ".simulated"]
    assert hypernode(*words).returncode == 0


def test_a_smaller_fabric_leaves_nothing_of_the_larger_one(hypernode: Run, tmp_path: Path) -> None:
    hypernode(*WORDS, "--format", "capture", "--out", "cap")
    smaller = ("simulate", "rail", "--hosts", "8", "--rails", "1", "--format", "capture", "--out", "cap")
    assert hypernode(*smaller).returncode == 0
    assert len({name.split("/")[1] for name in files(tmp_path / "cap") if name.startswith("hosts/")}) == 8


@pytest.mark.parametrize(
    "mark", [pytest.param(b"../mine.txt\n/\0", id="leads-out"), pytest.param(b"\xff", id="no-text")]
)
def test_a_list_of_files_that_a_hand_has_changed_harms_nothing(hypernode: Run, tmp_path: Path, mark: bytes) -> None:
    (tmp_path / "cap").mkdir()
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "cap" / ".simulated").write_bytes(mark)
    assert hypernode(*WORDS, "--format", "capture", "--out", "cap").returncode == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("form", [pytest.param("capture", id="folder"), pytest.param("ibnetdiscover", id="file")])
def test_foreign_files_are_kept(hypernode: Run, tmp_path: Path, form: str) -> None:
    mine = tmp_path / "out" / "mine.txt" if form == "capture" else tmp_path / "out"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    refused = hypernode(*WORDS, "--format", form, "--out", "out")
    assert (refused.returncode, mine.read_text()) == (1, "mine")
    assert "--force" in refused.stderr
    assert hypernode(*WORDS, "--format", form, "--out", "out", "--force").returncode == 0
    assert form == "ibnetdiscover" or mine.read_text() == "mine"


@pytest.mark.parametrize("form", [pytest.param("ibnetdiscover", id="ibnetdiscover"), pytest.param("ibsim", id="ibsim")])
def test_what_is_drawn_can_be_read(hypernode: Run, form: str) -> None:
    hypernode(*WORDS, "--format", form, "--out", "drawn")
    result = hypernode("observe", "drawn")
    assert result.returncode == 0
    assert "heard" in result.stdout
