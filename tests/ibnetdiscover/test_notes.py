"""Damage and oddities: nothing is fatal while something can be read, and all of it is told."""

from __future__ import annotations

import pytest

from discovery.identities import Guid
from discovery.outcome import ProbeError
from discovery.probes.ibnetdiscover import recognises, summary
from tests.ibnetdiscover.texts import HEADER, LEAF, LEAF_RECORD, NODE1_RECORD, SMALL, cables, names, read, same

NOISE = (
    "src/query_smp.c:196; umad (DR path slid 0; dlid 0; 0,1,1 Attr 0x11:1) bad status 110; Connection timed out",
    "ibwarn: [7446] mad_rpc_open_port: can't open UMAD port ((null):0)",
    "ibpanic: [12] main: can't resolve self port",
    "ibnetdiscover: iberror: failed: discover failed",
    "src/ibnetdisc.c:28; Failed to get port info for node GUID:0x2c5eab03000a60cd port 28",
)


@pytest.mark.parametrize("noise", [pytest.param(line, id=line.split()[0]) for line in NOISE])
def test_error_output_is_counted_wherever_it_lands(noise):
    lines = SMALL.split("\n")
    for at in range(len(lines)):
        sweep = read("\n".join([*lines[:at], noise, *lines[at:]]))
        assert same(sweep, read(SMALL), but=("line",))
        assert (sweep.notes.stderr_lines, sweep.notes.unread) == (1, 0)
        assert (sweep.notes.stderr_sample[0].number, sweep.notes.stderr_sample[0].text) == (at + 1, noise)


def test_unknown_lines_are_counted_and_the_first_ten_are_shown():
    sweep = read(SMALL + "".join(f"what is {number}?\n" for number in range(25)))
    assert (sweep.notes.unread, len(sweep.notes.unread_sample)) == (25, 10)
    assert (sweep.notes.unread_sample[0].number, sweep.notes.unread_sample[0].text) == (27, "what is 0?")


def test_samples_are_safe_to_print():
    text = read(SMALL + "\x1b[31mred\x07 \u202e " + "x" * 5000 + "\n").notes.unread_sample[0].text
    assert text.isprintable() and len(text) <= 120


def test_a_port_line_below_no_record_is_told():
    sweep = read(LEAF_RECORD.split("\n", 8)[8] + NODE1_RECORD)
    assert (len(cables(sweep)), sweep.notes.unread) == (1, 1)
    assert sweep.notes.unread_sample[0].text.startswith("[33]")


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('[1]\t"H-0000000000000000"[1](0) \t\t# "node" lid 1 4xNDR', id="zero-guid"),
        pytest.param('[0]\t"H-00a1"[1](a1) \t\t# "node" lid 1 4xNDR', id="port-0"),
        pytest.param('[1]\t"H-00a1"[0](a1) \t\t# "node" lid 1 4xNDR', id="peer-port-0"),
        pytest.param('[255]\t"H-00a1"[1](a1) \t\t# "node" lid 1 4xNDR', id="port-255"),
        pytest.param('[65537]\t"H-00a1"[1](a1) \t\t# "node" lid 1 4xNDR', id="port-65537"),
        pytest.param(f'[1]\t"H-00a1"[{"9" * 3000}](a1) \t\t# "node" lid 1 4xNDR', id="port-of-3000-digits"),
        pytest.param('[1]\t"H-0c42a10300000010f"[1](a1) \t\t# "node" lid 1 4xNDR', id="guid-of-17-digits"),
        pytest.param('[1]\t""[1]\t\t# "node" lid 1 4xNDR', id="no-id"),
    ],
)
def test_values_that_cannot_be_are_left_out_and_told(line):
    sweep = read(SMALL.replace("\n[33]", f"\n{line}\n[33]"))
    assert cables(sweep) == cables(read(SMALL))
    assert (sweep.notes.bad_value_lines, sweep.notes.bad_values[0].number) == (1, 12)


def test_a_second_record_of_a_device_is_left_out_with_its_ports():
    moved = NODE1_RECORD.replace('"[1]', '"[9]').replace("node001", "impostor")
    sweep = read(SMALL + moved)
    assert same(sweep, read(SMALL))
    assert sweep.notes.duplicates == ((Guid(0x0C42A10300000010), 32),)


def test_two_runs_in_one_text_are_one_fabric():
    first, second = HEADER + LEAF_RECORD, SMALL
    sweep = read(first + second)
    assert names(sweep) == names(read(SMALL))
    assert sorted(cables(sweep)) == sorted(cables(read(SMALL)))
    assert sweep.notes.duplicates == ((Guid(LEAF), 21),)


@pytest.mark.parametrize(
    "records", [pytest.param(SMALL, id="small"), pytest.param(HEADER + LEAF_RECORD, id="switch-last")]
)
def test_a_cut_is_told_wherever_it_falls_in_a_line(records):
    text = records.rstrip("\n")
    start = text.rindex("\n") + 1
    complete = text.rindex("4x" if text.endswith("4xNDR") else "2x") + 5
    for at in range(start + 1, complete):
        assert read(text[:at]).notes.truncated == text.count("\n") + 1, text[start:at]


