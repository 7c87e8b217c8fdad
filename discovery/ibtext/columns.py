"""The fast reader: whole chunks of the default form at once. A short cut through ``grammar``, never a second format.

It takes a line only if it understood every byte outside the description; all other lines are left to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64, U64, Bool
from discovery.ibtext.grammar import MAX_LID, MAX_LINE, MAX_PORT, rate
from discovery.ibtext.rows import BOUNDARY, MODEL, SYSTEM, VENDOR, Rows, picked
from discovery.ibtext.words import WINDOW, Words, byte, decimal, first_bytes, starts
from discovery.observations import Record

MARGIN = 64
"""Lines this close to either end of the text are left to the grammar, so that words may be picked around a line."""
_MOST_DISTINCT = 64
_BEFORE = 6
"""A switch's line has no more bytes before the id: ``[254]<TAB>``."""
_KINDS = np.zeros(256, np.uint8)
_KINDS[list(b"SHR")] = Record.SWITCH, Record.CA, Record.ROUTER
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
    before = lines.open_id - lines.start
    own = np.flatnonzero(before > _BEFORE)
    ident, tail = words.window(lines.open_id - _BEFORE), words.window(lines.close_name)
    near = ident.at(0) >> ((_BEFORE + 1 - before) << 3).view(np.uint64)
    near[own] = words.at(lines.start[own] + 1)
    port, near_digits, near_rest = decimal(near, 3)
    peer, read = ident.hex16(_BEFORE + 3)
    peer_port, far_digits, far_rest = decimal(ident.at(24) >> np.uint64(8 * (_BEFORE + 21 - 24)), 3)
    peer_lid, lid_digits, lid_rest = decimal(tail.at(6), 5)
    kind = _KINDS[ident.byte(_BEFORE + 1)]
    read &= _port_numbers(port) & starts(near_rest, b"]") & (kind > 0) & (peer != 0)
    read &= (ident.byte(_BEFORE) == _QUOTE) & (ident.byte(_BEFORE + 2) == ord("-"))
    read &= (lines.close_id == lines.open_id + 19) & (ident.byte(_BEFORE + 20) == ord("["))
    read &= _port_numbers(peer_port) & starts(far_rest, b"]")
    read &= starts(tail.at(0), b'" lid ') & (lid_digits > 0) & starts(lid_rest, b" ")
    rows = {**_lines(lines), "peer": peer, "peer_kind": kind, "port": port, "peer_port": peer_port}
    rows["peer_lid"] = _lids(peer_lid)
    read &= _between(words, lines, before - near_digits - 2, lines.close_id + far_digits + 3, rows)
    begin = (lid_digits.view(np.uint64) - np.uint64(1)) << np.uint64(3)
    end = tail.at(8) >> begin
    end |= tail.at(16) << (np.uint64(64) - begin)
    read &= _rates(end, lines.end - lines.close_name - lid_digits - 7, rows)
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
    plain = np.flatnonzero((gap == 1) & (to_name == 4))  # from switch to switch: no GUID
    read[plain] = starts(words.at(after[plain]), b'\t\t# "')
    shown = np.flatnonzero((gap == 1) & (to_name > 7))  # from a switch to an adapter: the GUID of its port
    if len(shown):
        length = to_name[shown] - 7
        guid, right = _in_brackets(words, lines.open_name[shown], length, b') \t\t# "')
        rows["peer_port_guid"][shown] = guid
        read[shown] = right
    own = np.flatnonzero(gap > 4)  # from an adapter: its own port's GUID, and its LID
    if len(own):
        guid, right = _in_brackets(words, lines.open_id[own], gap[own] - 4, b') \t"')
        remark = words.window(after[own])
        lid, digits, _ = decimal(remark.at(8), 5)
        lmc = words.at(after[own] + 8 + digits)
        right &= starts(remark.at(0), b"\t\t# lid ") & (digits > 0)
        right &= (lmc & np.uint64(0xFFFF00FFFFFFFFFF)) == np.uint64(int.from_bytes(b' lmc \0 "', "little"))
        right &= (byte(lmc, 5) - np.uint8(0x30) < 10) & (to_name[own] == digits + 15)
        rows["port_guid"][own], rows["lid"][own] = guid, _lids(lid)
        read[own] = right
    return read


def _in_brackets(words: Words, quote: I64, length: I64, end: bytes) -> tuple[U64, Bool]:
    """GUIDs in brackets before a quote; ``end`` is what comes behind one, up to the quote."""
    window = words.window(quote + 1 - WINDOW)
    guid, right = window.hex_before(WINDOW - len(end), length)
    right &= starts(window.at(WINDOW - 8) >> np.uint64(8 * (8 - len(end))), end)
    right &= words.letters[quote - length - len(end)] == ord("(")
    return guid, right


def _rates(after: U64, length: I64, rows: Rows) -> Bool:
    """Width and speed of each cable."""
    read = np.zeros(len(length), np.bool_)
    width, speed = rows["width"], rows["speed"] = np.zeros((2, len(length)), np.uint8)
    for text, same in _distinct(*_tokens(after, length)):
        codes = rate(text.lstrip(b" \t"))
        if same.all():
            width[:], speed[:] = codes
            return same
        width[same], speed[same] = codes
        read |= same
    return read


def _tokens(words: U64, length: I64) -> tuple[U64, Bool]:
    """The first bytes of each word, and where they are one to seven."""
    fits = (length > 0) & (length < 8)
    token = first_bytes(words, length)
    return token, fits & (first_bytes(words, length - 1) != token)  # a NUL at its end would be overlooked


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


def _port_numbers(value: I32) -> Bool:
    return (value - np.int32(1)).view(np.uint32) < MAX_PORT


def _lids(value: I32) -> I32:
    value[(value - np.int32(1)).view(np.uint32) >= MAX_LID] = -1
    return value


def _heads(words: Words, lines: QuotedLines) -> tuple[Rows, Bool]:
    """Heads of switches and adapters: ``Ca<TAB>1 "H-0c42a10300000010"<TAB><TAB># "node001 mlx5_0"``."""
    begin = words.at(lines.start)
    switch = starts(begin, b"Switch\t")
    place = lines.start + np.where(switch, 7, 3)
    ports, digits, rest = decimal(words.at(place), 3)
    guid, read = words.window(lines.open_id).hex16(3)
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
    for text, same in _distinct(*_tokens(words.at(digits), end - digits)):
        if _HEX.fullmatch(text):
            value[same] = int(text, 16)
            read |= same
    return value, read


def _guids(words: Words, digits: I64, end: I64) -> tuple[U64, Bool]:
    """GUIDs; a switch's is followed by its port's in brackets, as long as itself."""
    value, read = _hex_before(words, end, end - digits)
    rest = np.flatnonzero(~read)
    if len(rest):
        begin, end = digits[rest], end[rest]
        half = (end - begin - 2) >> 1
        value[rest], read[rest] = _hex_before(words, begin + half, half)
        _, again = _hex_before(words, end - 1, half)
        read[rest] &= again & starts(words.at(begin + half), b"(") & starts(words.at(end - 1), b")\n")
        read[rest] &= end == begin + half + half + 2
    return value, read


def _hex_before(words: Words, end: I64, length: I64) -> tuple[U64, Bool]:
    return words.window(end - 16).hex_before(16, length)
