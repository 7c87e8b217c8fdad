"""The README keeps its promises: its first two blocks are complete, and the first one does the main job."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hypernode.cli.entry import COMMANDS
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
SAMPLES = re.findall(r"^```text\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
SET_UP = (".venv/bin/pip ", "python3 -m venv ")


def test_both_blocks_do_all_the_set_up() -> None:
    for block in BLOCKS[:2]:
        lines = block.splitlines()
        assert lines[0] == "python3 -m venv .venv"
        assert lines[1].startswith(".venv/bin/pip install ")
        assert all(line.startswith((".venv/bin/", "python3 -m venv ")) for line in lines)


def test_the_second_block_runs_the_tests() -> None:
    """It is what runs this test, so it is only looked at."""
    assert "'.[dev]'" in BLOCKS[1].splitlines()[1]
    assert BLOCKS[1].splitlines()[2:] == [".venv/bin/python -m pytest"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the first block prints, run line by line as it stands there; only its set-up is replaced by a link."""
    clone = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "fixtures" / "captures", clone / "fixtures" / "captures")
    (clone / ".venv" / "bin").mkdir(parents=True)
    command = clone / ".venv" / "bin" / "hypernode"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hypernode "$@"\n')
    command.chmod(0o755)
    script = "".join(line for line in BLOCKS[0].splitlines(keepends=True) if not line.startswith(SET_UP))
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    words = ["sh", "-e", "-c", script]
    result = subprocess.run(words, cwd=clone, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert sorted(path.name for path in (clone / "hypernodes-demo").glob("leaf-*.yaml"))
    return result.stdout


def test_the_first_block_does_the_main_job(printed: str) -> None:
    assert "32 hosts" in printed
    assert "dead-hca-link" in printed
    assert "5 of 5 steps carried out" in printed


def test_the_sample_is_what_is_really_printed(printed: str) -> None:
    for line in SAMPLES[0].splitlines():
        assert line.rstrip() in [real.rstrip() for real in printed.splitlines()]


def test_every_command_and_file_that_it_names_is_there() -> None:
    for command in COMMANDS:
        assert f"`hypernode {command}" in README
    for path in re.findall(r"fixtures/[\w/.-]+\w", README):
        assert (ROOT / path).exists(), path


def test_ci_runs_the_second_block(tmp_path: Path) -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    rule = re.search(r"^second_block='(.*)'$", script, re.MULTILINE)
    assert rule is not None
    found = subprocess.run(["awk", rule[1], ROOT / "README.md"], capture_output=True, text=True, check=True)
    assert found.stdout == BLOCKS[1]
