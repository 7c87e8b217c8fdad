"""Net files of ibsim: names instead of GUIDs, Hca instead of Ca, hardly any comments."""

from __future__ import annotations

import pytest

from discovery.observations import Record
from discovery.probes.ibnetdiscover import summary
from tests.ibnetdiscover.texts import cables, names, read

NET = """# Net configuration file example
Switch\t8 "Switch1"
[1]\t"Hca1"[1]\tw=12 s=2
[2] "Hca2" [2]
[3]\t"Switch2"[3]

Switch 8 "Switch2"
[3]\t"Switch1"[3]

Hca\t2 "Hca1"
[1]\t"Switch1"[1]

Hca\t2 "Hca2"
[2]\t"Switch1"[2]
"""


def test_names_are_devices():
    sweep = read(NET)
    assert (sweep.dialect, sweep.notes.unread) == ("ibsim", 0)
    assert list(names(sweep).values()) == ["Switch1", "Switch2", "Hca1", "Hca2"]
    assert sweep.devices.kind.tolist() == [Record.SWITCH, Record.SWITCH, Record.CA, Record.CA]
    assert summary(sweep) == {"switches": 2, "channelAdapters": 2, "routers": 0, "links": 3}


def test_a_name_has_the_same_guid_in_every_file():
    one, other = read(NET), read('Hca\t2 "Hca1"\n')
    assert other.devices.guid[0] == one.devices.guid[2] == 0x4AEC12A003CABD15


@pytest.mark.parametrize(
    ("tail", "rate"),
    [
        pytest.param("w=12 s=2", "12xDDR", id="both"),
        pytest.param("s=4 w=4", "4xQDR", id="other-order"),
        pytest.param("w=1", "1x?", id="width-only"),
        pytest.param("w=3 s=9", "??", id="unknown"),
        pytest.param("", "??", id="none"),
    ],
)
def test_width_and_speed(tail, rate):
    assert cables(read(f'Switch 8 "a"\n[1]\t"b"[1]\t{tail}\n'))[0][4] == rate


def test_guids_and_names_may_be_mixed():
    text = (
        'switchguid=0x99(99)\nSwitch 8 "S-0099" # "leaf-1"\n[1] "H-00a1"[1]\n[2] "Hca2"[1]\n'
        'sysimgguid=0xa0\nHca 2 "H-00a1" # "node001 HCA-1"\n[1](a2)\t"S-0099"[1]\nHca 1 "Hca2"\n[1] "S-0099"[2]\n'
    )
    sweep = read(text)
    assert sweep.devices.guid.tolist()[:2] == [0x99, 0xA1]
    assert list(names(sweep).values()) == ["leaf-1", "node001 HCA-1", "Hca2"]
    assert (sweep.devices.system.tolist(), sweep.ends.port_guid.tolist()) == ([0, 0xA0, 0], [0, 0, 0xA2, 0])


def test_a_file_may_end_without_a_line_end():
    assert read(NET.rstrip("\n")).notes.truncated is None
