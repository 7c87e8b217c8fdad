"""The fast reader: whole chunks of the default form at once. A short cut through ``grammar``, never a second format.

It takes a line only if it understood every byte outside the description; all other lines are left to the grammar.
Nothing is searched line by line: one pass finds quotes and line ends together, so the parts of a line stand between
known places, and a description ends at the last quote.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discovery.ibtext.grammar import MAX_LID, MAX_LINE, MAX_PORT, rate
from discovery.ibtext.rows import ATTRIBUTE_ROW, BOUNDARY, HEAD_ROW, MODEL, PORT_ROW, SYSTEM, VENDOR, Rows
from discovery.ibtext.words import Words, byte, decimal, first_bytes, starts
from discovery.observations import I32, I64, U8, U64, Bool, Record

MARGIN = 64
"""Lines this close to either end of the text are left to the grammar, so that words may be picked around a line."""
_MOST_RATES = 32
_NEWLINE, _QUOTE = 0x0A, 0x22
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
    """Some lines of a chunk: number, start and end, how many quotes they have, and where (if there are four)."""

    number: I64
    start: I64
    end: I64
    quotes: I64
    open_id: I64
    close_id: I64
    open_name: I64
    close_name: I64

    def __len__(self) -> int:
        return len(self.number)

    def only(self, which: I64 | Bool) -> Lines:
        """Some of these lines."""
        return Lines(*(getattr(self, name)[which] for name in Lines.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """What was read of a chunk, and which of its lines are left: (number, start, end)."""

    ports: Rows
    heads: Rows
    attributes: Rows
    left: list[tuple[int, int, int]]
    lines: int


def read_chunk(words: Words, text: U8, start: int, stop: int, number: int) -> Chunk:
    """Read the lines of text[start:stop], the first of which has this number; the chunk ends at a line end."""
    lines = _lines(text, start, stop, number)
    first = text[lines.start]
    left = lines.end > lines.start
    inside = left & (lines.start >= MARGIN) & (lines.end <= len(text) - MARGIN) & (lines.end - lines.start <= MAX_LINE)
    quoted = inside & (lines.quotes >= 4)
    bare = inside & (lines.quotes == 0) & (first >= ord("c")) & (first <= ord("v"))

    def taken(reader: Callable[[Words, Lines], tuple[Rows, Bool]], which: Bool) -> Rows:
        chosen = np.flatnonzero(which)
        rows, read = reader(words, lines.only(chosen))
        left[chosen[read]] = False
        return rows

    ports = taken(_ports, quoted & (first == ord("[")))
    heads = taken(_heads, quoted & ((first == ord("C")) | (first == ord("S"))))
    attributes = taken(_attributes, bare)
    rest = np.flatnonzero(left)
    spans = zip(lines.number[rest].tolist(), lines.start[rest].tolist(), lines.end[rest].tolist(), strict=True)
    return Chunk(ports, heads, attributes, list(spans), len(lines))


def _lines(text: U8, start: int, stop: int, number: int) -> Lines:
    """All lines of a chunk with their quotes."""
    part = text[start:stop]
    marks = np.flatnonzero((part == _NEWLINE) | (part == _QUOTE))
    ends = np.flatnonzero(part[marks] == _NEWLINE)
    marks += start
    if stop > start and part[-1] != _NEWLINE:
        ends, marks = np.append(ends, len(marks)), np.append(marks, stop)
    before = np.empty_like(ends)
    before[:1], before[1:] = -1, ends[:-1]
    end = marks[ends]
    begin = np.empty_like(end)
    begin[:1], begin[1:] = start, end[:-1] + 1
    top = len(marks) - 1
    return Lines(
        np.arange(number, number + len(ends)),
        begin,
        end,
        ends - before - 1,
        marks[np.minimum(before + 1, top)],
        marks[np.minimum(before + 2, top)],
        marks[np.minimum(before + 3, top)],
        marks[ends - 1],
    )


def _ports(words: Words, lines: Lines) -> tuple[Rows, Bool]:
    rows = np.empty(len(lines), PORT_ROW)
    near = words.at(lines.start)
    port, near_digits, near_rest = decimal(near >> np.uint64(8))
    ident = words.at(lines.open_id)
    peer, read = words.hex16(lines.open_id + 3)
    far = words.at(lines.close_id)
    peer_port, far_digits, far_rest = decimal(far >> np.uint64(16))
    peer_lid, lid_digits, lid_rest = decimal(words.at(lines.close_name + 6))
    prefix = byte(ident, 1)
    read &= starts(near, b"[") & starts(near_rest, b"]") & _port_numbers(port, near_digits)
    read &= starts(ident, b'"') & (byte(ident, 2) == ord("-")) & (lines.close_id == lines.open_id + 19) & (peer != 0)
    read &= starts(far, b'"[') & starts(far_rest, b"]") & _port_numbers(peer_port, far_digits)
    read &= starts(words.at(lines.close_name), b'" lid ') & _lid_digits(lid_digits) & starts(lid_rest, b" ")
    kind = np.zeros(len(lines), np.uint8)
    for letter, record in (("S", Record.SWITCH), ("H", Record.CA), ("R", Record.ROUTER)):
        kind[prefix == ord(letter)] = record
    read &= kind > 0
    rows["line"], rows["at"], rows["peer"], rows["peer_kind"] = lines.number, lines.start, peer, kind
    rows["port"], rows["peer_port"], rows["peer_lid"] = port, peer_port, _lids(peer_lid)
    rows["name"], rows["length"] = lines.open_name + 1 - lines.start, lines.close_name - lines.open_name - 1
    gap = lines.open_id - lines.start - near_digits - 2
    after = lines.close_id + far_digits + 3
    read &= _between(words, lines, gap, after, rows)
    read &= _rates(words, lines.close_name + lid_digits + 7, lines.end, rows)
    return rows if read.all() else rows[read], read


def _between(words: Words, lines: Lines, gap: I64, after: I64, rows: Rows) -> Bool:
    """What depends on the record: a switch's lines show the peer's port GUID, an adapter's its own and its LID."""
    read = np.zeros(len(lines), np.bool_)
    rows["port_guid"] = rows["peer_port_guid"] = 0
    rows["lid"] = -1
    of_switch = (gap == 1) & (words.at(lines.open_id - 1) & np.uint64(0xFF) == 0x09)
    to_name = lines.open_name - after
    plain = of_switch & (to_name == 4)
    plain[plain] = starts(words.at(after[plain]), b'\t\t# "')
    read |= plain
    shown = np.flatnonzero(of_switch & (to_name > 7))
    if len(shown):
        place, name = after[shown], lines.open_name[shown]
        guid, right = words.hex_before(name - 6, to_name[shown] - 7)
        right &= starts(words.at(place), b"(") & starts(words.at(name - 6), b') \t\t# "')
        rows["peer_port_guid"][shown] = guid
        read[shown] = right
    own = np.flatnonzero(gap > 4)
    if len(own):
        place, quote, name = after[own], lines.open_id[own], lines.open_name[own]
        guid, right = words.hex_before(quote - 3, gap[own] - 4)
        lid, digits, rest = decimal(words.at(place + 8))
        lmc = words.at(place + 8 + digits)
        right &= starts(words.at(quote - gap[own]), b"(") & starts(words.at(quote - 3), b') \t"')
        right &= starts(words.at(place), b"\t\t# lid ") & _lid_digits(digits) & starts(rest, b" ")
        right &= (lmc & np.uint64(0xFFFF00FFFFFFFFFF)) == np.uint64(int.from_bytes(b' lmc \0 "', "little"))
        right &= (byte(lmc, 5) - np.uint8(0x30) < 10) & (name == place + digits + 15)
        rows["port_guid"][own], rows["lid"][own] = guid, _lids(lid)
        read[own] = right
    return read


