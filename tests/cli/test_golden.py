"""What the commands print about each drawn fabric; a change shows as a difference to look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT, Golden, Run

FIXTURES = ROOT / "fixtures"
SOURCES = sorted([*(FIXTURES / "fabrics").iterdir(), *(FIXTURES / "captures").iterdir()])
each_source = pytest.mark.parametrize("source", [pytest.param(path, id=path.stem) for path in SOURCES])
whole_answers = pytest.mark.parametrize(
    "source", [pytest.param(path, id=path.stem) for path in SOURCES if path.stem in ("fat-tree-3", "planes", "storage")]
)


@each_source
def test_the_screen(hypernode: Run, golden: Golden, source: Path) -> None:
    relative = source.relative_to(ROOT)
    result = hypernode("discover", "--from", relative, cwd=ROOT)
    assert (result.returncode, result.stderr) == (0, "")
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    golden(f"discover/{source.stem}.txt", "\n".join(lines) + "\n")


@whole_answers
def test_the_json(hypernode: Run, golden: Golden, source: Path) -> None:
    result = hypernode("discover", "--from", source.relative_to(ROOT), "-o", "json", cwd=ROOT)
    golden(f"discover/{source.stem}.json", result.stdout)


def test_the_files_by_themselves(hypernode: Run, golden: Golden) -> None:
    result = hypernode("observe", "fixtures/fabrics", "-o", "json", cwd=ROOT)
    assert (result.returncode, result.stderr) == (0, "")
    golden("observe/fabrics.json", result.stdout)


def test_the_files_of_a_capture_on_screen(hypernode: Run, golden: Golden) -> None:
    result = hypernode("observe", "fixtures/captures/rail8-everyday", cwd=ROOT)
    golden("observe/rail8-everyday.txt", "".join(f"{line.rstrip()}\n" for line in result.stdout.splitlines()))


def test_why(hypernode: Run, golden: Golden) -> None:
    words = ("why", "dgx-008", "--from", "fixtures/captures/rail8-everyday")
    result = hypernode(*words, cwd=ROOT)
    golden("why/dgx-008.txt", "".join(f"{line.rstrip()}\n" for line in result.stdout.splitlines()))
    golden("why/dgx-008.json", hypernode(*words, "-o", "json", cwd=ROOT).stdout)


def test_the_objects_for_kubectl(hypernode: Run, golden: Golden) -> None:
    result = hypernode("discover", "--from", "fixtures/fabrics/rail.net", "-o", "yaml", cwd=ROOT)
    golden("discover/rail.yaml", result.stdout)
