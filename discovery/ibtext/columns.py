"""The fast reader: whole chunks of the default form at once. A short cut through ``grammar``, never a second format.

It takes a line only if it understood every byte outside the description; all other lines are left to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64, U64, Bool
from discovery.ibtext.grammar import MAX_LID, MAX_LINE, MAX_PORT, rate
from discovery.ibtext.rows import BOUNDARY, MODEL, SYSTEM, VENDOR, Rows, picked
from discovery.ibtext.words import Window, Words, before, byte, decimal, first_bytes, starts
from discovery.observations import Record

MARGIN = 128
"""Lines this close to either end of the text are left to the grammar, so that words may be picked around a line."""
_MOST_DISTINCT = 64
_TAIL = 19
"""Bytes from the end of a port line back to where a quote is sought: ``" lid 49151 4xFDR10``."""
_LONG_TAIL, _SHORT_TAIL = 33, 29
"""The same for heads of switches: ``" enhanced port 0 lid 49151 lmc 0``, ``" base port 0 lid 49151 lmc 0``."""
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

    def some(self, which: I64) -> Lines:
        """Some of these lines."""
        return Lines(self.number[which], self.start[which], self.end[which])


def _lines(words: Words, start: int, stop: int, number: int) -> Lines:
    end = words.places(start, stop, _NEWLINE)
    if words.letters[stop - 1] != _NEWLINE:
        end = np.append(end, stop)
    return Lines(np.arange(number, number + len(end)), np.concatenate([[start], end[:-1] + 1]), end)


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
    lines = _lines(words, start, stop, number)
    begin, end, first = lines.start, lines.end, words.letters[lines.start]
    left = end > begin
    inside = left & (begin >= MARGIN) & (end <= len(words.letters) - MARGIN) & (end - begin <= MAX_LINE)

    def taken(read: Callable[[Words, Lines], tuple[Rows, Bool]], which: Bool) -> Rows:
        chosen = np.flatnonzero(inside & which)
        rows, right = read(words, lines.some(chosen))
        left[chosen] = ~right
        return rows

    ports = taken(_ports, first == ord("["))
    heads = taken(_heads, (first == ord("C")) | (first == ord("S")))
    attributes = taken(_attributes, (first >= ord("c")) & (first <= ord("v")))
    rest = lines.some(np.flatnonzero(left))
    spans = zip(rest.number.tolist(), rest.start.tolist(), rest.end.tolist(), strict=True)
    return Chunk(ports, heads, attributes, list(spans), len(left))


def _ports(words: Words, lines: Lines) -> tuple[Rows, Bool]:
    """Lines of ports, and which of them were read.

    ``[33]<TAB>"S-2c5eab0300000140"[1]<TAB><TAB># "spine" lid 3 4xNDR``: below a switch, to a switch;
    ``[1]<TAB>"H-0c42a10300000010"[1](c42a10300000010) <TAB><TAB># "node001 mlx5_0" lid 11 4xNDR``: to an adapter;
    ``[1](c42a10300000010) <TAB>"S-2c5eab0300000040"[1]<TAB><TAB># lid 11 lmc 0 "leaf" lid 1 4xNDR``: below an adapter.
    """
    port, digits, rest = decimal(words.at(lines.start + 1), 3)
    place = lines.start + digits + 2
    read = _port_numbers(port) & starts(rest, b"]")
    own = np.flatnonzero(~starts(rest, b']\t"'))
    rows: Rows = {"line": lines.number, "at": lines.start, "port": port}
    rows["port_guid"] = np.zeros(len(read), np.uint64)
    if len(own):
        guid, quote, read[own] = _in_brackets(words, place[own], b') \t"', read[own])
        rows["port_guid"][own], place[own] = guid, quote - 1
    after, plain = _peers(words, place + 1, rows, read)
    quote = after + 4
    _between(words, after, own, plain, quote, rows, read)
    _tails(words, quote, lines, rows, read)
    return rows if read.all() else picked(rows, read), read


