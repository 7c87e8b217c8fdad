"""The door to recorded files: walks captures, opens nothing that could block, reads no more than a bound.

It knows where things stand in a capture and hands out bytes; what they mean is for the probes. Paths are plain texts:
there are half a million of them in a large capture, and pathlib alone costs each start three milliseconds.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO

from discovery import capture
from discovery.capture import Kind
from discovery.probes import infiniband_sysfs

MOST_BYTES = 1 << 30
"""No fabric needs a file of more than 1 GiB; 10,240 hosts with 8 rails make 53 MB."""
_MOST_NAMES_BYTES = 32 << 20
_MOST_ATTRIBUTE_BYTES = 4096
"""A sysfs attribute is one page at most."""
_MOST_DEPTH = 24
_MOST_ENTRIES = 4_000_000
_PARTS = ("fabric", "hosts", "switches")
"""Folders of a capture that may be named by themselves."""


class Unreadable(Exception):
    """One file or folder that cannot be read; others go on."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.hint = hint


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Entry:
    """A recorded file: where it is, its place in the capture, what it is, whether somebody named exactly this path."""

    path: str
    place: str
    kind: Kind
    named: bool

    @property
    def node(self) -> str | None:
        """The node it was recorded on."""
        return capture.host_of(self.place)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trouble:
    """A path that could not be read or is of no known kind, and why."""

    path: str
    reason: str
    hint: str = ""
    named: bool = False
    known: bool = True
    """False: it was read and is no kind of output that we know."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Recording:
    """All files found below the paths that were named, in order, and what went wrong on the way."""

    entries: tuple[Entry, ...]
    troubles: tuple[Trouble, ...]


def find(paths: Iterable[str]) -> Recording:
    """Everything recorded below the paths; no file twice, no link followed out of its folder. Raises nothing."""
    walk = _Walk()
    for path in paths:
        walk.named(path)
    return Recording(tuple(walk.entries), tuple(walk.troubles))


def exists(path: str) -> bool:
    """Whether there is anything at a path, readable or not."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        return error.errno != errno.ELOOP
    return True


def read(path: str, limit: int = MOST_BYTES) -> bytes:
    """The bytes of a regular file; Unreadable for anything else, and for more than ``limit`` bytes."""
    try:
        with _opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > limit:
                raise Unreadable(f"it is larger than {limit:,} bytes")
            # Files of /proc and /sys say that their size is 0 or a page, so one read more than promised is tried.
            return file.read(size) if size > _MOST_ATTRIBUTE_BYTES else file.read(min(limit, 1 << 20))
    except OSError as error:
        raise Unreadable(_sentence(error)) from error
    except MemoryError as error:
        raise Unreadable("it does not fit into memory") from error


