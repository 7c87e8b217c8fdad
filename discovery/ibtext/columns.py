"""The fast reader: whole chunks of the default form at once. A short cut through ``grammar``, never a second format.

It takes a line only if it understood every byte outside the description; all other lines are left to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64, U32, U64, Bool
from discovery.ibtext.grammar import MAX_LID, MAX_LINE, MAX_PORT, rate
from discovery.ibtext.rows import BOUNDARY, MODEL, SYSTEM, VENDOR, Rows, picked
from discovery.ibtext.words import Words, byte, decimal, first_bytes, starts
from discovery.observations import Record

MARGIN = 64
"""Lines this close to either end of the text are left to the grammar, so that words may be picked around a line."""
_MOST_DISTINCT = 64
_NEWLINE, _QUOTE = 0x0A, 0x22
_HEX = re.compile(rb"[0-9a-fA-F]+")
_ATTRIBUTES = (
    (b"vendid=0x", VENDOR),
    (b"devid=0x", MODEL),
    (b"sysimgguid=0x", SYSTEM),
    (b"switchguid=0x", BOUNDARY),
    (b"caguid=0x", BOUNDARY),
    (b"rtguid=0x", BOUNDARY),
)


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Some lines: their numbers, where they start, and where they end."""

    number: I64
    start: I64
    end: I64


@dataclass(frozen=True, slots=True, eq=False)
class QuotedLines(Lines):
    """Lines with four quotes or more: the first two are around an id, the third and the last around a description."""

    open_id: I64
    close_id: I64
    open_name: I64
    close_name: I64


class Marks:
    """Line ends and quotes of a chunk, found in one pass: what is between them needs no search."""

    def __init__(self, words: Words, start: int, stop: int, number: int) -> None:
        self._places = words.marks(start, stop, _NEWLINE, _QUOTE)
        self._last = np.flatnonzero(words.letters[self._places] == _NEWLINE)
        if words.letters[stop - 1] != _NEWLINE:
            self._last, self._places = np.append(self._last, len(self._places)), np.append(self._places, stop)
        self._first = np.concatenate([[0], self._last[:-1] + 1])
        self._number = number
        self.end = self._places[self._last]
        self.start = np.concatenate([[start], self.end[:-1] + 1])
        self.quotes = self._last - self._first

    def lines(self, which: I64) -> Lines:
        """Some of the lines, counted from the first of the chunk."""
        return Lines(which + self._number, self.start[which], self.end[which])

    def quoted(self, which: I64) -> QuotedLines:
        """Some of the lines that have four quotes or more."""
        first, places = self._first[which], self._places
        quotes = (places[first], places[first + 1], places[first + 2], places[self._last[which] - 1])
        return QuotedLines(which + self._number, self.start[which], self.end[which], *quotes)


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """What was read of a chunk, and which of its lines are left: (number, start, end)."""

    ports: Rows
    heads: Rows
    attributes: Rows
    left: list[tuple[int, int, int]]
    lines: int


def read_chunk(words: Words, start: int, stop: int, number: int) -> Chunk:
    """Read the lines from start to stop, the first of which has this number; the chunk ends at a line end."""
    marks = Marks(words, start, stop, number)
    begin, end, first = marks.start, marks.end, words.letters[marks.start]
    left = end > begin
    inside = left & (begin >= MARGIN) & (end <= len(words.letters) - MARGIN) & (end - begin <= MAX_LINE)
    quoted = inside & (marks.quotes >= 4)
    bare = inside & (marks.quotes == 0) & (first >= ord("c")) & (first <= ord("v"))

    chosen = np.flatnonzero(quoted & (first == ord("[")))
    ports, read = _ports(words, marks.quoted(chosen))
    left[chosen[read]] = False
    chosen = np.flatnonzero(quoted & ((first == ord("C")) | (first == ord("S"))))
    heads, read = _heads(words, marks.quoted(chosen))
    left[chosen[read]] = False
    chosen = np.flatnonzero(bare)
    attributes, read = _attributes(words, marks.lines(chosen))
    left[chosen[read]] = False

    rest = marks.lines(np.flatnonzero(left))
    spans = zip(rest.number.tolist(), rest.start.tolist(), rest.end.tolist(), strict=True)
    return Chunk(ports, heads, attributes, list(spans), len(left))