def _peers(words: Words, place: I64, rows: Rows, read: Bool) -> tuple[I64, Bool]:
    """Peers, ``"S-2c5eab0300000140"[1]`` from a place on: what comes after, and where that is ``<TAB><TAB># "``."""
    ident = words.window(place)
    rows["peer"], right = ident.hex16(3)
    rows["peer_kind"] = _KINDS[ident.byte(1)]
    rows["peer_port"], digits, rest = decimal(ident.at(21), 3)
    right &= (ident.byte(0) == _QUOTE) & (ident.byte(2) == ord("-")) & (rows["peer_kind"] > 0) & (rows["peer"] != 0)
    right &= (ident.byte(19) == _QUOTE) & (ident.byte(20) == ord("["))
    right &= _port_numbers(rows["peer_port"]) & starts(rest, b"]")
    read &= right
    return place + digits + 22, starts(ident.at(23) >> ((digits - 1) << 3).view(np.uint64), b'\t\t# "')


def _between(words: Words, after: I64, own: I64, plain: Bool, quote: I64, rows: Rows, read: Bool) -> None:
    """What stands before the description depends on the record; moves ``quote`` to where that begins."""
    rows["peer_port_guid"] = np.zeros(len(read), np.uint64)
    rows["lid"] = np.full(len(read), -1, np.int32)
    read[own] &= ~plain[own]
    plain[own] = True
    shown = np.flatnonzero(~plain)  # from a switch to an adapter: the GUID of its port
    if len(shown):
        guid, quote[shown], read[shown] = _in_brackets(words, after[shown], b') \t\t# "', read[shown])
        rows["peer_port_guid"][shown] = guid
    if not len(own):
        return
    remark = words.window(after[own])  # from an adapter: its LID
    lid, digits, _ = decimal(remark.at(8), 5)
    lmc = words.at(after[own] + 8 + digits)
    right = starts(remark.at(0), b"\t\t# lid ") & (digits > 0)
    right &= (lmc & np.uint64(0xFFFF00FFFFFFFFFF)) == np.uint64(int.from_bytes(b' lmc \0 "', "little"))
    right &= byte(lmc, 5) - np.uint8(0x30) < 10
    rows["lid"][own] = _lids(lid)
    quote[own] += digits + 11
    read[own] &= right


def _in_brackets(words: Words, place: I64, end: bytes, read: Bool) -> tuple[U64, I64, Bool]:
    """GUIDs of nine digits or more in brackets, where ``end`` ends behind each, and which were read."""
    window = words.window(place)
    length = before(window.at(10), ord(")")) + 9
    guid, right = window.hex(1, length)
    behind = place + length + 1
    right &= (window.byte(0) == ord("(")) & starts(words.at(behind), end)
    return guid, behind + len(end) - 1, right & read


def _tails(words: Words, name: I64, lines: Lines, rows: Rows, read: Bool) -> None:
    """Descriptions from a quote to the last one, and what comes behind: ``" lid 11 4xNDR``."""
    quote = lines.end - _TAIL
    quote += before(words.at(quote), _QUOTE)  # it is the last one, since what is read behind it has none
    tail = words.window(quote)
    lid, digits, rest = decimal(tail.at(6), 5)
    right = starts(tail.at(0), b'" lid ') & (digits > 0) & starts(rest, b" ") & (quote > name)
    begin = (digits.view(np.uint64) - np.uint64(1)) << np.uint64(3)
    token = tail.at(8) >> begin
    token |= tail.at(16) << (np.uint64(64) - begin)
    right &= _rates(token, lines.end - quote - digits - 7, rows)
    rows["name"], rows["length"], rows["peer_lid"] = name + 1 - lines.start, quote - name - 1, _lids(lid)
    read &= right


def _rates(after: U64, length: I64, rows: Rows) -> Bool:
    """Width and speed of each cable."""
    read = np.zeros(len(length), np.bool_)
    width, speed = rows["width"], rows["speed"] = np.zeros((2, len(length)), np.uint8)
    for text, same in _distinct(*_tokens(after, length)):
        if b'"' in text:
            continue
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