def _rates(words: Words, place: I64, end: I64, rows: Rows) -> Bool:
    """Width and speed: few distinct words, so the grammar is asked once for each."""
    length = end - place
    read = (length >= 1) & (length <= 7)
    token = first_bytes(words.at(place), np.where(read, length, 0))
    waiting = np.flatnonzero(read)
    for _ in range(_MOST_RATES):
        if not len(waiting):
            break
        one = token[waiting[0]]
        same = token[waiting] == one
        rows["width"][waiting[same]], rows["speed"][waiting[same]] = rate(_letters(int(one)))
        waiting = waiting[~same]
    read[waiting] = False
    return read


def _letters(word: int) -> bytes:
    return word.to_bytes(8, "little").rstrip(b"\0").lstrip(b" \t")


def _port_numbers(value: U64, digits: I64) -> Bool:
    return (value > 0) & (value <= MAX_PORT) & (digits <= 3)


def _lid_digits(digits: I64) -> Bool:
    return (digits >= 1) & (digits <= 5)


def _lids(value: U64) -> I32:
    lids = value.astype(np.int32)
    lids[(value == 0) | (value > MAX_LID)] = -1
    return lids


def _heads(words: Words, lines: Lines) -> tuple[Rows, Bool]:
    rows = np.empty(len(lines), HEAD_ROW)
    begin = words.at(lines.start)
    switch = starts(begin, b"Switch\t")
    place = lines.start + np.where(switch, 7, 3)
    ports, digits, rest = decimal(words.at(place))
    guid, read = words.hex16(lines.open_id + 3)
    read &= (switch & starts(rest, b' "S-')) | (starts(begin, b"Ca\t") & starts(rest, b' "H-'))
    read &= _port_numbers(ports, digits) & (lines.open_id == place + digits + 1) & (guid != 0)
    read &= lines.close_id == lines.open_id + 19
    read &= starts(words.at(lines.close_id), b'"\t\t# "') & (lines.open_name == lines.close_id + 5)
    lid = np.full(len(lines), -1, np.int32)
    adapters = np.flatnonzero(~switch)
    read[adapters] &= lines.close_name[adapters] + 1 == lines.end[adapters]
    switches = np.flatnonzero(switch)
    if len(switches):
        lid[switches], right = _switch_lids(words, lines.close_name[switches], lines.end[switches])
        read[switches] &= right
    rows["line"], rows["at"], rows["guid"], rows["ports"], rows["lid"] = lines.number, lines.start, guid, ports, lid
    rows["name"], rows["length"] = lines.open_name + 1 - lines.start, lines.close_name - lines.open_name - 1
    rows["kind"] = np.where(switch, np.uint8(Record.SWITCH), np.uint8(Record.CA))
    return rows if read.all() else rows[read], read


