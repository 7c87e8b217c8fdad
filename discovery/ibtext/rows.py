"""What lines say, one row each, before records are put together. The exact and the fast reader write the same rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from discovery.outcome import UnreadLine

Rows = npt.NDArray[np.void]

SAMPLE = 10
"""How many lines of each kind of trouble are kept to be shown."""

PORT_ROW = np.dtype(
    [
        ("line", "i8"),
        ("at", "i8"),  # where the line starts in the text
        ("peer", "u8"),
        ("port_guid", "u8"),
        ("peer_port_guid", "u8"),
        ("lid", "i4"),
        ("peer_lid", "i4"),
        ("name", "i4"),  # where the peer's description starts in the line, and how long it is
        ("length", "i4"),
        ("peer_kind", "u1"),
        ("port", "u1"),
        ("peer_port", "u1"),
        ("width", "u1"),
        ("speed", "u1"),
    ]
)
HEAD_ROW = np.dtype(
    [
        ("line", "i8"),
        ("at", "i8"),
        ("guid", "u8"),
        ("name", "i4"),
        ("length", "i4"),
        ("ports", "i4"),
        ("lid", "i4"),
        ("kind", "u1"),
    ]
)
ATTRIBUTE_ROW = np.dtype([("line", "i8"), ("value", "u8"), ("field", "u1")])
BOUNDARY, VENDOR, MODEL, SYSTEM = range(4)
"""Values of ``field``: an attribute that only says "a record starts here", and the three whose value is kept."""


def shown(line: bytes, limit: int = 120) -> str:
    """One line as it may be shown to people: cut, decoded, without control characters."""
    text = line[:limit].decode("utf-8", "replace")
    return "".join(char if char.isprintable() else " " for char in text).strip()


@dataclass(slots=True)
class Trouble:
    """Lines of one kind that could not be used: how many, and the first few."""

    count: int = 0
    sample: list[UnreadLine] = field(default_factory=list)

    def add(self, number: int, line: bytes) -> None:
        """Count one more line."""
        self.count += 1
        if len(self.sample) < SAMPLE:
            self.sample.append(UnreadLine(number, shown(line)))

    def first(self) -> tuple[UnreadLine, ...]:
        """The first few in the order of the text."""
        return tuple(sorted(self.sample, key=lambda line: line.number)[:SAMPLE])


@dataclass(slots=True)
class Listed:
    """One line of a port list (``-p``); ``peer`` is 0 where nothing is plugged in. Names are (start, end)."""

    line: int
    kind: int
    lid: int
    port: int
    guid: int
    width: int
    speed: int
    name: tuple[int, int]
    peer_kind: int = 0
    peer_lid: int = -1
    peer_port: int = -1
    peer: int = 0
    peer_name: tuple[int, int] = (0, 0)


class Table:
    """Rows of one kind in the order of their lines, in pieces that are joined column by column, each copied once."""

    def __init__(self, parts: list[Rows], kind: np.dtype[np.void]) -> None:
        self._parts = parts or [np.empty(0, kind)]
        self._kind = kind

    @classmethod
    def of(cls, parts: list[Rows], kind: np.dtype[np.void]) -> Table:
        """A table of these pieces; sorted where the two readers took turns."""
        lines = cls(parts, kind)["line"]
        if len(lines) > 1 and bool((lines[1:] < lines[:-1]).any()):
            parts = [np.concatenate(parts)[np.argsort(lines, kind="stable")]]
        return cls(parts, kind)

    def __len__(self) -> int:
        return sum(len(part) for part in self._parts)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A new array of one column."""
        return np.concatenate([part[name] for part in self._parts])

    def rows(self, which: npt.NDArray[np.intp]) -> Table:
        """Some of the rows, by their sorted numbers."""
        bounds = np.cumsum([0, *(len(part) for part in self._parts)])
        cuts = np.searchsorted(which, bounds)
        spans = zip(self._parts, cuts[:-1], cuts[1:], bounds[:-1], strict=True)
        return Table([part[which[low:high] - start] for part, low, high, start in spans if high > low], self._kind)


class Found:
    """Everything that a text says, in rows; filled chunk by chunk."""

    def __init__(self) -> None:
        self.ports: list[tuple[int, ...]] = []
        self.heads: list[tuple[int, ...]] = []
        self.attributes: list[tuple[int, int, int]] = []
        self.breaks: list[int] = []
        """Lines that end a record without starting one that can be used."""
        self.listed: list[Listed] = []
        self.labels = False
        """Ports carry ibdiagnet's labels."""
        self.ibsim = False
        """Devices are called by names, or adapters Hca, as in net files."""
        self.nodes_listed = False
        """There are lines of ``-l``, ``-S``, ``-H`` or ``-R``."""
        self.unread, self.stderr, self.bad = Trouble(), Trouble(), Trouble()
        self._parts: dict[str, list[Rows]] = {"ports": [], "heads": [], "attributes": []}

    def add(self, ports: Rows, heads: Rows, attributes: Rows) -> None:
        """Take rows that the fast reader made of one chunk."""
        for name, part in zip(self._parts, (ports, heads, attributes), strict=True):
            if len(part):
                self._parts[name].append(part)

    def flush(self) -> None:
        """Turn the exact reader's rows of one chunk into columns, so that tuples never pile up."""
        self.add(
            np.array(self.ports, PORT_ROW), np.array(self.heads, HEAD_ROW), np.array(self.attributes, ATTRIBUTE_ROW)
        )
        for rows in (self.ports, self.heads, self.attributes):
            rows.clear()

    def tables(self) -> tuple[Table, Table, Table]:
        """Ports, heads and attributes of the whole text in the order of their lines."""
        self.flush()
        parts = self._parts
        return (
            Table.of(parts["ports"], PORT_ROW),
            Table.of(parts["heads"], HEAD_ROW),
            Table.of(parts["attributes"], ATTRIBUTE_ROW),
        )
