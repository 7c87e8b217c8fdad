"""The whole text into rows, chunk by chunk: the fast reader first, the grammar for every line that it leaves."""

from __future__ import annotations

import numpy as np

from discovery.ibtext.columns import read_chunk
from discovery.ibtext.grammar import read_line
from discovery.ibtext.rows import Found
from discovery.ibtext.words import Words

CHUNK = 2 << 20
"""Bytes read at once: large enough for NumPy, small enough to stay in the cache."""
LONGEST = 1 << 20
"""A chunk that has to be extended by more than this to reach a line end is read line by line."""
FLUSH = 1 << 16
"""How many lines the grammar reads before its rows are packed."""
SMALL = 1 << 14
"""Shorter texts are read by the grammar before NumPy has begun."""

_BOM = b"\xef\xbb\xbf"
_LINE_ENDS = (b"\r\r\n", b"\r\n", b"\r")


def plain(text: bytes) -> bytes:
    """The text without a byte order mark, with LF for each CR, CRLF or CRCRLF."""
    if text.startswith(_BOM):
        text = text[len(_BOM) :]
    for line_end in _LINE_ENDS if b"\r" in text else ():
        text = text.replace(line_end, b"\n")
    return text


def read_exactly(text: bytes) -> Found:
    """Read every line with the grammar alone; all other ways must agree with it."""
    found = Found(len(text))
    _read_lines(text, 0, len(text), 1, found)
    return found


def read_in_chunks(text: bytes, size: int) -> Found:
    """Read about ``size`` bytes at once; the size changes nothing but the speed."""
    found = Found(len(text))
    words = Words(text)
    number, start = 1, 0
    while start < len(text):
        stop = text.find(b"\n", start + size) + 1 or len(text)
        if stop - start > size + LONGEST:  # a line that is nobody's: not worth the memory for its marks
            number = _read_lines(text, start, stop, number, found)
        else:
            chunk = read_chunk(words, start, stop, number)
            found.add(chunk.ports, chunk.heads, chunk.attributes)
            for line, begin, end in chunk.left:
                read_line(text, begin, end, line, found)
            number += chunk.lines
        found.flush()
        start = stop
    return found


def _read_lines(text: bytes, start: int, stop: int, number: int, found: Found) -> int:
    """Read the lines from start to stop, the first of which has this number, one by one; the number that comes next."""
    while start < stop:
        end = text.find(b"\n", start, stop)
        end = stop if end < 0 else end
        read_line(text, start, end, number, found)
        start, number = end + 1, number + 1
        if number % FLUSH == 0:
            found.flush()
    return number


def read(text: bytes) -> Found:
    """Read every line of a plain text, in the way that is fastest for its size."""
    if len(text) < SMALL:
        return read_exactly(text)
    if len(text) > CHUNK:
        _keep_memory()
    return read_in_chunks(text, CHUNK)


def _keep_memory() -> None:
    """Let glibc keep what is freed: it learns its threshold from the largest block that was given back.

    Otherwise each chunk's arrays come as new pages, which cost more than what is computed in them.
    """
    np.empty(31 << 20, np.uint8)
