"""Digits of many lines read at once: text as 64-bit words, one word or two for each line.

A word holds eight characters, the first in its lowest byte, and every operation works on all eight (SWAR).
"""

from __future__ import annotations

import numpy as np

from discovery.observations import I64, U8, U64, Bool

_ONES = np.uint64(0x0101010101010101)
_HIGHS = np.uint64(0x8080808080808080)
_LOWS = np.uint64(0x7F7F7F7F7F7F7F7F)
_ZEROS = np.uint64(0x3030303030303030)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_EIGHT = np.uint64(8)
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
"""Masks of a word's first n bytes."""
_PADDING = np.array([[(1 << 8 * min(n, 8)) - 1, (1 << 8 * max(n - 8, 0)) - 1] for n in range(16, -1, -1)], np.uint64)
"""For a number of 0 to 16 digits that ends a pair of words: which bytes come before it."""


class Words:
    """A text of at least 64 bytes, from which words can be picked at any place."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._one = np.ndarray((len(text) - 7,), "V8", text, 0, (1,))
        self._two = np.ndarray((len(text) - 15,), "V16", text, 0, (1,))

    def at(self, place: I64) -> U64:
        """The word that starts at each place."""
        return self._one[place].view("<u8")

    def hex16(self, place: I64) -> tuple[U64, Bool]:
        """Numbers of exactly 16 lower-case hex digits, and where there was one."""
        return _from_hex(self._two[place].view("<u8").reshape(-1, 2))

    def hex_before(self, end: I64, length: I64) -> tuple[U64, Bool]:
        """Numbers of 1 to 16 lower-case hex digits that end before ``end``, and where there was one."""
        fits = (length >= 1) & (length <= 16)
        padding = _PADDING[np.where(fits, length, 0)]
        pairs = self._two[end - 16].view("<u8").reshape(-1, 2)
        value, right = _from_hex((pairs & ~padding) | (padding & _ZEROS))
        return value, right & fits


def literal(text: bytes) -> tuple[np.uint64, np.uint64]:
    """A text of up to eight bytes as (word, mask), for ``starts``."""
    return np.uint64(int.from_bytes(text, "little")), np.uint64((1 << 8 * len(text)) - 1)


def starts(words: U64, text: bytes) -> Bool:
    """Which words start with these up to eight bytes."""
    word, mask = literal(text)
    found: Bool = (words & mask) == word
    return found


def byte(words: U64, number: int) -> U8:
    """One byte of each word."""
    return (words >> np.uint64(8 * number)).astype(np.uint8)


def first_bytes(words: U64, count: I64) -> U64:
    """The first bytes of each word, the rest zero."""
    return words & _FIRST_BYTES[count]


def decimal(words: U64) -> tuple[U64, I64, U64]:
    """The number that each word starts with, how many digits it has (0 to 7), and the word that is left behind it."""
    digits = words ^ _ZEROS
    other = (((digits & _LOWS) + np.uint64(0x7676767676767676)) | digits) & _HIGHS
    mask = ((other & (~other + np.uint64(1))) >> np.uint64(7)) - np.uint64(1)
    bits = ((mask & _ONES) * _ONES) >> np.uint64(56) << np.uint64(3)
    value = (digits & mask) << (np.uint64(64) - bits)
    value = (value * np.uint64(10) + (value >> _EIGHT)) & np.uint64(0x00FF00FF00FF00FF)
    value = (value * np.uint64(100) + (value >> np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    value = (value * np.uint64(10000) + (value >> np.uint64(32))) & np.uint64(0xFFFFFFFF)
    value[bits == 0] = 0
    return value, (bits >> np.uint64(3)).astype(np.int64), words >> bits


def _from_hex(pairs: U64) -> tuple[U64, Bool]:
    nibbles = ((pairs & _NIBBLES) + ((pairs >> np.uint64(6)) & _ONES) * np.uint64(9)) & _NIBBLES
    letters = ((nibbles + np.uint64(0x0606060606060606)) >> np.uint64(4)) & _ONES
    right = (nibbles + _ZEROS + letters * np.uint64(0x27)) == pairs
    value = ((nibbles << np.uint64(4)) | (nibbles >> _EIGHT)) & np.uint64(0x00FF00FF00FF00FF)
    value = ((value << _EIGHT) | (value >> np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    value = ((value << np.uint64(16)) | (value >> np.uint64(32))) & np.uint64(0xFFFFFFFF)
    return (value[:, 0] << np.uint64(32)) | value[:, 1], right[:, 0] & right[:, 1]
