"""Splits many descriptions at their first blank, by column: 100,000 descriptions without a loop over them.

rdma-ndd(8) writes ``%h %d`` (host, device) by default. Rows are compared as eight 64-bit words; a 64-bit sum finds rows
that may be equal, and every row is then compared with its representative, so a collision can never merge two names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64, U8, U64, Bool
from discovery.lookup import alike
from discovery.observations import Texts

_WIDEST = 64
"""NodeDescription is 64 bytes (IBTA 14.2.5.2); longer ones (a node-name-map's) are split one by one."""
_MIX = np.array([0x9E3779B97F4A7C15 * (2 * i + 1) % (1 << 64) for i in range(8)], dtype=np.uint64)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Split:
    """First words and rests of N texts: ``words[word[i]]`` and ``rests[rest[i]]`` are the two halves of text i."""

    words: tuple[bytes, ...]
    word: I32
    rests: tuple[bytes, ...]
    rest: I32


def split(texts: Texts, rows: I32) -> Split:
    """Split these rows of texts at the first blank; leading and trailing blanks don't count."""
    start, length = texts.start[rows], texts.length[rows].astype(np.int64)
    data = np.frombuffer(texts.data, np.uint8)
    plain = (length <= _WIDEST) & (start + 2 * _WIDEST <= len(data)) & (length > 0)
    if not plain.any():
        return _with_odd_rows(texts, rows, plain, _no_texts(len(rows)), _no_texts(len(rows)))
    width = -(-int(length[plain].max()) // 8) * 8
    window = _windows(data, np.where(plain, start, 0), width)
    inside = _first(width)[np.minimum(length, width)].view(np.uint8)
    blank = (window == 32) & inside
    cut = np.where(_any(blank), blank.argmax(axis=1), length)
    plain &= (cut > 0) & ~_any((window == 0) & inside)
    words, word = _distinct(window, np.minimum(cut, width), plain)
    rest_at = np.minimum(cut + 1, length)
    rest_length = np.maximum(length - cut - 1, 0)
    width = -(-int(rest_length[plain].max(initial=1)) // 8) * 8
    window = _windows(data, np.where(plain, start + rest_at, 0), width)
    rests, rest = _distinct(window, np.minimum(rest_length, width), plain)
    return _with_odd_rows(texts, rows, plain, (words, word), (rests, rest))


def _first(width: int) -> Bool:
    """By a length of 0 to ``width``: which of ``width`` bytes are within it."""
    return np.arange(width) < np.arange(width + 1)[:, None]


def _any(mask: U8) -> Bool:
    """Which rows of a mask, a multiple of eight wide, have a true byte: looked at eight bytes at a time."""
    words = mask.view(np.uint64)
    found: Bool = words[:, 0] != 0
    for column in range(1, words.shape[1]):
        found |= words[:, column] != 0
    return found


def _no_texts(rows: int) -> tuple[list[bytes], I32]:
    return [], np.full(rows, -1, np.int32)


def _windows(data: U8, start: I64, width: int) -> U8:
    """Copies of so many bytes at each start; every start must leave that many behind it."""
    view = np.ndarray((len(data) - width + 1,), f"V{width}", data.data, 0, (1,))
    return view[start].view(np.uint8).reshape(-1, width)


def _distinct(window: U8, length: I64, plain: Bool) -> tuple[list[bytes], I32]:
    """The distinct beginnings, so long, of the plain rows, sorted, and for each row which one (-1 for other rows)."""
    index = np.full(len(window), -1, np.int32)
    which = np.flatnonzero(plain)
    if not len(which):
        return [], index
    width = window.shape[1]
    keep = (_first(width) * np.uint8(255)).view(np.uint64)
    keys = window.view(np.uint64) & keep[length]
    if len(which) < len(keys):
        keys = keys[which]
    first, inverse = _unique_rows(keys)
    together = keys[first].tobytes()
    found = [together[at : at + width].rstrip(b"\0").strip(b" ") for at in range(0, len(together), width)]
    order = {text: rank for rank, text in enumerate(sorted(set(found)))}
    index[which] = np.array([order[text] for text in found], np.int32)[inverse]
    return list(order), index


def _unique_rows(keys: U64) -> tuple[I32, I32]:
    """First row of each distinct row and the inverse; exact, whatever the sums do."""
    total = np.zeros(len(keys), np.uint64)
    for column, mix in enumerate(_MIX[: keys.shape[1]]):
        total += keys[:, column] * mix
    first, inverse = alike(total)
    if not np.array_equal(keys[first[inverse]], keys):
        _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return first.astype(np.int32), inverse.reshape(-1).astype(np.int32)


def _with_odd_rows(
    texts: Texts, rows: I32, plain: Bool, words: tuple[list[bytes], I32], rests: tuple[list[bytes], I32]
) -> Split:
    """Add the rows that don't fit the window: long ones, ones at the end of the buffer, ones with odd bytes."""
    (known_words, word), (known_rests, rest) = words, rests
    word_of = {text: row for row, text in enumerate(known_words)}
    rest_of = {text: row for row, text in enumerate(known_rests)}
    for row in np.flatnonzero(~plain).tolist():
        first, _, second = texts.raw(int(rows[row])).strip(b" ").partition(b" ")
        second = second.strip(b" ")
        word[row] = word_of.setdefault(first, len(word_of))
        rest[row] = rest_of.setdefault(second, len(rest_of))
    return Split(tuple(word_of), word, tuple(rest_of), rest)
