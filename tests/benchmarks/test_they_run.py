"""The benchmarks run to their end and measure the right thing; how long anything takes is nobody's business here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def benchmarks(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_one_command_measures_every_size_and_a_broken_fabric(tmp_path: Path) -> None:
    done = benchmarks("--sizes", "8x1,32x4", "--runs", "1", "--json", str(tmp_path / "measured.json"))
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "measured.json").read_text("utf-8"))["results"]
    assert [one["fabric"] for one in results] == ["rail 8x1", "rail 32x4", "rail 32x4 link-loss=1"]
    assert [one["steps"]["placed"] for one in results] == [8, 32, 32]
    assert all(run["wall"] > 0 and run["peakMB"] > 1 for one in results for run in one["runs"])
    assert all(one["fabric"] in done.stdout for one in results)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        pytest.param(("--sizes", "many"), 2, id="no size"),
        pytest.param(("--kind", "hexagon", "--sizes", "8x1", "--runs", "1"), 1, id="no such kind"),
    ],
)
def test_what_cannot_be_measured_ends_without_a_table(words: tuple[str, ...], status: int) -> None:
    done = benchmarks(*words)
    assert (done.returncode, done.stdout) == (status, "")
    assert "Traceback" not in done.stderr
