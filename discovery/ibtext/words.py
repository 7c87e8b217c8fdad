"""Digits of many lines read at once: text as 64-bit words, one word or two for each line.

A word holds eight characters, the first in its lowest byte, and every operation works on all eight (SWAR).
"""

from __future__ import annotations

import numpy as np

from discovery.arrays import I64, U8, U32, U64, Bool

_ONES = np.uint64(0x0101010101010101)
_ZEROS = np.uint64(0x3030303030303030)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_EIGHT = np.uint64(8)
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
"""Masks of a word's first n bytes."""
_PADDING = np.array([[(1 << 8 * min(n, 8)) - 1, (1 << 8 * max(n - 8, 0)) - 1] for n in range(16, -1, -1)], np.uint64)
"""For a number of 0 to 16 digits that ends a pair of words: which bytes come before it."""


class Words:
    """A text from which words can be picked at any place."""

    def __init__(self, text: bytes) -> None:
        self.letters: U8 = np.frombuffer(text, np.uint8)
        self._scratch = np.empty((2, 0), np.bool_)  # pages of new memory cost more than comparing what is in them
        self._one = np.ndarray((max(len(text) - 7, 0),), "V8", text, 0, (1,))
        self._two = np.ndarray((max(len(text) - 15, 0),), "V16", text, 0, (1,))

    def marks(self, start: int, stop: int, one: int, other: int) -> I64:
        """The places between start and stop where one of two characters is."""
        part = self.letters[start:stop]
        if len(part) > self._scratch.shape[1]:
            self._scratch = np.empty((2, 2 * len(part)), np.bool_)
        first, second = self._scratch[:, : len(part)]
        np.equal(part, one, out=first)
        np.equal(part, other, out=second)
        np.logical_or(first, second, out=first)
        return np.flatnonzero(first) + start

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


def starts(words: U64, text: bytes) -> Bool:
    """Which words start with these up to eight bytes."""
    found: Bool = (words & _FIRST_BYTES[len(text)]) == np.uint64(int.from_bytes(text, "little"))
    return found


def byte(words: U64, number: int) -> U8:
    """One byte of each word."""
    return (words >> np.uint64(8 * number)).astype(np.uint8)


def first_bytes(words: U64, count: I64) -> U64:
    """The first bytes of each word, the rest zero."""
    return words & _FIRST_BYTES[count]


def decimal(words: U64, most: int) -> tuple[U32, I64, U64]:
    """The number that each word starts with, how many digits of it were read, and the word that is left behind them."""
    value = np.zeros(len(words), np.uint32)
    count = np.zeros(len(words), np.uint8)
    more = np.ones(len(words), np.bool_)
    for place in range(most):
        digit = byte(words, place) - np.uint8(0x30)
        more &= digit < 10
        value = np.where(more, value * np.uint32(10) + digit, value)
        count += more
    return value, count.astype(np.int64), words >> (count.astype(np.uint64) << np.uint64(3))


def _from_hex(pairs: U64) -> tuple[U64, Bool]:
    nibbles = pairs >> np.uint64(6)
    nibbles &= _ONES
    nibbles *= np.uint64(9)
    nibbles += pairs & _NIBBLES
    nibbles &= _NIBBLES
    again = nibbles + np.uint64(0x0606060606060606)  # written again, they must look the same
    again >>= np.uint64(4)
    again &= _ONES
    again *= np.uint64(0x27)
    again += nibbles
    again += _ZEROS
    right = again == pairs
    nibbles *= np.uint64(1 << 12 | 1)
    nibbles >>= _EIGHT
    nibbles &= np.uint64(0x00FF00FF00FF00FF)
    nibbles *= np.uint64(1 << 24 | 1)
    nibbles >>= np.uint64(16)
    nibbles &= np.uint64(0x0000FFFF0000FFFF)
    nibbles *= np.uint64(1 << 48 | 1)
    nibbles >>= np.uint64(32)
    return (nibbles[:, 0] << np.uint64(32)) | nibbles[:, 1], right[:, 0] & right[:, 1]
