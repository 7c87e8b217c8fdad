"""Many host names in few words: ``node[001-032,034]``, as Slurm and clush write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBERED = re.compile(r"(?P<head>[^.]*?)(?P<digits>\d{1,15})(?P<tail>[^\d.]*(?:\..*)?)\Z")
"""The last number of the first label is what counts hosts; numbers of a domain don't."""


def compact(names: Iterable[str], most: int = 6) -> str:
    """The names as ranges, sorted; of more than ``most`` ranges the rest is counted."""
    plain: list[str] = []
    numbered: dict[tuple[str, str], set[str]] = {}
    for name in sorted(set(names)):
        match = _NUMBERED.match(name)
        if match:
            numbered.setdefault((match["head"], match["tail"]), set()).add(match["digits"])
        else:
            plain.append(name)
    words = [word for (head, tail), digits in numbered.items() for word in _words(head, tail, digits)]
    return _cut(sorted(plain + words), most)


def _words(head: str, tail: str, digits: set[str]) -> list[str]:
    """One word for each width of padded numbers, and one for the unpadded."""
    padded = {len(number) for number in digits if number[0] == "0" and len(number) > 1}
    widths: dict[int, list[int]] = {}
    for number in digits:
        widths.setdefault(len(number) if len(number) in padded else 0, []).append(int(number))
    words = []
    for width, numbers in sorted(widths.items()):
        spans = [_span(first, last, width) for first, last in _runs(sorted(numbers))]
        single = len(numbers) == 1
        words.append(f"{head}{spans[0] if single else '[' + _cut(spans, 8, ',') + ']'}{tail}")
    return words


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _span(first: int, last: int, width: int) -> str:
    left, right = str(first).zfill(width), str(last).zfill(width)
    return left if first == last else f"{left}-{right}"


def _cut(words: list[str], most: int, separator: str = " ") -> str:
    if len(words) <= most:
        return separator.join(words)
    return separator.join(words[:most]) + f"{separator}… {len(words) - most} more"
