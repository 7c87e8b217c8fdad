"""Text from wires and files never steers a terminal, and never breaks a program that reads the answer."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path

import pytest

from tests.conftest import Run

EVIL = "\x1b[31m\x07evil\x9b2J [bold red]x[/] \u202e"


@pytest.fixture
def hostile(capture: Path) -> Path:
    """The recorded cluster with control characters and markup wherever a description stands."""
    sweep = capture / "fabric" / "ibnetdiscover.txt"
    text = sweep.read_text("utf-8")
    sweep.write_bytes(text.replace("MF0;", f"MF0;{EVIL}").replace("dgx-003 mlx", f"dgx-003{EVIL} mlx").encode())
    (capture / "hosts" / "dgx-\x1b]0;title\x07").mkdir()
    (capture / "fabric" / "a\x1b[2Jb\n.txt").write_text("what is this?")
    return capture


def harmless(text: str) -> bool:
    return not {unicodedata.category(letter) for letter in text.replace("\n", "")} & {"Cc", "Cf", "Cs"}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["discover", "--from", "capture"], id="discover"),
        pytest.param(["discover", "--from", "capture", "--all"], id="discover-all"),
        pytest.param(["discover", "--from", "capture", "-o", "json"], id="discover-json"),
        pytest.param(["discover", "--from", "capture", "-o", "yaml"], id="discover-yaml"),
        pytest.param(["observe", "capture"], id="observe"),
        pytest.param(["observe", "capture", "-o", "json"], id="observe-json"),
        pytest.param(["observe", "capture", "-o", "yaml"], id="observe-yaml"),
        pytest.param(["plan", "--from", "capture"], id="plan"),
        pytest.param(["apply", "--from", "capture"], id="apply"),
        pytest.param(["why", "dgx-003", "--from", "capture"], id="why"),
        pytest.param(["why", f"dgx-{EVIL}", "--from", "capture"], id="why-evil"),
        pytest.param(["observe", "capture/fabric/a\x1b[2Jb\n.txt"], id="named-file"),
        pytest.param(["discover", "--from", f"gone{EVIL}"], id="missing-file"),
        pytest.param([f"{EVIL}"], id="command"),
    ],
)
def test_nothing_steers_a_terminal(hypernode: Run, hostile: Path, words: list[str]) -> None:
    result = hypernode(*words)
    assert result.returncode in (0, 1, 2)
    assert harmless(result.stdout)
    assert harmless(result.stderr)
    assert "Traceback" not in result.stderr
    assert "bug of hypernode" not in result.stderr


def test_markup_is_shown_as_it_is(hypernode: Run, hostile: Path) -> None:
    result = hypernode("discover", "--from", "capture", "--all", env={"COLUMNS": "400"})
    assert "a�[2Jb�.txt" in result.stdout


def test_letters_that_a_terminal_lacks_are_spelled_out(hypernode: Run, capture: Path) -> None:
    sweep = capture / "fabric" / "ibnetdiscover.txt"
    sweep.write_text(sweep.read_text("utf-8").replace("dgx-003 mlx", "zürich-計算 mlx"), "utf-8")
    (capture / "nodes.txt").unlink()
    result = hypernode("why", "zürich-計算", "--from", "capture/fabric", env={"PYTHONIOENCODING": "ascii"})
    assert (result.returncode, result.stderr) == (0, "")
    assert "z\\xfcrich" in result.stdout


@pytest.mark.parametrize("form", [pytest.param(form, id=form) for form in ("table", "json", "yaml")])
def test_a_file_name_need_not_be_text(hypernode: Run, capture: Path, form: str) -> None:
    (capture / "fabric" / os.fsdecode(b"caf\xe9.txt")).write_text("what is this?")
    result = hypernode("observe", "capture", "-o", form)
    assert (result.returncode, result.stderr) == (0, "")
    assert "caf" in result.stdout


def test_json_stays_json(hypernode: Run, hostile: Path) -> None:
    told = json.loads(hypernode("discover", "--from", "capture", "-o", "json").stdout)
    names = [one["metadata"]["name"] for one in told["hypernodes"]]
    assert all(name.isascii() and name == name.lower() for name in names)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\0" * 100_000, id="zeros"),
        pytest.param(bytes(range(256)) * 400, id="binary"),
        pytest.param(b"[" * 1_000_000, id="brackets"),
        pytest.param(b'Switch\t65 "S-', id="cut-head"),
        pytest.param(b'switchguid=0x1\nSwitch\t65 "S-0000000000000001"\t\t# "' + b"x" * 1_000_000, id="endless-line"),
        pytest.param(b'Switch\t99999999999999999999 "S-0000000000000001"\t\t# "x"\n[1]\t"H-1"[1]\n', id="huge-number"),
    ],
)
def test_garbage_is_a_sentence(hypernode: Run, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "garbage.txt").write_bytes(content)
    for words in (["observe", "garbage.txt"], ["discover", "--from", "garbage.txt"]):
        result = hypernode(*words)
        assert result.returncode in (0, 1)
        assert "Traceback" not in result.stderr
        assert "bug of hypernode" not in result.stderr
