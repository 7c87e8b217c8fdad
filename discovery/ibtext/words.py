"""Digits of many lines read at once: text as 64-bit words, one word or two for each line.

A word holds eight characters, the first in its lowest byte, and every operation works on all eight (SWAR).
"""

from __future__ import annotations

import numpy as np

from discovery.arrays import I32, I64, U8, U64, AnyArray, Bool

_ONES = np.uint64(0x0101010101010101)
_ZEROS = np.uint64(0x3030303030303030)
_UPPER_HALVES = np.uint64(0xF0F0F0F0F0F0F0F0)
_HIGH_BITS = np.uint64(0x8080808080808080)
_NOT_TEN = np.uint64(0x7676767676767676)
"""Added to a byte of ten or more, it sets its highest bit."""
_COUNT = np.uint64(0x0001020304050607)
"""Times 256 ** n, its highest byte is n."""
_LANES = {8: np.uint64(0x00FF00FF00FF00FF), 16: np.uint64(0x0000FFFF0000FFFF), 32: np.uint64(0xFFFFFFFF)}
WINDOW = 32
"""Bytes of a window: enough for a GUID and what surrounds it."""
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
"""Masks of a word's first n bytes."""
_DIGITS = np.array([_FIRST_BYTES[[min(n, 8) for n in range(17)]], _FIRST_BYTES[[max(n - 8, 0) for n in range(17)]]])
"""Masks of the first n bytes of two words, one row for each."""


class Words:
    """A text from which words can be picked at any place."""

    def __init__(self, text: bytes) -> None:
        self.letters: U8 = np.frombuffer(text, np.uint8)
        self._scratch = np.empty(0, np.bool_)  # pages of new memory cost more than comparing what is in them
        self._words = np.ndarray((max(len(text) - 7, 0),), "V8", text, 0, (1,))
        self._windows = np.ndarray((max(len(text) - WINDOW + 1, 0),), f"V{WINDOW}", text, 0, (1,))

    def places(self, start: int, stop: int, char: int) -> I64:
        """The places between start and stop where a character is."""
        part = self.letters[start:stop]
        if len(part) > len(self._scratch):
            self._scratch = np.empty(2 * len(part), np.bool_)
        return np.flatnonzero(np.equal(part, char, out=self._scratch[: len(part)])) + start

    def at(self, place: I64) -> U64:
        """The word that starts at each place."""
        return self._words[place].view("<u8")

    def window(self, place: I64) -> Window:
        """The bytes from each place."""
        return Window(self._windows[place].view(np.uint8), len(place))


class Window:
    """Some bytes of each of many lines; their parts cost next to nothing once they are here."""

    def __init__(self, letters: U8, count: int) -> None:
        self._letters = letters if count else np.zeros(WINDOW, np.uint8)  # NumPy takes no view of nothing
        self._count = count

    def at(self, offset: int) -> U64:
        """The word at an offset."""
        return np.ndarray((self._count,), "<u8", self._letters, offset, (WINDOW,)).copy()

    def byte(self, offset: int) -> U8:
        """The byte at an offset."""
        return np.ndarray((self._count,), np.uint8, self._letters, offset, (WINDOW,))

    def hex16(self, offset: int) -> tuple[U64, Bool]:
        """Numbers of exactly 16 lower-case hex digits at an offset, and where there was one."""
        return _from_hex(self._pairs(offset))

    def hex(self, offset: int, length: I64) -> tuple[U64, Bool]:
        """Numbers of 1 to 16 lower-case hex digits from an offset on, and where there was one."""
        fits = (length >= 1) & (length <= 16)
        digits = _DIGITS.take(length, axis=1, mode="clip")
        pairs = self._pairs(offset)
        pairs &= digits
        pairs |= ~digits & _ZEROS
        value, right = _from_hex(pairs)
        value >>= ((16 - length) << 2).view(np.uint64)
        return value, right & fits

    def some(self, which: I64) -> Window:
        """The windows of some of the lines."""
        return Window(self._letters.view(f"V{WINDOW}")[which].view(np.uint8), len(which))

    def _pairs(self, offset: int) -> U64:
        return np.ndarray((2, self._count), "<u8", self._letters, offset, (8, WINDOW)).copy()


def starts(words: U64, text: bytes) -> Bool:
    """Which words start with these up to eight bytes."""
    found: Bool = (words & _FIRST_BYTES[len(text)]) == np.uint64(int.from_bytes(text, "little"))
    return found


def byte(words: U64, number: int) -> U8:
    """One byte of each word."""
    return (words >> np.uint64(8 * number)).astype(np.uint8)


def first_bytes(words: U64, count: I64) -> U64:
    """The first bytes of each word, the rest zero."""
    return words & _FIRST_BYTES.take(count, mode="clip")


def before(words: U64, char: int) -> I64:
    """How many bytes stand before a character in each word; 0 also where it does not occur."""
    other = words ^ np.uint64(char * 0x0101010101010101)
    found = other - _ONES
    found &= ~other
    found &= _HIGH_BITS  # lowest in the first byte that is the character; those behind it may be wrong
    return _bytes_below(found).view(np.int64)


def _bytes_below(marks: AnyArray) -> AnyArray:
    """How many bytes are below the lowest mark, which is the highest bit of its byte; 0 where there is none."""
    kind, spare = marks.dtype.type, 64 - 8 * marks.itemsize
    lowest = np.negative(marks)
    lowest &= marks
    lowest >>= kind(7)
    lowest *= kind(int(_COUNT) >> spare)
    lowest >>= kind(56 - spare)
    return lowest


def decimal(words: U64, most: int) -> tuple[I32, I64, U64]:
    """The number that each word starts with, how many digits it has, and the word that is left behind them.

    A number of more than ``most`` (up to seven) digits counts as none.
    """
    digits: AnyArray = words.astype(np.uint64 if most > 3 else np.uint32)  # half words take half the time
    size = digits.itemsize
    digits ^= _ZEROS.astype(digits.dtype)
    other = digits + _NOT_TEN.astype(digits.dtype)
    other |= digits
    other &= _HIGH_BITS.astype(digits.dtype)  # lowest in the first byte that is no digit
    count = _bytes_below(other)
    count[count > most] = 0
    digits <<= (digits.dtype.type(size) - count) << digits.dtype.type(3)
    for ten, bits in ((10, 8), (100, 16), (10_000, 32))[: size // 4 + 1]:  # pairs of digits, then pairs of these
        further = digits >> digits.dtype.type(bits)
        digits *= digits.dtype.type(ten)
        digits += further
        digits &= _LANES[bits].astype(digits.dtype)
    long = count.astype(np.uint64)
    return digits.astype(np.int32), long.view(np.int64), words >> (long << np.uint64(3))


def _from_hex(words: U64) -> tuple[U64, Bool]:
    """Numbers from two rows of words, the upper and the lower eight digits."""
    letter = words >> np.uint64(6)
    letter &= _ONES
    value = words - _ZEROS
    value -= letter * np.uint64(0x27)  # below zero only for what is no digit, and then its upper half is not empty
    letter <<= np.uint64(4)
    letter ^= value + np.uint64(0x0606060606060606)  # sixteen or more: must be a letter, less: must be none
    letter |= value
    letter &= _UPPER_HALVES
    right = (letter[0] | letter[1]) == 0
    for factor, bits in ((1 << 12 | 1, 8), (1 << 24 | 1, 16), (1 << 48 | 1, 32)):
        value *= np.uint64(factor)
        value >>= np.uint64(bits)
        value &= _LANES[bits]
    return (value[0] << np.uint64(32)) | value[1], right
