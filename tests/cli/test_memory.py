"""Large pages make a run quicker and nothing else different."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hypernode.cli.memory import WORTHWHILE, use_large_pages
from tests.conftest import ROOT

LIBC = ctypes.CDLL(None)


def python(program: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(0, id="nothing"),
        pytest.param(WORTHWHILE, id="worthwhile"),
        pytest.param(1 << 26, id="large"),
        pytest.param(1 << 40, id="more-than-there-is"),
    ],
)
def test_the_answer_is_the_same(capture: Path, size: int) -> None:
    prepare = f"from hypernode.cli.memory import use_large_pages\nuse_large_pages({size})\n"
    discover = f"from hypernode.__main__ import main\nmain(['discover', '--from', {str(capture)!r}, '-o', 'json'])\n"
    with_pages, without = python(prepare + discover), python(discover)
    assert with_pages.stdout == without.stdout != b""
    assert with_pages.stderr == without.stderr == b""
    assert with_pages.returncode == without.returncode == 0


def test_a_small_text_asks_nobody() -> None:
    program = (
        "import sys\nfrom hypernode.cli.memory import WORTHWHILE, use_large_pages\n"
        "use_large_pages(0)\nuse_large_pages(WORTHWHILE - 1)\nsys.exit('ctypes' in sys.modules)\n"
    )
    assert python(program).returncode == 0


def test_elsewhere_than_on_linux_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: pytest.fail("a library was asked for"))
    use_large_pages(1 << 26)


def absent(_: None) -> ctypes.CDLL:
    raise OSError("this interpreter has no dynamic loader")


def bare(_: None) -> SimpleNamespace:
    return SimpleNamespace()


def without_mallopt(_: None) -> SimpleNamespace:
    """As musl: everything but mallopt."""
    return SimpleNamespace(sbrk=LIBC.sbrk, malloc=LIBC.malloc, free=LIBC.free, madvise=LIBC.madvise)


@pytest.mark.parametrize(
    "library",
    [
        pytest.param(absent, id="no-library"),
        pytest.param(bare, id="nothing-in-it"),
        pytest.param(without_mallopt, id="no-mallopt"),
    ],
)
def test_a_libc_that_lacks_something_is_left_alone(monkeypatch: pytest.MonkeyPatch, library: object) -> None:
    monkeypatch.setattr(ctypes, "CDLL", library)
    use_large_pages(1 << 26)