@pytest.mark.parametrize(
    ("end", "line"),
    [
        pytest.param("\nvendid=0x2c9\ndevid=0x1021\nsysimgg", 30, id="in-an-attribute"),
        pytest.param("\nvendid=0x2c9\ndevid=0x1021\nsysimgguid=0xc42", 30, id="in-a-value"),
        pytest.param("\nvendid=0x2c9\ndevid=0x1021\n", 29, id="behind-an-attribute"),
        pytest.param("\nvendid=0x2c9\nCa\t1 \"H-0c42", 29, id="in-an-id"),
        pytest.param("\nvendid=0x2c9\nCa\t1 \"H-00a1\"\t\t#", 29, id="behind-an-id"),
        pytest.param("\nvendid=0x2c9\nCa\t1 \"H-00a1\"\t\t# \"nod", 29, id="in-a-name"),
        pytest.param("\nSwitch\t8 \"S-00a1\"\t\t# \"leaf\" base por", 28, id="behind-a-name"),
    ],
)  # fmt: skip
def test_a_record_that_breaks_off_is_told(end, line):
    assert read(SMALL + end).notes.truncated == line


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SMALL, id="whole"),
        pytest.param(SMALL.rstrip("\n"), id="no-line-end"),
        pytest.param(SMALL + "[root@ufm01 ~]# ", id="prompt"),
        pytest.param(SMALL + "# File closed at : 2025-03-31", id="comment"),
        pytest.param(SMALL.replace(" 4xNDR", "").replace(" 2xHDR", "").rstrip("\n"), id="old-tool-without-rates"),
        pytest.param('Ca\t1 "H-00a1"\t\t# "node1"', id="head-alone"),
    ],
)
def test_a_whole_text_is_not_called_cut(text):
    assert read(text).notes.truncated is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", "is empty", id="empty"),
        pytest.param("\r\n \n", "is empty", id="blank"),
        pytest.param(NOISE[0] + "\n", "only error output", id="stderr-only"),
        pytest.param(
            'Ca\t : 0x0c42a10300000010 ports 1 devid 0x1021 vendid 0x2c9 "node001"\n', "list of nodes", id="list"
        ),
        pytest.param('[1]\t"H-00a1"[1](a1) \t\t# "node" lid 1 4xNDR\n', "no record", id="ports-only"),
        pytest.param("node1\nnode2\n", "no output of ibnetdiscover", id="node-names"),
        pytest.param(b"\x00\xff" * 100, "no output of ibnetdiscover", id="binary"),
        pytest.param('{"lldp": {"interface": []}}', "no output of ibnetdiscover", id="json"),
    ],
)
def test_what_is_no_sweep_is_refused_with_a_hint(text, words):
    with pytest.raises(ProbeError, match=words) as refusal:
        read(text)
    assert str(refusal.value).startswith("test.txt ") and refusal.value.hint


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        pytest.param(SMALL, True, id="topology"),
        pytest.param(HEADER, True, id="header-only"),
        pytest.param(LEAF_RECORD, True, id="no-header"),
        pytest.param('Hca\t2 "Hca1"\n[1]\t"Switch1"[1]\n', True, id="net-file"),
        pytest.param("SW   479 22 0x0002c9020040f161 4x QDR      x\n", True, id="port-list"),
        pytest.param('Ca\t : 0x0c42a10300000010 ports 1 devid 0x1021 vendid 0x2c9 "n"\n', True, id="node-list"),
        pytest.param("[root@ufm01 ~]# ibnetdiscover\r\n" + SMALL.replace("\n", "\r\n"), True, id="paste"),
        pytest.param((NOISE[0] + "\n") * 1000 + SMALL, True, id="behind-much-noise"),
        pytest.param("", False, id="empty"),
        pytest.param("# cluster nodes\nnode1\nnode2\n", False, id="node-names"),
        pytest.param("lldp.eth0.chassis.name=Switch 8\nlldp.eth0.port.descr=[1] x\n", False, id="keyvalue"),
        pytest.param(".1.0.8802.1.1.2.1.4.1.1.9.0.1.1 = STRING: \"Switch\"\n", False, id="snmpwalk"),
        pytest.param("apiVersion: v1\nkind: Node\nmetadata: {name: Ca}\n", False, id="yaml"),
        pytest.param("==============NVSMI LOG==============\nDriver Version : 570\n", False, id="nvidia-smi"),
        pytest.param("CA 'mlx5_0'\n\tCA type: MT4129\n", False, id="ibstat"),
        pytest.param('<?xml version="1.0"?><lldp label="Switch"/>', False, id="xml"),
    ],
)  # fmt: skip
def test_a_cheap_look_tells_the_kind(text, yes):
    assert recognises(text.encode()) is yes


def test_a_summary_counts_records_not_mentions():
    assert summary(read(LEAF_RECORD)) == {"switches": 1, "channelAdapters": 0, "routers": 0, "links": 3}