def _heads(words: Words, lines: Lines) -> tuple[Rows, Bool]:
    """Heads of switches and adapters: ``Ca<TAB>1 "H-0c42a10300000010"<TAB><TAB># "node001 mlx5_0"``."""
    begin = words.at(lines.start)
    switch = starts(begin, b"Switch\t")
    place = lines.start + np.where(switch, 7, 3)
    ports, digits, rest = decimal(words.at(place), 3)
    ident = words.window(place + digits + 1)
    name, quote = place + digits + 25, lines.end - 1
    guid, read = ident.hex16(3)
    read &= (switch & starts(rest, b' "S-')) | (starts(begin, b"Ca\t") & starts(rest, b' "H-'))
    read &= _port_numbers(ports) & (guid != 0) & starts(ident.at(19), b'"\t\t# "')
    lid = np.full(len(read), -1, np.int32)
    switches = np.flatnonzero(switch)
    if len(switches):
        lid[switches], quote[switches], right = _switch_lids(words, lines.end[switches])
        read[switches] &= right
    read &= (words.letters[quote] == _QUOTE) & (quote > name)
    kind = np.where(switch, np.uint8(Record.SWITCH), np.uint8(Record.CA))
    rows: Rows = {"line": lines.number, "at": lines.start, "guid": guid, "ports": ports, "lid": lid, "kind": kind}
    rows["name"], rows["length"] = name + 1 - lines.start, quote - name - 1
    return rows if read.all() else picked(rows, read), read


def _switch_lids(words: Words, end: I64) -> tuple[I32, I64, Bool]:
    """LIDs from ``" enhanced port 0 lid 73 lmc 0`` (or ``base``) behind a switch's name, and where its quote is."""
    quote, short = end - _LONG_TAIL, end - _SHORT_TAIL
    quote += before(words.at(quote), _QUOTE)
    short += before(words.at(short), _QUOTE)
    enhanced = starts(words.at(quote), b'" enhanc') & starts(words.at(quote + 8), b"ed port ")
    quote = np.where(enhanced, quote, short)
    base = starts(words.at(quote), b'" base p') & starts(words.at(quote + 4), b"se port ")
    place = quote + np.where(enhanced, 16, 12)
    lid, digits, _ = decimal(words.at(place + 6), 5)
    lmc = words.at(place + 6 + digits)
    right = (enhanced | base) & starts(words.at(place), b"0 lid ") & (digits > 0) & starts(lmc, b" lmc ")
    right &= (byte(lmc, 5) - np.uint8(0x30) < 10) & (end == place + digits + 12)
    return _lids(lid), quote, right


def _attributes(words: Words, lines: Lines) -> tuple[Rows, Bool]:
    """Attributes: ``vendid=0x2c9``, ``switchguid=0x2c5eab0300000040(2c5eab0300000040)``."""
    read = np.zeros(len(lines.start), np.bool_)
    values, fields = np.zeros(len(read), np.uint64), np.zeros(len(read), np.uint8)
    window = words.window(lines.start)
    begin = window.at(0)
    for prefix, field in _ATTRIBUTES:
        chosen = np.flatnonzero(starts(begin, prefix[:8]))
        if len(chosen):
            some, digits = window.some(chosen), lines.start[chosen] + len(prefix)
            length = lines.end[chosen] - digits
            if field in (VENDOR, MODEL):
                values[chosen], right = _small(some.at(len(prefix)), length)
            else:
                values[chosen], right = _guids(words, some, len(prefix), digits, length)
            fields[chosen] = field
            read[chosen] = right & starts(some.at(len(prefix) - 8), prefix[-8:])
    rows: Rows = {"line": lines.number, "value": values, "field": fields}
    return rows if read.all() else picked(rows, read), read


def _small(digits: U64, length: I64) -> tuple[U64, Bool]:
    """Numbers of vendors and models: few different ones."""
    value, read = np.zeros(len(digits), np.uint64), np.zeros(len(digits), np.bool_)
    for text, same in _distinct(*_tokens(digits, length)):
        if _HEX.fullmatch(text):
            value[same] = int(text, 16)
            read |= same
    return value, read


def _guids(words: Words, window: Window, offset: int, digits: I64, length: I64) -> tuple[U64, Bool]:
    """GUIDs; a switch's is followed by its port's in brackets, as long as itself."""
    value, read = window.hex(offset, length)
    rest = np.flatnonzero(~read)
    if len(rest):
        begin, half = digits[rest], (length[rest] - 2) >> 1
        value[rest], right = window.some(rest).hex(offset, half)
        bracket = begin + half
        _, again = words.window(bracket + 1).hex(0, half)
        right &= again & (half + half + 2 == length[rest])
        right &= (words.letters[bracket] == ord("(")) & starts(words.at(bracket + half + 1), b")\n")
        read[rest] = right
    return value, read