def size(path: str) -> int:
    """How many bytes a file has; 0 where it can't be told."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def attribute(path: str) -> str:
    """The text of one sysfs attribute; Unreadable where the recording is damaged."""
    try:
        with _opened(path) as file:
            return file.read(_MOST_ATTRIBUTE_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise Unreadable(_sentence(error)) from error


def node_list(path: str) -> tuple[str, ...]:
    """Names from a file with one node a line; Unreadable names the line that can't be one, or says there is none."""
    try:
        names, refused = capture.node_names(read(path, _MOST_NAMES_BYTES).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Unreadable("it is not UTF-8 text", "Write one node name a line.") from error
    if refused:
        number, text = refused[0]
        raise Unreadable(f"line {number} is no node name: {text[:80]!r}", "Write one node name a line.")
    if not names:
        raise Unreadable("it names no node", "Leave it out to count every named host as a node.")
    return names


def node_files(paths: Iterable[str]) -> tuple[str, ...]:
    """The nodes.txt of each capture that was named: by itself, by one of its folders, or by one host's folder."""
    found = []
    for path in paths:
        folder = os.path.realpath(path)
        if not os.path.isdir(folder):
            continue
        if os.path.basename(os.path.dirname(folder)) == "hosts":
            folder = os.path.dirname(folder)
        if os.path.basename(folder) in _PARTS:
            folder = os.path.dirname(folder)
        names = os.path.join(folder, "nodes.txt")
        if os.path.lexists(names):  # one that cannot be read is told, not left out
            found.append(names)
    return tuple(dict.fromkeys(found))


class _Walk:
    """One walk over named paths; ``entries`` and ``troubles`` fill while it goes."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.troubles: list[Trouble] = []
        self._seen: set[tuple[int, int]] = set()
        self._left = _MOST_ENTRIES

    def named(self, given: str) -> None:
        """Take up one path that somebody named."""
        real = os.path.realpath(given)
        parts = real.split("/")
        if os.path.isdir(real):
            return self._folder(_root(real), given.rstrip("/") or "/", "/".join(parts[-6:]), real, 0)
        return self._file(given, "/".join(parts[-10:]), named=True)

    def _folder(self, root: str, shown: str, place: str, folder: str, depth: int) -> None:
        try:
            if not self._is_new(os.stat(folder)):
                return
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            return self._trouble(shown, _sentence(error), named=depth == 0)
        if depth > _MOST_DEPTH:
            return self._trouble(shown, f"it is nested more than {_MOST_DEPTH} folders deep")
        for entry in entries:
            if entry.name.startswith("."):
                continue  # what editors, file managers and simulate leave behind is nobody's recording
            self._left -= 1
            if self._left < 0:
                return self._trouble(shown, f"more than {_MOST_ENTRIES:,} files are too many for a capture")
            self._entry(root, f"{shown.rstrip('/')}/{entry.name}", f"{place}/{entry.name}", entry, depth)

    def _entry(self, root: str, shown: str, place: str, entry: os.DirEntry[str], depth: int) -> None:
        if entry.is_symlink() and not self._may_follow(root, shown, place, entry):
            return None
        if entry.is_dir():
            if not capture.is_worth_walking(place):
                return None
            return self._folder(root, shown, place, entry.path, depth + 1)
        if depth == 0 and entry.name == "nodes.txt":
            return None
        return self._file(shown, place, named=False)

    def _may_follow(self, root: str, shown: str, place: str, link: os.DirEntry[str]) -> bool:
        if capture.is_sysfs(place) and not capture.is_class_link(place):
            return False
        try:
            target = os.path.realpath(link.path, strict=True)
        except OSError:
            if not capture.is_sysfs(place):  # a copied /sys is full of links to what was not copied
                self._trouble(shown, "it is a link that leads nowhere")
            return False
        if os.path.commonpath((root, target)) != root:
            self._trouble(shown, "it is a link that leads out of the folder")
            return False
        return True

    def _file(self, shown: str, place: str, *, named: bool) -> None:
        attribute_of = capture.sysfs_path(place)
        if attribute_of is not None:
            # There are half a million of them in a large capture: none is opened before it is read.
            if infiniband_sysfs.wanted(attribute_of):
                self.entries.append(Entry(shown, place, Kind.SYSFS, named))
            return None
        if capture.is_sysfs(place) and not capture.is_network_sysfs(place):
            return None
        try:
            with _opened(shown) as file:
                if not self._is_new(os.fstat(file.fileno())):
                    return None
                kind = _kind(file, place)
        except OSError as error:
            return self._trouble(shown, _sentence(error), named=named)
        except Unreadable as error:
            return self._trouble(shown, str(error), error.hint, named=named)
        if kind is Kind.UNKNOWN:
            self.troubles.append(Trouble(shown, "it is no kind of output that we know", "", named, known=False))
        else:
            self.entries.append(Entry(shown, place, kind, named))
        return None

    def _is_new(self, found: os.stat_result) -> bool:
        key = (found.st_dev, found.st_ino)
        new = key not in self._seen
        self._seen.add(key)
        return new

    def _trouble(self, shown: str, reason: str, hint: str = "", *, named: bool = False) -> None:
        self.troubles.append(Trouble(shown, reason, hint, named))


def _root(folder: str) -> str:
    """What links must not leave: the folder that was named; for a part of a copied /sys, all of that."""
    above = folder
    while above != "/":
        if os.path.basename(above) == "sys" and os.path.isdir(f"{above}/class"):
            return above
        above = os.path.dirname(above)
    return folder


def _kind(file: BinaryIO, place: str) -> Kind:
    if capture.is_network_sysfs(place):
        return Kind.SYSNET
    head = file.read(capture.HEAD)
    if capture.is_compressed(head):
        raise Unreadable("it is compressed", "Unpack it first: gunzip FILE.")
    return capture.kind_of(head)


def _opened(path: str) -> BinaryIO:
    """A regular file, open; a FIFO or a device is refused before and after opening, so nothing ever blocks."""
    _must_be_regular(os.stat(path))
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    file = os.fdopen(descriptor, "rb", buffering=0)
    try:
        _must_be_regular(os.fstat(descriptor))
    except Unreadable:
        file.close()
        raise
    return file


def _must_be_regular(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unreadable("it is no regular file", "Save the output in a file first.")


def _sentence(error: Exception) -> str:
    if isinstance(error, PermissionError):
        return "permission denied"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
