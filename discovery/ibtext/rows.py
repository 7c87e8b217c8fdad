"""What lines say, one row each, before records are put together. The exact and the fast reader write the same rows."""

from __future__ import annotations

import numpy as np

from discovery.arrays import AnyArray
from discovery.outcome import UnreadLine

Rows = dict[str, AnyArray]
"""Columns of the same length by name: those of one kind of row below."""

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
        ("port", "i4"),
        ("peer_port", "i4"),
        ("peer_kind", "u1"),
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
LISTED_ROW = np.dtype(
    [
        ("line", "i8"),
        ("guid", "u8"),
        ("peer", "u8"),  # 0 where nothing is plugged in
        ("name", "i8"),  # where the descriptions start in the text, and how long they are
        ("peer_name", "i8"),
        ("length", "i4"),
        ("peer_length", "i4"),
        ("port", "i4"),
        ("peer_port", "i4"),
        ("lid", "i4"),
        ("peer_lid", "i4"),
        ("kind", "u1"),
        ("peer_kind", "u1"),
        ("width", "u1"),
        ("speed", "u1"),
    ]
)
_USUAL_BYTES = ((PORT_ROW, 100), (HEAD_ROW, 400), (ATTRIBUTE_ROW, 120))
"""How many bytes of text stand for one row, to begin with about the right room."""
BOUNDARY, VENDOR, MODEL, SYSTEM = range(4)
"""Values of ``field``: an attribute that only says "a record starts here", and the three whose value is kept."""


def picked(rows: Rows, which: AnyArray) -> Rows:
    """Some of the rows."""
    return {name: column[which] for name, column in rows.items()}


def shown(line: bytes, limit: int = 120) -> str:
    """One line as it may be shown to people: cut, decoded, without control characters."""
    text = line[:limit].decode("utf-8", "replace")
    return "".join(char if char.isprintable() else " " for char in text).strip()


class Trouble:
    """Lines of one kind that could not be used: how many, and the first few."""

    __slots__ = ("count", "sample")

    def __init__(self) -> None:
        self.count = 0
        self.sample: list[UnreadLine] = []

    def add(self, number: int, line: bytes) -> None:
        """Count one more line."""
        self.count += 1
        if len(self.sample) < SAMPLE:
            self.sample.append(UnreadLine(number, shown(line)))

    def extend(self, other: Trouble, shift: int) -> None:
        """Take the lines of a later part of the text, ``shift`` lines further down."""
        self.count += other.count
        later = [UnreadLine(line.number + shift, line.text) for line in other.sample]
        self.sample = sorted(self.sample + later, key=lambda line: line.number)[:SAMPLE]

    def first(self) -> tuple[UnreadLine, ...]:
        """The first few in the order of the text."""
        return tuple(sorted(self.sample, key=lambda line: line.number)[:SAMPLE])


class Table:
    """Rows of one kind as columns in one growing piece of memory, which the system can hand out in large pages."""

    def __init__(self, kind: np.dtype[np.void], room: int) -> None:
        self.kind = kind
        self._room, self._count = max(room, 16), 0
        self._columns = self._new()

    def _new(self) -> Rows:
        memory = np.empty(self._room * self.kind.itemsize, np.uint8)
        columns, start = {}, 0
        for name in self.kind.names or ():
            end = start + self._room * self.kind[name].itemsize
            columns[name], start = memory[start:end].view(self.kind[name]), end
        return columns

    def add(self, rows: Rows | AnyArray) -> None:
        """Append rows."""
        start, end = self._count, self._count + len(rows["line"])
        if end > self._room:
            self._room = max(end, 2 * self._room)
            grown = self._new()
            for name, column in self._columns.items():
                grown[name][:start] = column[:start]
            self._columns = grown
        for name, column in self._columns.items():
            column[start:end] = rows[name]
        self._count = end

    def __getstate__(self) -> tuple[np.dtype[np.void], int, Rows]:
        return self.kind, self._count, self.rows()

    def __setstate__(self, state: tuple[np.dtype[np.void], int, Rows]) -> None:
        self.kind, self._count, self._columns = state
        self._room = self._count

    def rows(self) -> Rows:
        """All rows as they came."""
        return {name: column[: self._count] for name, column in self._columns.items()}

    def sorted(self) -> Rows:
        """All rows in the order of their lines; the two readers may have taken turns."""
        rows = self.rows()
        lines = rows["line"]
        if bool((lines[1:] < lines[:-1]).any()):
            rows = picked(rows, np.argsort(lines, kind="stable"))
        return rows


class Found:
    """Everything that a text says, in rows; filled chunk by chunk.

    To send one to another process, pickle it with protocol 5: its columns are buffers that need not be copied.
    """

    def __init__(self, size: int, number: int = 1) -> None:
        self.number = number
        """Number of the first line ..."""
        self.next = number
        """... and of the line that would come next."""
        self.ports: list[tuple[int, ...]] = []
        self.heads: list[tuple[int, ...]] = []
        self.attributes: list[tuple[int, ...]] = []
        self.breaks: list[int] = []
        """Lines that end a record without starting one that can be used."""
        self.listed: list[tuple[int, ...]] = []
        self.labels = False
        """Ports carry ibdiagnet's labels."""
        self.ibsim = False
        """Devices are called by names, or adapters Hca, as in net files."""
        self.nodes_listed = False
        """There are lines of ``-l``, ``-S``, ``-H`` or ``-R``."""
        self.unread, self.stderr, self.bad = Trouble(), Trouble(), Trouble()
        self._tables = tuple(Table(kind, size // usual) for kind, usual in _USUAL_BYTES)
        self._listed = Table(LISTED_ROW, 0)

    def add(self, ports: Rows, heads: Rows, attributes: Rows) -> None:
        """Take rows that the fast reader made of one chunk."""
        for table, rows in zip(self._tables, (ports, heads, attributes), strict=True):
            table.add(rows)

    def flush(self) -> None:
        """Turn the exact reader's rows of one chunk into columns, so that tuples never pile up."""
        lists = (self.ports, self.heads, self.attributes, self.listed)
        for table, rows in zip((*self._tables, self._listed), lists, strict=True):
            if rows:
                table.add(np.array(rows, table.kind))
                rows.clear()

    def extend(self, other: Found) -> None:
        """Take what the following part of the text says, whatever number its lines were counted from."""
        self.flush()
        other.flush()
        shift = self.next - other.number
        for table, further in zip((*self._tables, self._listed), (*other._tables, other._listed), strict=True):
            rows = further.rows()
            table.add({**rows, "line": rows["line"] + shift})
        self.breaks += [line + shift for line in other.breaks]
        self.labels |= other.labels
        self.ibsim |= other.ibsim
        self.nodes_listed |= other.nodes_listed
        self.unread.extend(other.unread, shift)
        self.stderr.extend(other.stderr, shift)
        self.bad.extend(other.bad, shift)
        self.next += other.next - other.number

    def tables(self) -> tuple[Rows, Rows, Rows]:
        """Ports, heads and attributes of the whole text in the order of their lines."""
        self.flush()
        ports, heads, attributes = (table.sorted() for table in self._tables)
        return ports, heads, attributes

    def port_list(self) -> Rows:
        """The lines of a port list (``-p``)."""
        self.flush()
        return self._listed.sorted()
