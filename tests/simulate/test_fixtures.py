"""The drawn fixtures are what their commands draw, so that none of them is ever edited by hand."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).resolve().parent.parent.parent / "fixtures"
ROW = re.compile(r"^\| (\S+) \| `hypernode (simulate .+)` \|$", re.M)
ROWS = ROW.findall((FIXTURES / "README.md").read_text("utf-8"))
SMALL = 300_000


def files(path: Path) -> dict[str, bytes]:
    if path.is_file():
        return {"": path.read_bytes()}
    return {str(one.relative_to(path)): one.read_bytes() for one in path.rglob("*") if one.is_file()}


@pytest.mark.parametrize(("path", "command"), [pytest.param(path, command, id=path) for path, command in ROWS])
def test_a_fixture_is_what_its_command_draws(
    path: str, command: str, hypernode: Callable[..., Any], tmp_path: Path
) -> None:
    drawn = tmp_path / "drawn"
    done = hypernode(*shlex.split(command), "--out", drawn)
    assert done.returncode == 0, done.stderr
    kept = files(FIXTURES / path)
    assert kept == files(drawn)
    assert sum(map(len, kept.values())) < SMALL


@pytest.mark.parametrize("folder", [pytest.param("captures", id="captures"), pytest.param("fabrics", id="fabrics")])
def test_every_drawn_fixture_has_its_row(folder: str) -> None:
    kept = {f"{folder}/{path.name}" for path in (FIXTURES / folder).iterdir()}
    assert kept == {path for path, _ in ROWS if path.startswith(folder)}