def _ports(words: Words, lines: QuotedLines) -> tuple[Rows, Bool]:
    """Lines of ports, and which of them were read.

    ``[33]<TAB>"S-2c5eab0300000140"[1]<TAB><TAB># "spine" lid 3 4xNDR``: below a switch, to a switch;
    ``[1]<TAB>"H-0c42a10300000010"[1](c42a10300000010) <TAB><TAB># "node001 mlx5_0" lid 11 4xNDR``: to an adapter;
    ``[1](c42a10300000010) <TAB>"S-2c5eab0300000040"[1]<TAB><TAB># lid 11 lmc 0 "leaf" lid 1 4xNDR``: below an adapter.
    """
    near = words.at(lines.start)
    port, near_digits, near_rest = decimal(near >> np.uint64(8), 3)
    ident = words.at(lines.open_id)
    peer, read = words.hex16(lines.open_id + 3)
    far = words.at(lines.close_id)
    peer_port, far_digits, far_rest = decimal(far >> np.uint64(16), 3)
    peer_lid, lid_digits, lid_rest = decimal(words.at(lines.close_name + 6), 5)
    prefix = byte(ident, 1)
    read &= starts(near, b"[") & starts(near_rest, b"]") & _port_numbers(port)
    read &= starts(ident, b'"') & (byte(ident, 2) == ord("-")) & (lines.close_id == lines.open_id + 19) & (peer != 0)
    read &= starts(far, b'"[') & starts(far_rest, b"]") & _port_numbers(peer_port)
    read &= starts(words.at(lines.close_name), b'" lid ') & (lid_digits > 0) & starts(lid_rest, b" ")
    kind = np.zeros(len(lines.start), np.uint8)
    for letter, record in (("S", Record.SWITCH), ("H", Record.CA), ("R", Record.ROUTER)):
        kind[prefix == ord(letter)] = record
    read &= kind > 0
    rows = {**_lines(lines), "peer": peer, "peer_kind": kind, "port": port, "peer_port": peer_port}
    rows["peer_lid"] = _lids(peer_lid)
    of_switch = starts(near_rest, b']\t"')
    gap = np.where(of_switch, 0, lines.open_id - lines.start - near_digits - 2)
    after = lines.close_id + far_digits + 3
    read &= _between(words, lines, gap, after, rows)
    read &= _rates(words, lines.close_name + lid_digits + 7, lines.end, rows)
    return rows if read.all() else picked(rows, read), read


def _lines(lines: QuotedLines) -> Rows:
    """Where each line is, and where its description is in it."""
    name, length = lines.open_name + 1 - lines.start, lines.close_name - lines.open_name - 1
    return {"line": lines.number, "at": lines.start, "name": name, "length": length}


def _between(words: Words, lines: QuotedLines, gap: I64, after: I64, rows: Rows) -> Bool:
    """What stands on both sides of the id (``gap`` bytes before it, to ``after`` behind it) depends on the record."""
    read = np.zeros(len(lines.start), np.bool_)
    rows["port_guid"] = np.zeros(len(read), np.uint64)
    rows["peer_port_guid"] = np.zeros(len(read), np.uint64)
    rows["lid"] = np.full(len(read), -1, np.int32)
    to_name = lines.open_name - after
    plain = (gap == 0) & (to_name == 4)  # from switch to switch: no GUID
    plain[plain] = starts(words.at(after[plain]), b'\t\t# "')
    read |= plain
    shown = np.flatnonzero((gap == 0) & (to_name > 7))  # from a switch to an adapter: the GUID of its port
    if len(shown):
        place, name = after[shown], lines.open_name[shown]
        guid, right = words.hex_before(name - 6, to_name[shown] - 7)
        right &= starts(words.at(place), b"(") & starts(words.at(name - 6), b') \t\t# "')
        rows["peer_port_guid"][shown] = guid
        read[shown] = right
    own = np.flatnonzero(gap > 4)  # from an adapter: its own port's GUID, and its LID
    if len(own):
        place, quote, name = after[own], lines.open_id[own], lines.open_name[own]
        guid, right = words.hex_before(quote - 3, gap[own] - 4)
        lid, digits, rest = decimal(words.at(place + 8), 5)
        lmc = words.at(place + 8 + digits)
        right &= starts(words.at(quote - gap[own]), b"(") & starts(words.at(quote - 3), b') \t"')
        right &= starts(words.at(place), b"\t\t# lid ") & (digits > 0) & starts(rest, b" ")
        right &= (lmc & np.uint64(0xFFFF00FFFFFFFFFF)) == np.uint64(int.from_bytes(b' lmc \0 "', "little"))
        right &= (byte(lmc, 5) - np.uint8(0x30) < 10) & (name == place + digits + 15)
        rows["port_guid"][own], rows["lid"][own] = guid, _lids(lid)
        read[own] = right
    return read


def _rates(words: Words, place: I64, end: I64, rows: Rows) -> Bool:
    """Width and speed of each cable."""
    read = np.zeros(len(place), np.bool_)
    width, speed = rows["width"], rows["speed"] = np.zeros((2, len(place)), np.uint8)
    for text, same in _distinct(*_tokens(words, place, end)):
        width[same], speed[same] = rate(text.lstrip(b" \t"))
        read |= same
    return read


def _tokens(words: Words, place: I64, end: I64) -> tuple[U64, Bool]:
    """What stands between two places in each line, and where it has one to seven bytes."""
    length = end - place
    length[(length < 1) | (length > 7)] = 0
    token = first_bytes(words.at(place), length)
    return token, (length > 0) & (first_bytes(token, length - 1) != token)  # a NUL at its end would be overlooked


