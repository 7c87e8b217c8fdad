"""Chance that is the same on every machine and Python: the same seed draws the same fabric for ever."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")
_MASK = (1 << 64) - 1


class Dice:
    """SplitMix64 (Steele, Lea, Flood 2014): tiny, fast, and its sequence is fixed, unlike that of ``random``."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def below(self, limit: int) -> int:
        """Draw a number from 0 to limit - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % limit

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place (Fisher, Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Draw ``count`` distinct items in random order; all of them where there are fewer."""
        pool = list(items)
        drawn = []
        for _ in range(min(count, len(pool))):
            place = self.below(len(pool))
            pool[place], pool[-1] = pool[-1], pool[place]
            drawn.append(pool.pop())
        return drawn
