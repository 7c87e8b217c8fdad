"""Large texts: read in parts, in other processes, or out of mapped memory, they say the same."""

from __future__ import annotations

import mmap
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.ibtext.reading import plain, read_part, split_at
from discovery.ibtext.rows import Found
from discovery.identities import Witness
from discovery.probes.ibnetdiscover import parse, recognises
from tests.ibnetdiscover.texts import HEADER, LEAF_RECORD, NODE1_RECORD, SMALL, read, same

WITNESS = Witness("ibnetdiscover", "test.txt")
TROUBLE = 'ibwarn: [1] x\n?\n[0]\t"S-0000000000000001"[1]\n'
TEXTS = {
    "usual": SMALL,
    "long": SMALL + "#\n" * 100 + LEAF_RECORD * 3,
    "orphans-first": NODE1_RECORD.split("\n")[-2] + "\n" + TROUBLE * 9 + SMALL,
    "unfinished": SMALL + "\nvendid=0x2c9\ndevid=0x1021\n",
    "cut": SMALL[:-30],
}
every_text = pytest.mark.parametrize("text", [pytest.param(text.encode(), id=name) for name, text in TEXTS.items()])


def in_parts(text: bytes, shares: list[float]) -> Found:
    places = sorted({0, len(text), *(split_at(text, share) for share in shares)})
    found, *further = (read_part(text, *part, number=9 * part[0] + 1) for part in pairwise(places))
    for part in further:
        found.extend(pickle.loads(pickle.dumps(part, protocol=5)))
    return found


@every_text
@given(shares=st.lists(st.floats(0, 1), max_size=4))
def test_any_split_gives_the_same_sweep(text, shares):
    one, parts = parse(text, WITNESS), parse(text, WITNESS, lambda text: in_parts(text, shares))
    assert same(one, parts)
    assert one.notes == parts.notes


@given(st.floats(0, 1))
def test_parts_meet_where_a_line_starts(share):
    text = SMALL.encode()
    place = split_at(text, share)
    assert text[place - 1 : place] == b"\n" and place >= share * len(text) - 1


@every_text
def test_mapped_memory_is_read_as_bytes_are(text):
    with mmap.mmap(-1, len(text)) as memory:
        memory[:] = text
        assert recognises(memory)
        one, other = parse(text, WITNESS), parse(memory, WITNESS)
        assert same(one, other)
        assert one.notes == other.notes
        del other


@pytest.mark.parametrize("line_end", [pytest.param("\r\n", id="crlf"), pytest.param("\r", id="cr")])
def test_mapped_memory_with_other_line_ends(line_end):
    text = ("\ufeff" + HEADER + LEAF_RECORD).replace("\n", line_end).encode()
    with mmap.mmap(-1, len(text)) as memory:
        memory[:] = text
        assert plain(memory) == (HEADER + LEAF_RECORD).encode()
        assert same(parse(memory, WITNESS), read(HEADER + LEAF_RECORD))


def test_columns_travel_outside_of_the_pickle():
    text = ("#\n" * 100 + SMALL + "#\n" * 100).encode()
    buffers: list[pickle.PickleBuffer] = []
    sent = pickle.dumps(read_part(text, 0, len(text)), protocol=5, buffer_callback=buffers.append)
    heard = pickle.loads(sent, buffers=[bytes(buffer.raw()) for buffer in buffers])
    assert [rows["line"].tolist() for rows in heard.tables()] == [
        rows["line"].tolist() for rows in read_part(text, 0, len(text)).tables()
    ]
    assert len(buffers) >= len(heard.tables()[0])