def _distinct(tokens: U64, which: Bool) -> Iterator[tuple[bytes, Bool]]:
    """The few different texts among many tokens, each with the lines that have it; ``which`` becomes empty meanwhile.

    Lines that are left when there are too many different ones stay unread.
    """
    for _ in range(_MOST_DISTINCT):
        if not which.any():
            return
        one = tokens[np.argmax(which)]
        same = (tokens == one) & which
        which &= ~same
        yield int(one).to_bytes(8, "little").rstrip(b"\0"), same


def _port_numbers(value: U32) -> Bool:
    return (value > 0) & (value <= MAX_PORT)


def _lids(value: U32) -> I32:
    lids = value.astype(np.int32)
    lids[(value == 0) | (value > MAX_LID)] = -1
    return lids


def _heads(words: Words, lines: QuotedLines) -> tuple[Rows, Bool]:
    """Heads of switches and adapters: ``Ca<TAB>1 "H-0c42a10300000010"<TAB><TAB># "node001 mlx5_0"``."""
    begin = words.at(lines.start)
    switch = starts(begin, b"Switch\t")
    place = lines.start + np.where(switch, 7, 3)
    ports, digits, rest = decimal(words.at(place), 3)
    guid, read = words.hex16(lines.open_id + 3)
    read &= (switch & starts(rest, b' "S-')) | (starts(begin, b"Ca\t") & starts(rest, b' "H-'))
    read &= _port_numbers(ports) & (lines.open_id == place + digits + 1) & (guid != 0)
    read &= lines.close_id == lines.open_id + 19
    read &= starts(words.at(lines.close_id), b'"\t\t# "') & (lines.open_name == lines.close_id + 5)
    lid = np.full(len(lines.start), -1, np.int32)
    adapters = np.flatnonzero(~switch)
    read[adapters] &= lines.close_name[adapters] + 1 == lines.end[adapters]
    switches = np.flatnonzero(switch)
    if len(switches):
        lid[switches], right = _switch_lids(words, lines.close_name[switches], lines.end[switches])
        read[switches] &= right
    kind = np.where(switch, np.uint8(Record.SWITCH), np.uint8(Record.CA))
    rows = {**_lines(lines), "guid": guid, "ports": ports, "lid": lid, "kind": kind}
    return rows if read.all() else picked(rows, read), read


def _switch_lids(words: Words, quote: I64, end: I64) -> tuple[I32, Bool]:
    """LIDs from ``" enhanced port 0 lid 73 lmc 0`` (or ``base``) behind a switch's name."""
    enhanced = starts(words.at(quote), b'" enhanc') & starts(words.at(quote + 8), b"ed port ")
    base = starts(words.at(quote), b'" base p') & starts(words.at(quote + 4), b"se port ")
    place = quote + np.where(enhanced, 16, 12)
    lid, digits, _ = decimal(words.at(place + 6), 5)
    lmc = words.at(place + 6 + digits)
    right = (enhanced | base) & starts(words.at(place), b"0 lid ") & (digits > 0) & starts(lmc, b" lmc ")
    right &= (byte(lmc, 5) - np.uint8(0x30) < 10) & (end == place + digits + 12)
    return _lids(lid), right


def _attributes(words: Words, lines: Lines) -> tuple[Rows, Bool]:
    """Attributes: ``vendid=0x2c9``, ``switchguid=0x2c5eab0300000040(2c5eab0300000040)``."""
    read = np.zeros(len(lines.start), np.bool_)
    values, fields = np.zeros(len(read), np.uint64), np.zeros(len(read), np.uint8)
    begin = words.at(lines.start)
    for prefix, field in _ATTRIBUTES:
        chosen = np.flatnonzero(starts(begin, prefix[:8]))
        if len(chosen):
            digits, end = lines.start[chosen] + len(prefix), lines.end[chosen]
            value, right = (_small if field in (VENDOR, MODEL) else _guids)(words, digits, end)
            values[chosen], fields[chosen] = value, field
            read[chosen] = right & starts(words.at(digits - 8), prefix[-8:])
    rows: Rows = {"line": lines.number, "value": values, "field": fields}
    return rows if read.all() else picked(rows, read), read


def _small(words: Words, digits: I64, end: I64) -> tuple[U64, Bool]:
    """Numbers of vendors and models: few different ones."""
    value, read = np.zeros(len(digits), np.uint64), np.zeros(len(digits), np.bool_)
    for text, same in _distinct(*_tokens(words, digits, end)):
        if _HEX.fullmatch(text):
            value[same] = int(text, 16)
            read |= same
    return value, read


def _guids(words: Words, digits: I64, end: I64) -> tuple[U64, Bool]:
    """GUIDs; a switch's is followed by its port's in brackets, as long as itself."""
    value, read = words.hex_before(end, end - digits)
    rest = np.flatnonzero(~read)
    if len(rest):
        begin, end = digits[rest], end[rest]
        half = (end - begin - 2) >> 1
        value[rest], read[rest] = words.hex_before(begin + half, half)
        _, again = words.hex_before(end - 1, half)
        read[rest] &= again & starts(words.at(begin + half), b"(") & starts(words.at(end - 1), b")\n")
        read[rest] &= end == begin + half + half + 2
    return value, read