def _switch_lids(words: Words, quote: I64, end: I64) -> tuple[I32, Bool]:
    """LIDs from ``" enhanced port 0 lid 73 lmc 0`` (or ``base``) behind a switch's name."""
    enhanced = starts(words.at(quote), b'" enhanc') & starts(words.at(quote + 8), b"ed port ")
    base = starts(words.at(quote), b'" base p') & starts(words.at(quote + 4), b"se port ")
    place = quote + np.where(enhanced, 16, 12)
    lid, digits, _ = decimal(words.at(place + 6))
    lmc = words.at(place + 6 + digits)
    right = (enhanced | base) & starts(words.at(place), b"0 lid ") & _lid_digits(digits) & starts(lmc, b" lmc ")
    right &= (byte(lmc, 5) - np.uint8(0x30) < 10) & (end == place + digits + 12)
    return _lids(lid), right


def _attributes(words: Words, lines: Lines) -> tuple[Rows, Bool]:
    rows = np.empty(len(lines), ATTRIBUTE_ROW)
    rows["line"] = lines.number
    read = np.zeros(len(lines), np.bool_)
    begin = words.at(lines.start)
    for prefix, field in _ATTRIBUTES:
        chosen = np.flatnonzero(starts(begin, prefix[:8]))
        if not len(chosen):
            continue
        digits, end = lines.start[chosen] + len(prefix), lines.end[chosen]
        right = starts(words.at(digits - 8), prefix[-8:])
        if prefix.startswith(b"switch"):
            half = (end - digits - 2) >> 1
            _, again = words.hex_before(end - 1, half)
            right &= again & starts(words.at(end - 1), b")\n") & starts(words.at(digits + half), b"(")
            right &= end == digits + half + half + 2
            end = digits + half
        value, number = words.hex_before(end, end - digits)
        rows["value"][chosen], rows["field"][chosen] = value, field
        read[chosen] = right & number
    return rows if read.all() else rows[read], read
