"""The linters are tests too: one command checks everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["ruff", "check", "--no-cache", "."], id="ruff"),
        pytest.param(["mypy"], id="mypy"),
    ],
)
def test_linter_is_content(words: list[str]) -> None:
    pytest.importorskip(words[0], reason=f"{words[0]} comes with pip install -e '.[dev]'")
    result = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
