"""What must be true of every answer, however damaged the text was."""

from __future__ import annotations

import pickle

import numpy as np

from discovery.ibtext.reading import plain, read_exactly, read_part, split_at
from discovery.ibtext.rows import Found
from discovery.identities import Witness
from discovery.observations import DeviceColumns, Sweep
from discovery.outcome import ProbeError
from discovery.probes.ibnetdiscover import parse, summary

WITNESS = Witness("ibnetdiscover", "damaged.txt")


def check(text: bytes) -> bool:
    """Read a text and check the answer; True if it was heard, False if it was refused. Anything else is our defect."""
    try:
        sweep = parse(text, WITNESS)
    except ProbeError as refusal:
        assert str(refusal) and refusal.hint, "a refusal says what is wrong and what to do"
        return False
    text = plain(text)
    _nothing_is_invented(text, sweep)
    _columns_fit(text, sweep)
    assert min(summary(sweep).values()) >= 0
    return True


def check_both_ways(text: bytes, size: int) -> None:
    """The fast reader says the same as the grammar, wherever the chunks are cut."""
    text = plain(text)
    exact, fast = read_exactly(text), read_part(text, 0, len(text), size=size)
    _are_equal(exact, fast)
    middle = split_at(text, size / 5000)
    first, second = read_part(text, 0, middle, size=size), read_part(text, middle, len(text), number=7, size=size)
    first.extend(pickle.loads(pickle.dumps(second, protocol=5)))
    _are_equal(exact, first)


def _are_equal(exact: Found, fast: Found) -> None:
    tables = (*exact.tables(), exact.port_list()), (*fast.tables(), fast.port_list())
    for one, other in zip(*tables, strict=True):
        for name in one:
            np.testing.assert_array_equal(one[name], other[name], name)
    assert _rest(exact) == _rest(fast)


def _rest(found: Found) -> list[object]:
    troubles = (found.unread, found.stderr, found.bad)
    flags = [found.next, found.breaks, found.labels, found.ibsim, found.nodes_listed]
    return [*flags, *((trouble.count, trouble.first()) for trouble in troubles)]


def _nothing_is_invented(text: bytes, sweep: Sweep) -> None:
    devices = sweep.devices
    assert len(devices.guid) <= text.count(b'"') // 2 + text.count(b"0x"), "more devices than mentions"
    assert len(sweep.ends.port) <= text.count(b"\n") + 1, "more cables than lines"
    lower = text.lower()
    for row in range(len(devices.guid)):
        name = devices.name.raw(row)
        assert b"\n" not in name and name in text
        if sweep.dialect != "ibsim":
            assert f"{int(devices.guid[row]):x}".encode() in lower or _named_by_id(text, devices, row)


def _named_by_id(text: bytes, devices: DeviceColumns, row: int) -> bool:
    """A damaged id that is no GUID any more is taken for a name, as in a net file; its line shows it."""
    line = text.split(b"\n")[int(devices.line[row]) - 1]
    return line.count(b'"') >= 2


def _columns_fit(text: bytes, sweep: Sweep) -> None:
    devices, ends, lines = sweep.devices, sweep.ends, text.split(b"\n")
    count = len(devices.guid)
    for rows in (ends.device, ends.peer, sweep.down_device):
        assert not len(rows) or 0 <= rows.min() <= rows.max() < count
    for ports in (ends.port, ends.peer_port, sweep.down_port):
        assert not len(ports) or 1 <= ports.min() <= ports.max() <= 254
    for lids in (ends.lid, ends.peer_lid, devices.lid):
        assert not len(lids) or -1 <= lids.min() <= lids.max() <= 0xFFFF
    assert (devices.guid > 0).all() and len(set(devices.guid.tolist())) == count
    for line, port in zip(ends.line.tolist(), ends.port.tolist(), strict=True):
        assert str(port).encode() in lines[line - 1], f"line {line} does not show port {port}"
    notes = sweep.notes
    assert notes.unread >= len(notes.unread_sample) and notes.stderr_lines >= len(notes.stderr_sample)
    shown = (*notes.unread_sample, *notes.stderr_sample, *notes.bad_values)
    assert all(line.text.isprintable() and 1 <= line.number <= len(lines) for line in shown)
    assert notes.truncated is None or 1 <= notes.truncated <= len(lines)
