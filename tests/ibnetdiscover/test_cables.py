"""Port lines: which port is cabled to which, how fast, and whose record a line belongs to."""

from __future__ import annotations

import pytest

from discovery.probes.ibnetdiscover import summary
from tests.ibnetdiscover.texts import LEAF, LEAF_RECORD, NODE1, NODE1_RECORD, NODE2, SMALL, SPINE, cables, read

FROM_SWITCH = '[1]\t"H-00a1"[1](a2) \t\t# "node1" lid 11 4xNDR'


def test_both_ends_of_every_cable():
    assert cables(read(SMALL)) == [
        (LEAF, 1, NODE1, 1, "4xNDR"),
        (LEAF, 2, NODE2, 1, "4xNDR"),
        (LEAF, 33, SPINE, 1, "2xHDR"),
        (NODE1, 1, LEAF, 1, "4xNDR"),
        (NODE2, 1, LEAF, 2, "4xNDR"),
    ]
    assert summary(read(SMALL)) == {"switches": 1, "channelAdapters": 2, "routers": 0, "links": 3}


def test_guids_lids_and_lines_of_both_ends():
    ends = read(SMALL).ends
    assert ends.port_guid.tolist() == [0, 0, 0, NODE1, NODE2]
    assert ends.peer_port_guid.tolist() == [NODE1, NODE2, 0, 0, 0]
    assert ends.lid.tolist() == [1, 1, 1, 11, 11]
    assert ends.peer_lid.tolist() == [11, 12, 3, 1, 1]
    assert ends.line.tolist() == [10, 11, 12, 19, 26]


@pytest.mark.parametrize(
    ("line", "rate"),
    [
        pytest.param(FROM_SWITCH, "4xNDR", id="default"),
        pytest.param(FROM_SWITCH.replace("NDR", "FDR10"), "4xFDR10", id="five-letters"),
        pytest.param(FROM_SWITCH.replace("4xNDR", "12xSDR"), "12xSDR", id="two-digit-width"),
        pytest.param(FROM_SWITCH.replace("NDR", "???"), "4x?", id="unknown-speed"),
        pytest.param(FROM_SWITCH.replace("4xNDR", "??NDR"), "?NDR", id="unknown-width"),
        pytest.param(FROM_SWITCH.replace("NDR", "GDR"), "4x?", id="speed-of-the-future"),
        pytest.param(FROM_SWITCH.replace("4xNDR", "3xNDR"), "?NDR", id="width-of-the-future"),
        pytest.param(FROM_SWITCH.replace(" 4xNDR", ""), "??", id="no-rate"),
        pytest.param(FROM_SWITCH + " s=128 w=2 v=4 e=8", "4xNDR", id="full"),
        pytest.param(FROM_SWITCH + " slot 3", "4xNDR", id="xsigo"),
        pytest.param('[1][ext 19]\t"H-00a1"[1][ext 2](a2) \t\t# "node1" lid 11 4xNDR', "4xNDR", id="external-ports"),
        pytest.param('[1](1/1/1) "H-00a1"[1](a2)      # "node1" lid 11 4xNDR', "4xNDR", id="port-label"),
        pytest.param('[1] "H-00a1"[1](a2) # "node1" lid 11 4xNDR', "4xNDR", id="blanks"),
        pytest.param('  [1]\t\t"H-00a1" [1] (a2)\t# "node1"  lid  11  4xNDR', "4xNDR", id="odd-blanks"),
        pytest.param('[1]\t"H-00a1"[1](a2) \t\t# "a "quoted" name" lid 11 4xNDR', "4xNDR", id="quotes-inside"),
        pytest.param('[1]\t"H-00a1"[1](a2) \t\t# "lid 3 4xSDR" lid 11 4xNDR', "4xNDR", id="name-like-a-tail"),
        pytest.param('[001]\t"H-a1"[01](00a2) \t\t# "node1" lid 011 4xNDR', "4xNDR", id="leading-zeros"),
    ],
)
def test_all_forms_of_a_switch_s_port_line(line, rate):
    sweep = read(f'Switch\t36 "S-0099"\t\t# "leaf" enhanced port 0 lid 7 lmc 0\n{line}\n')
    assert cables(sweep) == [(0x99, 1, 0xA1, 1, rate)]
    assert (sweep.ends.peer_lid.tolist(), sweep.ends.peer_port_guid.tolist()) == ([11], [0xA2])
    assert (sweep.ends.port_guid.tolist(), sweep.ends.lid.tolist()) == ([0], [7])
    assert sweep.notes.unread == sweep.notes.bad_value_lines == 0


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('[2](a2) \t"S-0099"[5]\t\t# lid 11 lmc 0 "leaf" lid 7 4xNDR', id="default"),
        pytest.param('[2](B9D0F0/0/0/1)(a2) "S-0099"[5] # lid 11 lmc 0 "leaf" lid 7 4xNDR', id="ibdiagnet"),
        pytest.param('[2](1)(a2) "S-0099"[5] # lid 11 lmc 0 "leaf" lid 7 4xNDR', id="label-like-a-guid"),
        pytest.param(
            '[2](a2) \t"S-0099"[5][ext 7]\t\t# lid 11 lmc 3 "leaf" lid 7 4xNDR s=4 w=2', id="grouped-and-full"
        ),
        pytest.param('[2](a2) \t"S-0099"[5]\t\t# lid 11 lmc 0 "a "lid 3" leaf" lid 7 4xNDR', id="quotes-inside"),
    ],
)
def test_all_forms_of_an_adapter_s_port_line(line):
    sweep = read(f'Ca\t2 "H-00a1"\t\t# "node1"\n{line}\n')
    assert cables(sweep) == [(0xA1, 2, 0x99, 5, "4xNDR")]
    ends = sweep.ends
    assert (ends.port_guid.tolist(), ends.lid.tolist(), ends.peer_lid.tolist()) == ([0xA2], [11], [7])


