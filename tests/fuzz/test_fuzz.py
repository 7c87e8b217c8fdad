"""Damaged recordings are heard or refused, never anything else: a short profile of ``python -m tests.fuzz``."""

from __future__ import annotations

import pytest

from tests.fuzz.damage import SEEDS, damaged, seeds
from tests.fuzz.oracle import check, check_both_ways

SHORT = 1500


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in sorted(SEEDS.glob("*.txt"))])
def test_every_seed_is_heard(path):
    assert check(path.read_bytes())
    check_both_ways(path.read_bytes(), 700)


@pytest.mark.parametrize("run", [pytest.param(run, id=f"run-{run}") for run in (1, 2)])
def test_damage_is_heard_or_refused(run):
    texts = seeds()
    heard = sum(check(damaged(texts, run, number)) for number in range(SHORT))
    assert SHORT // 2 < heard < SHORT, "most damage leaves something to hear, some leaves nothing"


@pytest.mark.parametrize("size", [pytest.param(size, id=f"chunks-of-{size}") for size in (100, 1000, 1 << 20)])
def test_both_readers_agree_on_damage(size):
    texts = seeds()
    for number in range(SHORT // 5):
        check_both_ways(damaged(texts, size, number), size)
