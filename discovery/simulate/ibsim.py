"""Writes a wiring as a net file that ibsim(1) loads: the same records, in the few words that its reader knows."""

from __future__ import annotations

from collections import defaultdict

from discovery.fabric import Role
from discovery.simulate.wiring import BOTH, Device, Wiring


def write_ibsim(wiring: Wiring) -> dict[str, bytes]:
    """Write one net file a plane, by file name; adapters come first because ibsim attaches to the first port."""
    many = wiring.planes > 1
    return {
        (f"ibsim-{plane}.net" if many else "ibsim.net"): _net(wiring, plane).encode() for plane in range(wiring.planes)
    }


def node_id(device: Device) -> str:
    """The id of a device in the net file and on ibsim's console."""
    return f"{'S' if device.role == Role.SWITCH else 'H'}-{device.guid:016x}"


def _net(wiring: Wiring, plane: int) -> str:
    """Routers are left out, because ibsim has none, and one-sided cables, because it checks both ends."""
    ports: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    devices = wiring.devices
    for cable in wiring.cables:
        a, b = devices[cable.a], devices[cable.b]
        if a.plane != plane or cable.sides != BOTH or Role.ROUTER in (a.role, b.role):
            continue
        width = cable.width.removesuffix("x")
        ports[cable.a].append((cable.a_port, f'[{cable.a_port}]\t"{node_id(b)}"[{cable.b_port}]\tw={width}\n'))
        ports[cable.b].append((cable.b_port, f'[{cable.b_port}]\t"{node_id(a)}"[{cable.a_port}]\tw={width}\n'))
    places = sorted(ports, key=lambda place: devices[place].role == Role.SWITCH)
    return "\n".join(_record(devices[place], sorted(ports[place])) for place in places)


def _record(device: Device, ports: list[tuple[int, str]]) -> str:
    switch = device.role == Role.SWITCH
    return (
        f"vendid=0x2c9\ndevid={device.model.device_id:#x}\nsysimgguid={device.system:#x}\n"
        f"{'switchguid' if switch else 'caguid'}={device.guid:#x}\n"
        f'{"Switch" if switch else "Hca"}\t{device.ports} "{node_id(device)}"\t\t# "{device.description}"\n'
        + "".join(line for _, line in ports)
    )