def test_two_adapters_back_to_back_keep_both_port_guids():
    ends = read('Ca\t1 "H-00a1"\t\t# "a"\n[1](a2) \t"H-00b1"[1] (b2) \t\t# lid 1 lmc 0 "b" lid 2 4xNDR\n').ends
    assert (ends.port_guid.tolist(), ends.peer_port_guid.tolist()) == ([0xA2], [0xB2])


def test_missing_and_absurd_lids_are_unknown():
    line = '[2](a2) \t"S-0099"[5]\t\t# lid  lmc 0 "leaf" lid -7 4xNDR'
    ends = read(f'Ca\t2 "H-00a1"\t\t# "node1"\n{line}\n').ends
    assert (ends.lid.tolist(), ends.peer_lid.tolist()) == ([-1], [-1])


def test_a_cable_from_a_switch_to_itself_counts_once():
    text = (
        'Switch\t36 "S-0099"\t\t# "leaf" base port 0 lid 7 lmc 0\n'
        '[5]\t"S-0099"[6]\t\t# "leaf" lid 7 4xHDR\n[6]\t"S-0099"[5]\t\t# "leaf" lid 7 4xHDR\n'
    )
    assert cables(read(text)) == [(0x99, 5, 0x99, 6, "4xHDR"), (0x99, 6, 0x99, 5, "4xHDR")]
    assert summary(read(text))["links"] == 1


def test_a_peer_without_a_record_is_named_not_defined():
    devices = read(LEAF_RECORD).devices
    assert devices.defined.tolist() == [True, False, False, False]
    assert [devices.name[row] for row in (1, 2)] == ["node001 mlx5_0", "node002 mlx5_0"]
    assert devices.line.tolist() == [6, 7, 8, 9]


def test_a_record_ends_where_the_next_begins_with_or_without_a_blank_line():
    assert cables(read(SMALL.replace("\n\n", "\n"))) == cables(read(SMALL))
    assert cables(read(SMALL.replace("\n", "\n\n"))) == cables(read(SMALL))


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param("ibwarn: [7446] mad_rpc_open_port: can't open UMAD port ((null):0)\n", id="ibwarn"),
        pytest.param("some words that nobody knows\n", id="garbage"),
        pytest.param("\n \t\n# a comment\n", id="blank-and-comment"),
    ],
)
def test_a_strange_line_ends_no_record(noise):
    assert cables(read(SMALL.replace("\n[2]", f"\n{noise}[2]"))) == cables(read(SMALL))


@pytest.mark.parametrize(
    "head",
    [
        pytest.param('Ca\t1 "H-0c42a1030000', id="torn"),
        pytest.param('Ca\t1 "H-0000000000000000"\t\t# "node001 mlx5_0"', id="zero-guid"),
        pytest.param('Ca\t1 "H-0c42a10300ZZ0010"\t\t# "node001 mlx5_0"', id="no-guid"),
        pytest.param("", id="missing"),
    ],
)
def test_ports_below_a_head_that_cannot_be_used_go_to_nobody(head):
    torn = NODE1_RECORD.replace('Ca\t1 "H-0c42a10300000010"\t\t# "node001 mlx5_0"', head)
    sweep = read(LEAF_RECORD + torn)
    assert cables(sweep) == cables(read(LEAF_RECORD))
    assert sweep.notes.unread + sweep.notes.bad_value_lines >= 1
