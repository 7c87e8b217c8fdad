"""What all tests share: the real command as a process, and golden files with one way to rewrite them."""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
Run = Callable[..., "subprocess.CompletedProcess[str]"]
Golden = Callable[[str, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files instead of comparing")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI the real tools are installed: a lab test that misses one has failed."""
    report = yield
    if os.environ.get("HYPERNODE_CI") and report.skipped and item.get_closest_marker("lab"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but CI must run it: {report.longrepr}"
    return report


@pytest.fixture
def hypernode(tmp_path: Path) -> Run:
    """Runs the real command in an empty folder, with a plain environment and no terminal."""

    def run(*words: str | Path, cwd: Path = tmp_path, **more: object) -> subprocess.CompletedProcess[str]:
        kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "TMPDIR", "LANG")}
        extra = more.pop("env", {})
        assert isinstance(extra, dict)
        env = {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "", "COLUMNS": "120", **extra}
        command = [sys.executable, "-W", "error", "-m", "hypernode", *map(str, words)]
        options = {"capture_output": True, "timeout": 60, "encoding": "utf-8", **more}
        return subprocess.run(command, cwd=cwd, env=env, check=False, **options)  # type: ignore[call-overload]

    return run


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with a file below fixtures/golden; only ``--update-golden`` ever writes one."""

    def compare(name: str, text: str) -> None:
        path = ROOT / "fixtures" / "golden" / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            return
        kept = path.read_text("utf-8") if path.exists() else ""
        difference = "".join(difflib.unified_diff(kept.splitlines(True), text.splitlines(True), name, "now"))
        assert not difference, f"{difference}\nIf this is meant: pytest --update-golden"

    return compare
