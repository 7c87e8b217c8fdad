"""The whole text into rows, chunk by chunk: the fast reader first, the grammar for every line that it leaves."""

from __future__ import annotations

import numpy as np

from discovery.ibtext.columns import read_chunk
from discovery.ibtext.grammar import read_line
from discovery.ibtext.rows import Found
from discovery.ibtext.words import Words

CHUNK = 3 << 20
"""Bytes read at once: large enough for NumPy, small enough to stay in the cache."""
LONGEST = 1 << 20
"""A chunk that has to be extended by more than this to reach a line end is read line by line."""
FLUSH = 1 << 16
"""How many lines the grammar reads before its rows are packed."""
SMALL = 1 << 14
"""Shorter texts are read by the grammar before NumPy has begun."""

_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_LINE_ENDS = (b"\r\r\n", b"\r\n", b"\r")


def plain(text: bytes) -> bytes:
    """The text in UTF-8 without a byte order mark, with LF for each CR, CRLF or CRCRLF.

    Here and below a text may also be an ``mmap``: it is searched and cut, and its parts are bytes.
    """
    if text[:2] in _WIDE_BOMS:  # UTF-16, as PowerShell redirects it
        text = text[:].decode("utf-16", "replace").encode()
    if text[: len(_BOM)] == _BOM:
        text = text[len(_BOM) :]
    if text.find(b"\r") < 0:
        return text
    text = text[:]
    for line_end in _LINE_ENDS:
        text = text.replace(line_end, b"\n")
    return text


def read(text: bytes) -> Found:
    """Read every line of a plain text, in the way that is fastest for its size."""
    return read_exactly(text) if len(text) < SMALL else read_part(text, 0, len(text))


def read_exactly(text: bytes) -> Found:
    """Read every line with the grammar alone; all other ways must agree with it."""
    found = Found(len(text))
    _read_lines(text, 0, len(text), found)
    return found


def split_at(text: bytes, share: float) -> int:
    """Where a line starts (or the text ends) near this share of a plain text, so that its parts can be read apart."""
    return text.find(b"\n", int(len(text) * share)) + 1 or len(text)


def read_part(text: bytes, start: int, stop: int, number: int = 1, size: int = CHUNK) -> Found:
    """Read the lines of a plain text from start to stop, both of which ``split_at`` told; the first has this number.

    About ``size`` bytes are read at once; that changes nothing but the speed. ``Found.extend`` puts parts together.
    """
    if stop - start > CHUNK:
        _keep_memory()
    found = Found(len(text) - start, number)  # room for the parts behind this one; it costs nothing until it is used
    words = Words(text)
    while start < stop:
        end = min(text.find(b"\n", min(start + size, stop)) + 1 or len(text), stop)
        if end - start > size + LONGEST:  # a line that is nobody's: not worth the memory for its marks
            _read_lines(text, start, end, found)
        else:
            chunk = read_chunk(words, start, end, found.next)
            found.add(chunk.ports, chunk.heads, chunk.attributes)
            for line, begin, behind in chunk.left:
                read_line(text, begin, behind, line, found)
            found.next += chunk.lines
        found.flush()
        start = end
    return found


def _read_lines(text: bytes, start: int, stop: int, found: Found) -> None:
    """Read the lines from start to stop one by one."""
    while start < stop:
        end = text.find(b"\n", start, stop)
        end = stop if end < 0 else end
        read_line(text, start, end, found.next, found)
        start, found.next = end + 1, found.next + 1
        if found.next % FLUSH == 0:
            found.flush()


def _keep_memory() -> None:
    """Let glibc keep what is freed: it learns its threshold from the largest block that was given back.

    Otherwise each chunk's arrays come as new pages, which cost more than what is computed in them.
    """
    np.empty(31 << 20, np.uint8)
