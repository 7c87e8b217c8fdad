"""Small texts as the tools print them, and the answer as plain values that a test can spell out."""

from __future__ import annotations

from discovery.identities import Witness
from discovery.observations import SPEEDS, WIDTHS, Sweep
from discovery.probes.ibnetdiscover import parse

HEADER = "#\n# Topology file: generated on Wed Aug  6 16:11:23 2025\n#\n"
LEAF = 0x2C5EAB0300000040
SPINE = 0x2C5EAB0300000140
NODE1 = 0x0C42A10300000010
NODE2 = 0x0C42A10300000020

LEAF_RECORD = """
vendid=0x2c9
devid=0xd2f2
sysimgguid=0x2c5eab0300000040
switchguid=0x2c5eab0300000040(2c5eab0300000040)
Switch\t65 "S-2c5eab0300000040"\t\t# "MF0;LEAF-1:MQM9700/U1" enhanced port 0 lid 1 lmc 0
[1]\t"H-0c42a10300000010"[1](c42a10300000010) \t\t# "node001 mlx5_0" lid 11 4xNDR
[2]\t"H-0c42a10300000020"[1](c42a10300000020) \t\t# "node002 mlx5_0" lid 12 4xNDR
[33]\t"S-2c5eab0300000140"[1]\t\t# "MF0;SPINE-1:MQM9700/U1" lid 3 2xHDR
"""
NODE1_RECORD = """
vendid=0x2c9
devid=0x1021
sysimgguid=0xc42a10300000010
caguid=0xc42a10300000010
Ca\t1 "H-0c42a10300000010"\t\t# "node001 mlx5_0"
[1](c42a10300000010) \t"S-2c5eab0300000040"[1]\t\t# lid 11 lmc 0 "MF0;LEAF-1:MQM9700/U1" lid 1 4xNDR
"""
NODE2_RECORD = NODE1_RECORD.replace("0010", "0020").replace("node001", "node002").replace('"[1]', '"[2]')
SMALL = HEADER + LEAF_RECORD + NODE1_RECORD + NODE2_RECORD


def read(text: str | bytes) -> Sweep:
    """Read a text with a witness that says nothing."""
    return parse(text.encode() if isinstance(text, str) else text, Witness("ibnetdiscover", "test.txt"))


def names(sweep: Sweep) -> dict[int, str]:
    """Descriptions of the devices with a record, by GUID."""
    devices = sweep.devices
    return {int(guid): devices.name[row] for row, guid in enumerate(devices.guid) if devices.defined[row]}


def cables(sweep: Sweep) -> list[tuple[int, int, int, int, str]]:
    """Every end that was printed: GUID, port, peer's GUID, peer's port, rate (? for what is unknown)."""
    guid, ends = sweep.devices.guid.tolist(), sweep.ends
    rates = [
        (WIDTHS[width] or "?") + (SPEEDS[speed] or "?") for width, speed in zip(ends.width, ends.speed, strict=True)
    ]
    near = zip((guid[row] for row in ends.device), ends.port.tolist(), strict=True)
    far = zip((guid[row] for row in ends.peer), ends.peer_port.tolist(), strict=True)
    return [(*one, *other, rate) for one, other, rate in zip(near, far, rates, strict=True)]


def same(one: Sweep, other: Sweep, but: tuple[str, ...] = ()) -> bool:
    """Whether two sweeps show the same devices and cables, apart from some columns."""
    for table, again in ((one.devices, other.devices), (one.ends, other.ends)):
        for column in set(type(table).__slots__) - {"name", *but}:
            if getattr(table, column).tolist() != getattr(again, column).tolist():
                return False
    return names(one) == names(other)
