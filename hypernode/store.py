"""The directory store: one YAML file an object, written atomically; the only part here that touches files.

Knows files and objects. Does not know why something is written.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypernode.manifest import (
    Foreign,
    ManifestError,
    Object,
    from_object,
    from_yaml,
    generation_of,
    merged,
    to_object,
    to_yaml,
)
from hypernode.naming import is_name
from hypernode.tree import Defect, HyperNode

STATE_FOLDER = ".hypernode"
LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; an object of 100,000 members needs 10 MiB."""
LONGEST_FILE_NAME = 255 - len(".yaml")
_UNFINISHED = ".unfinished"
"""What is being written, in the folder where it will stand; one name is enough, because one writer holds the lock."""


class StoreError(Exception):
    """The directory could not be read or written; what was there is still whole. Carries what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Contents:
    """What stands in the store: our HyperNodes (not yet a legal tree), others, and our objects as they were read."""

    hypernodes: tuple[HyperNode, ...] = ()
    foreign: tuple[Foreign, ...] = ()
    objects: Mapping[str, Object] = field(default_factory=dict)


class DirectoryStore:
    """HyperNodes in a directory. Reading changes nothing; writing needs ``locked()``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def read(self) -> Contents:
        """All objects; a directory that does not exist yet holds none. What is no HyperNode is foreign, never fatal."""
        ours: list[HyperNode] = []
        foreign: list[Foreign] = []
        objects: dict[str, Object] = {}
        for file in self._files():
            whole, read = self._object(file)
            if isinstance(read, HyperNode):
                ours.append(read)
                objects[read.name] = whole
            else:
                foreign.append(read)
        return Contents(tuple(ours), tuple(foreign), objects)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep all other writers out until the end; StoreError at once where one is in."""
        with _told("write to", self.path):
            (self.path / STATE_FOLDER).mkdir(parents=True, exist_ok=True)
            if (self.path / STATE_FOLDER).is_symlink():  # nothing is written outside the store
                raise OSError(errno.ELOOP, "its folder .hypernode is a link")
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
            handle = os.open(self.path / STATE_FOLDER / "lock", flags, 0o644)
        try:
            self._take(handle)
            self._lock = handle
            yield
        finally:
            self._lock = None
            os.close(handle)

    def _take(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                message, hint = f"another hypernode is writing to {self.path}", "Try again when it has ended."
            else:
                message, hint = f"{self.path} cannot be locked: {error.strerror}", "Keep it on a local disk."
            raise StoreError(message, hint) from error

    def write(self, hypernode: HyperNode) -> Object:
        """Create or change one object; what others wrote into it stays. The generation rises when the spec changes."""
        file = self._file(hypernode.name)
        existing, read = self._object(file) if self._exists(file) else ({}, None)
        if isinstance(read, Foreign):
            raise StoreError(f"{file} is not ours: {read.reason}", "Move it away, or choose another --store.")
        whole = merged(existing, hypernode) if read is not None else to_object(hypernode)
        if whole != existing:
            generation = generation_of(existing)
            whole["metadata"]["generation"] = generation + (existing.get("spec") != whole["spec"])
            self._replace(file, to_yaml([whole]))
        return whole

    def write_status(self, whole: Object, status: Mapping[str, Any]) -> Object:
        """Set the status of an object that write() or read() returned; no write where it is the same."""
        changed = {**whole, "status": dict(status)}
        if changed != whole:
            self._replace(self._file(whole["metadata"]["name"]), to_yaml([changed]))
        return changed

    def delete(self, name: str) -> None:
        """Remove one object of ours; one that is gone already is no error."""
        file = self._file(name)
        if not self._exists(file):
            return
        _, read = self._object(file)
        if isinstance(read, Foreign):
            raise StoreError(f"{file} is not ours: {read.reason}", "Move it away, or choose another --store.")
        with _told("delete", file):
            file.unlink(missing_ok=True)

    def load(self, name: str) -> dict[str, Any]:
        """State kept beside the objects (``guard``, ``evidence``); empty where there is none or it is damaged."""
        try:
            text = _text_of(self._state_file(name))
            kept = json.loads(text)
        except (FileNotFoundError, NotADirectoryError, ManifestError, ValueError, RecursionError):
            return {}
        except OSError as error:
            raise _store_error("read", self._state_file(name), error) from error
        return kept if isinstance(kept, dict) else {}

    def save(self, name: str, kept: Mapping[str, Any]) -> bool:
        """Keep state; says whether anything had to be written."""
        text = json.dumps(kept, sort_keys=True, separators=(",", ":")) + "\n"
        file = self._state_file(name)
        with suppress(OSError, ManifestError):
            if _text_of(file) == text:
                return False
        self._replace(file, text)
        return True

    def _files(self) -> list[Path]:
        try:
            names = sorted(entry.name for entry in os.scandir(self.path))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _store_error("read", self.path, error) from error
        return [self.path / name for name in names if name.endswith(".yaml") and not name.startswith(".")]

    def _object(self, file: Path) -> tuple[Object, HyperNode | Foreign]:
        name = file.name.removesuffix(".yaml")
        try:
            whole = from_yaml(_text_of(file))
        except ManifestError as error:
            return {}, Foreign(name, f"{file.name}: {error}", broken=True)
        except OSError as error:
            if error.errno not in (errno.ELOOP, errno.ENXIO, errno.ENOENT):
                raise _store_error("read", file, error) from error  # it may be ours: to guess would publish it twice
            return {}, Foreign(name, f"{file.name} is a link or a socket, not a file", broken=True)
        read = from_object(whole, name)
        if read.name != name:
            return {}, Foreign(name, f"{file.name} holds an object of another name, {read.name}", broken=True)
        return (whole, read) if isinstance(whole, dict) else ({}, read)

    def _file(self, name: str) -> Path:
        if not is_name(name) or len(name) > LONGEST_FILE_NAME:
            raise StoreError(f"{ascii(name)[:80]} cannot be the name of a file", "Choose shorter tier names.")
        return self.path / f"{name}.yaml"

    def _state_file(self, name: str) -> Path:
        return self.path / STATE_FOLDER / f"{name}.json"

    @staticmethod
    def _exists(file: Path) -> bool:
        with _told("look at", file):
            return os.path.lexists(file)

    def _replace(self, file: Path, text: str) -> None:
        """Write a whole file or nothing: beside its place first, on the disk, then moved into its place."""
        if self._lock is None:
            raise Defect(f"{file} must not be written without the lock")
        unfinished = file.parent / _UNFINISHED
        try:
            with _told("write", file):
                unfinished.unlink(missing_ok=True)
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
                with os.fdopen(os.open(unfinished, flags, 0o644), "wb") as stream:
                    stream.write(text.encode("utf-8", "surrogateescape"))
                    stream.flush()
                    os.fsync(stream.fileno())
                unfinished.replace(file)
        except StoreError:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise


def _text_of(file: Path) -> str:
    """The text of a regular file of bounded size; never waits for a pipe, never follows a link."""
    handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ManifestError("it is not a regular file")
        with os.fdopen(handle, "rb", closefd=False) as stream:
            content = stream.read(LARGEST_FILE + 1)
    finally:
        os.close(handle)
    if len(content) > LARGEST_FILE:
        raise ManifestError(f"it is larger than {LARGEST_FILE} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ManifestError(f"byte {error.start} is not UTF-8") from error


_HINTS = {
    errno.ENOSPC: "Free some space on this disk, then run it again.",
    errno.EDQUOT: "Free some space within your quota, then run it again.",
    errno.EROFS: "The file system is read-only; choose another --store.",
    errno.EACCES: "Check who owns the directory, or choose another --store.",
    errno.EPERM: "Check who owns the directory, or choose another --store.",
    errno.ENOTDIR: "A file stands where a directory is needed; choose another --store.",
    errno.EISDIR: "A directory stands where a file is needed; move it away.",
    errno.EEXIST: "A file stands where a directory is needed; choose another --store.",
    errno.ELOOP: "A symbolic link stands there; remove it.",
}


def _store_error(verb: str, path: Path, error: OSError) -> StoreError:
    hint = _HINTS.get(error.errno or 0, "Check the disk and the permissions, then run it again.")
    return StoreError(f"cannot {verb} {path}: {error.strerror or error}", hint)


@contextmanager
def _told(verb: str, path: Path) -> Iterator[None]:
    """Turn an error of the file system into one that says what to do."""
    try:
        yield
    except OSError as error:
        raise _store_error(verb, path, error) from error
