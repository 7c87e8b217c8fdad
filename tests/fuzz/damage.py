"""Makes damaged texts out of seeds: the same number gives the same text, so every failure can be made again."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

SEEDS = Path(__file__).resolve().parents[2] / "fixtures" / "fuzz"

_NUMBER = re.compile(rb"[0-9a-f]+")
_NUMBERS = (b"0", b"00000000000000000", b"255", b"256", b"65535", b"65536", b"99999999999", b"9" * 5000, b"-1", b"")
_PIECES = (
    b"\0", b"\r", b"\n", b"\r\n", b"\t", b" ", b'"', b"'", b"#", b"[", b"]", b"(", b")", b"\xff\xfe", b"\x1b[31m", b"=",
    b"lid ", b"lmc 0", b'"S-', b'"H-0000000000000000"', b"[ext 1]", b"(1/1/1)", b"4x???", b" " * 300, b'"' * 70,
    b"A" * 5000, b"[1]", b"Switch\t8 ", b"vendid=0x2c9\n", b"src/query_smp.c:196; umad (DR path) bad status 110",
)  # fmt: skip


def seeds() -> list[bytes]:
    """All seeds in the order of their names."""
    return [path.read_bytes() for path in sorted(SEEDS.glob("*.txt"))]


def damaged(texts: Sequence[bytes], run: int, number: int) -> bytes:
    """The damaged text of this number."""
    dice = Random(run << 32 | number)
    text = dice.choice(texts)
    for _ in range(1 + int(dice.expovariate(0.5))):
        text = dice.choice(_DAMAGES)(text, texts, dice)
    return text


def _flip(text: bytes, _texts: Sequence[bytes], dice: Random) -> bytes:
    at = dice.randrange(len(text) or 1)
    return text[:at] + bytes(byte ^ 1 << dice.randrange(8) for byte in text[at : at + 1]) + text[at + 1 :]


def _insert(text: bytes, _texts: Sequence[bytes], dice: Random) -> bytes:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(_PIECES) + text[at:]


def _remove(text: bytes, _texts: Sequence[bytes], dice: Random) -> bytes:
    at = dice.randrange(len(text) + 1)
    return text[:at] + text[at + dice.choice((1, 1, 1, 2, 5, 40)) :]


def _renumber(text: bytes, _texts: Sequence[bytes], dice: Random) -> bytes:
    found = _NUMBER.search(text, dice.randrange(len(text) + 1))
    return text[: found.start()] + dice.choice(_NUMBERS) + text[found.end() :] if found else text


def _cut(text: bytes, _texts: Sequence[bytes], dice: Random) -> bytes:
    at = dice.randrange(len(text) + 1)
    return text[:at] if dice.random() < 0.7 else text[at:]


def _drop_line(lines: list[bytes], dice: Random) -> None:
    del lines[dice.randrange(len(lines))]


def _repeat_line(lines: list[bytes], dice: Random) -> None:
    lines.insert(dice.randrange(len(lines)), dice.choice(lines))


def _swap_lines(lines: list[bytes], dice: Random) -> None:
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _lines(text: bytes, _texts: Sequence[bytes], dice: Random) -> bytes:
    lines = text.split(b"\n")
    dice.choice((_drop_line, _repeat_line, _swap_lines))(lines, dice)
    return b"\n".join(lines)


def _splice(text: bytes, texts: Sequence[bytes], dice: Random) -> bytes:
    other = dice.choice(texts)
    return text[: dice.randrange(len(text) + 1)] + other[dice.randrange(len(other)) :]


def _line_ends(text: bytes, _texts: Sequence[bytes], dice: Random) -> bytes:
    return text.replace(b"\n", dice.choice((b"\r\n", b"\r", b"\n\n", b"\r\r\n", b" \n")))


_DAMAGES: tuple[Callable[[bytes, Sequence[bytes], Random], bytes], ...] = (
    _flip, _flip, _insert, _insert, _remove, _renumber, _renumber, _cut, _lines, _lines, _splice, _line_ends,
)  # fmt: skip
