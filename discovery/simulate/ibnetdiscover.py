"""Writes a wiring as ibnetdiscover(8) prints it, byte for byte (rdma-core, infiniband-diags/ibnetdiscover.c)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from discovery.fabric import Role
from discovery.simulate.wiring import ONLY_A, ONLY_B, Device, Wiring

HEADER = """\
#
# Topology file: generated on Wed Aug  6 16:11:23 2025
#
# Initiated from node {guid:016x} port {guid:016x}
"""
_ORDER = {Role.SWITCH: 0, Role.ADAPTER: 1, Role.AGGREGATION: 1, Role.ROUTER: 2}
_PREFIX = {Role.SWITCH: "S", Role.ADAPTER: "H", Role.AGGREGATION: "H", Role.ROUTER: "R"}
VENDOR = 0x2C9


def write_ibnetdiscover(wiring: Wiring, plane: int = 0) -> bytes:
    """Write one subnet: header, then switches, adapters and routers, each record after a blank line."""
    records = write_records(wiring, plane)
    return "".join([header(wiring, plane), *records]).encode()


def header(wiring: Wiring, plane: int) -> str:
    """Write the comment that the tool starts with; the subnet was read from its first adapter."""
    first = next((one for one in wiring.devices if one.plane == plane and one.role == Role.ADAPTER), wiring.devices[0])
    return HEADER.format(guid=first.guid)


def write_records(wiring: Wiring, plane: int) -> list[str]:
    """Write the record of every device of the plane that has a cable, in the tool's order."""
    lines = _port_lines(wiring, plane)
    places = sorted(lines, key=lambda place: _ORDER[wiring.devices[place].role])
    return [_record(wiring.devices[place], lines[place]) for place in places]


def node_id(device: Device) -> str:
    """The id of a device in the text: S, H or R and its GUID."""
    return f"{_PREFIX[device.role]}-{device.guid:016x}"


def _record(device: Device, ports: Iterable[tuple[int, str]]) -> str:
    lines = "".join(line for _, line in sorted(ports))
    guid = device.guid
    start = f"\nvendid={VENDOR:#x}\ndevid={device.model.device_id:#x}\nsysimgguid={device.system:#x}\n"
    if device.role == Role.SWITCH:
        return (
            f"{start}switchguid={guid:#x}({guid:x})\n"
            f'Switch\t{device.ports} "{node_id(device)}"\t\t# "{device.description}"'
            f" enhanced port 0 lid {device.lid} lmc 0\n{lines}"
        )
    word, kind = ("rtguid", "Rt") if device.role == Role.ROUTER else ("caguid", "Ca")
    return f'{start}{word}={guid:#x}\n{kind}\t{device.ports} "{node_id(device)}"\t\t# "{device.description}"\n{lines}'


def _port_lines(wiring: Wiring, plane: int) -> Mapping[int, Sequence[tuple[int, str]]]:
    """Write both ends of every cable, by place of the device; an end that is silent has no line."""
    devices = wiring.devices
    lines: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for cable in wiring.cables:
        a, b = devices[cable.a], devices[cable.b]
        if a.plane != plane:
            continue
        speed = cable.width + cable.speed
        # A device that only the other end speaks of has a record all the same.
        a_lines, b_lines = lines[cable.a], lines[cable.b]
        if cable.sides & ONLY_A:
            a_lines.append((cable.a_port, _line(a, cable.a_port, b, cable.b_port, speed)))
        if cable.sides & ONLY_B:
            b_lines.append((cable.b_port, _line(b, cable.b_port, a, cable.a_port, speed)))
    return lines


def _line(near: Device, port: int, far: Device, far_port: int, speed: str) -> str:
    peer = f'"{node_id(far)}"[{far_port}]'
    if far.role != Role.SWITCH:
        peer += f"({far.port_guid(far_port):x}) "
    if near.role == Role.SWITCH:
        return f'[{port}]\t{peer}\t\t# "{far.description}" lid {far.lid} {speed}\n'
    return (
        f"[{port}]({near.port_guid(port):x}) \t{peer}\t\t"
        f'# lid {near.lid} lmc 0 "{far.description}" lid {far.lid} {speed}\n'
    )
