"""Reading one large text in two processes. This one reads the first part and gets ready for what comes after it, the
other one reads the rest and hands its rows over through a pipe.

Whatever happens to the other process, the answer is the same: then this one reads the rest as well.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pickle
import struct
from importlib import import_module
from io import BufferedReader

import numpy as np

from discovery.ibtext.reading import read, read_part, split_at
from discovery.ibtext.rows import Found

LARGE = 10 << 20
"""Below this many bytes of text the second process costs more than it saves."""
SHARE = 0.42
"""This process reads less than half: it imports the modules of the next steps meanwhile."""
NEXT = ("discovery.join", "hypernode.infer", "hypernode.naming", "hypernode.manifest", "hypernode.report")
_LENGTH = struct.Struct("<Q")
_PIPE_BYTES = 1 << 20
"""The most that a user may ask for; with the usual 64 KiB the two would wait for each other all the time."""


def read_together(text: bytes) -> Found:
    """Rows of a plain text, in two processes where it is large and there are processors for both."""
    if len(text) < LARGE or len(os.sched_getaffinity(0)) < 2:
        return read(text)
    middle = split_at(text, SHARE)
    try:
        answer, other = _started(text, middle)
    except OSError:  # no process or descriptor to be had
        return read(text)
    try:
        found = read_part(text, 0, middle)
        for module in NEXT:
            import_module(module)
        with os.fdopen(os.dup(answer), "rb") as pipe:
            rest = _received(pipe)
    finally:
        os.close(answer)
        _ended(other)
    found.extend(read_part(text, middle, len(text)) if rest is None else rest)
    return found


def _started(text: bytes, middle: int) -> tuple[int, int]:
    """Start the other process; returns where its answer will come from, and its number."""
    answer, reply = os.pipe()
    try:
        with contextlib.suppress(OSError, AttributeError):  # all pipes of this user are large already; no Linux
            fcntl.fcntl(reply, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
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
        _reply(read_part(text, middle, len(text)), reply)
    finally:
        os._exit(0)  # whatever happened: a reply that is not whole says it


def _reply(found: Found, reply: int) -> None:
    """Write how long each column is and how long the rest, then the rest and the columns themselves."""
    columns: list[pickle.PickleBuffer] = []
    rest = pickle.dumps(found, protocol=5, buffer_callback=columns.append)
    parts: list[bytes | memoryview] = [rest, *(column.raw() for column in columns)]
    with os.fdopen(reply, "wb") as pipe:
        pipe.write(_LENGTH.pack(len(parts)) + b"".join(_LENGTH.pack(len(part)) for part in parts))
        for part in parts:
            pipe.write(part)


def _received(pipe: BufferedReader) -> Found | None:
    """The rows that the other process read; None where it didn't come to an end."""
    try:
        (count,) = _LENGTH.unpack(pipe.read(_LENGTH.size))
        lengths = struct.unpack(f"<{count}Q", pipe.read(_LENGTH.size * count))
    except struct.error:
        return None
    parts = [np.empty(length, np.uint8).data for length in lengths]
    if any(pipe.readinto(part) != len(part) for part in parts):
        return None
    found: Found = pickle.loads(parts[0], buffers=parts[1:])  # of our own other half
    return found


def _ended(child: int) -> None:
    """Wait for the other process, so that none is left behind."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)
