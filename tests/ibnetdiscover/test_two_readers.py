"""The fast reader is a short cut through the grammar: on every text, cut into chunks anywhere, both say the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discovery.ibtext.columns import read_chunk
from discovery.ibtext.reading import plain
from discovery.ibtext.words import Words
from tests.fuzz.oracle import check, check_both_ways
from tests.ibnetdiscover.texts import SMALL

NUMBERS = st.integers(0, 300) | st.integers(65530, 65540) | st.sampled_from([10**6, 10**12])
DIGITS = st.integers(0, 2**64 - 1).map("{:016x}".format) | st.text("0123456789abcdefABCDEFg", min_size=0, max_size=18)
NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=20) | st.sampled_from(
    ["node001 mlx5_0", 'a "quoted" name', "MT4129 ConnectX7   Mellanox Technologies", '" lid 5 4xNDR', ""]
)
RATES = st.sampled_from(
    ["4xNDR", "4xFDR10", "12x???", "????", " 4xNDR", "4xNDR s=1", "w=4 s=2", "4x", "", "4xNDR\t", "\0"]
)
SEPARATORS = st.sampled_from(["\t", "\t\t", " ", "  ", " \t", ""])


@st.composite
def port_lines(draw: st.DrawFn) -> str:
    near, far, lid, lmc = (draw(NUMBERS) for _ in range(4))
    peer = f'"{draw(st.sampled_from("SHRX"))}-{draw(DIGITS)}"'
    own = draw(st.sampled_from(["", f"({draw(DIGITS)})", f"({draw(DIGITS)}) ", "(1/1/1)", "[ext 3]"]))
    guid = draw(st.sampled_from(["", f"({draw(DIGITS)}) ", f" ({draw(DIGITS)})", "[ext 4]"]))
    remark = draw(st.sampled_from(["", f"lid {lid} lmc {lmc} ", f"lid  lmc {lmc} ", f"lid {lid} lmc 0"]))
    space, gap = draw(SEPARATORS), draw(SEPARATORS)
    return f'[{near}]{own}{space}{peer}[{far}]{guid}{gap}# {remark}"{draw(NAMES)}" lid {draw(NUMBERS)} {draw(RATES)}'


@st.composite
def usual_port_lines(draw: st.DrawFn) -> str:
    port, far, lid = (draw(st.integers(1, 254)) for _ in range(3))
    guid = draw(st.integers(1, 2**64 - 1))
    tail = f'"{draw(NAMES)}" lid {lid} {draw(RATES)}'
    return draw(
        st.sampled_from(
            [
                f'[{port}]\t"S-{guid:016x}"[{far}]\t\t# {tail}',
                f'[{port}]\t"H-{guid:016x}"[{far}]({guid:x}) \t\t# {tail}',
                f'[{port}]({guid:x}) \t"S-{guid:016x}"[{far}]\t\t# lid {lid} lmc 0 {tail}',
            ]
        )
    )


@st.composite
def heads(draw: st.DrawFn) -> str:
    word = draw(st.sampled_from(["Switch", "Ca", "Hca", "Rt", "Swatch"]))
    ident = f'"{draw(st.sampled_from("SHR"))}-{draw(DIGITS)}"'
    lid = draw(NUMBERS)
    tail = draw(st.sampled_from(["", f" enhanced port 0 lid {lid} lmc 0", f" base port 0 lid {lid} lmc 1", " (scp)"]))
    return f'{word}\t{draw(NUMBERS)} {ident}{draw(SEPARATORS)}# "{draw(NAMES)}"{tail}'


@st.composite
def attributes(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(["vendid", "devid", "sysimgguid", "switchguid", "caguid", "rtguid", "guid"]))
    value = draw(DIGITS)
    tail = draw(st.sampled_from(["", f"({value})", f"({draw(DIGITS)})", "\t\t# Chassis 1", "()", " "]))
    return f"{name}=0x{value}{tail}"


LINES = (
    port_lines()
    | usual_port_lines()
    | heads()
    | attributes()
    | st.sampled_from(["", "# comment", "ibwarn: [1] x", "?"])
)
TEXTS = st.lists(LINES, max_size=30).map("\n".join)


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.integers(1, 2000), st.booleans())
def test_both_readers_agree(text, size, padded):
    margin = "#" * 100 + "\n" if padded else ""
    check_both_ways(f"{margin}{text}\n{margin}".encode(), size)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_every_answer_is_sound(text):
    check(text.encode())


@pytest.mark.parametrize("size", [pytest.param(size, id=f"{size}-bytes") for size in range(1, 400, 37)])
def test_the_cut_of_chunks_changes_nothing(size):
    check_both_ways((SMALL * 3).encode(), size)


def test_the_default_form_is_read_by_the_fast_reader_alone():
    text = plain(("#\n" * 64 + SMALL + "#\n" * 64).encode())
    chunk = read_chunk(Words(text), 0, len(text), 1)
    assert [len(rows["line"]) for rows in (chunk.ports, chunk.heads, chunk.attributes)] == [5, 3, 12]
    assert {text[start:end][:1] for _, start, end in chunk.left} == {b"#"}


@pytest.mark.parametrize(
    "end",
    [pytest.param("\0", id="nul"), pytest.param("4xNDR\0", id="rate-and-nul"), pytest.param("4\0xNDR", id="inside")],
)
def test_a_nul_at_the_end_is_seen(end):
    line = f'[1]\t"S-0000000000000001"[1]\t\t# "" lid 1 {end}\n'
    usual = line.replace(end, "4xNDR")
    check_both_ways(f"{'#' * 100}\n{usual}{line}{usual}vendid=0x2c9{end}\n{'#' * 100}\n".encode(), 1000)
