"""Reading one large text in two processes. This one reads the first part and gets ready for what comes after it, the
other one reads the rest and hands its rows over in shared memory.

Whatever happens to the other process, the answer is the same: then this one reads the rest as well.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import struct
from importlib import import_module

from discovery.ibtext.reading import read, read_part, split_at
from discovery.ibtext.rows import Found

LARGE = 10 << 20
"""Below this many bytes of text the second process costs more than it saves."""
SHARE = 0.47
"""This process reads less than half: it imports the modules of the next steps meanwhile."""
NEXT = ("discovery.join", "hypernode.infer", "hypernode.naming", "hypernode.manifest", "hypernode.report")
_LENGTH = struct.Struct("<Q")


def read_together(text: bytes) -> Found:
    """Rows of a plain text, in two processes where it is large and there are processors for both."""
    if len(text) < LARGE or len(os.sched_getaffinity(0)) < 2:
        return read(text)
    middle = split_at(text, SHARE)
    with mmap.mmap(-1, len(text)) as memory:  # rows are smaller than their lines; pages cost nothing until written
        try:
            answer, other = _started(text, middle, memory)
        except OSError:  # no process or descriptor to be had
            return read(text)
        try:
            found = read_part(text, 0, middle)
            for module in NEXT:
                import_module(module)
            rest = _received(answer, memory)
        finally:
            os.close(answer)
            _ended(other)
        found.extend(read_part(text, middle, len(text)) if rest is None else rest)
        del rest  # its columns lie in the memory that is given back here
    return found


def _started(text: bytes, middle: int, memory: mmap.mmap) -> tuple[int, int]:
    """Start the other process; returns where its answer will come from, and its number."""
    answer, reply = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(answer)
        os.close(reply)
        raise
    if child:
        os.close(reply)
        return answer, child
    try:
        os.close(answer)
        _reply(read_part(text, middle, len(text)), memory, reply)
    finally:
        os._exit(0)  # whatever happened: a reply that is not whole says it


def _reply(found: Found, memory: mmap.mmap, reply: int) -> None:
    """Put the columns into shared memory, and say through the pipe where they are and what else there is."""
    columns: list[pickle.PickleBuffer] = []
    rest = pickle.dumps(found, protocol=5, buffer_callback=columns.append)
    lengths, end = [], 0
    for column in columns:
        raw = column.raw()
        memory[end : end + len(raw)] = raw
        lengths.append(len(raw))
        end += -(-len(raw) // 64) * 64  # columns start on lines of the processor's cache
    with os.fdopen(reply, "wb") as pipe:
        pipe.write(_LENGTH.pack(len(lengths)) + b"".join(map(_LENGTH.pack, lengths)) + rest)


def _received(answer: int, memory: mmap.mmap) -> Found | None:
    """The rows that the other process read; None where it didn't come to an end."""
    parts = []
    while part := os.read(answer, 1 << 20):
        parts.append(part)
    told = b"".join(parts)
    if len(told) < _LENGTH.size:
        return None
    (count,) = _LENGTH.unpack_from(told)
    lengths = struct.unpack_from(f"<{count}Q", told, _LENGTH.size)
    columns, start = [], 0
    view = memoryview(memory)
    for length in lengths:
        columns.append(view[start : start + length])
        start += -(-length // 64) * 64
    found: Found = pickle.loads(told[_LENGTH.size * (count + 1) :], buffers=columns)  # of our own other half
    return found


def _ended(child: int) -> None:
    """Wait for the other process, so that none is left behind."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)
