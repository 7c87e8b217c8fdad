"""Writes a wiring as a capture: the sweeps, what each host's sysfs says of its adapters, and the node list."""

from __future__ import annotations

from discovery.fabric import Role
from discovery.observations import LANE_GBPS, LANES, SPEEDS, WIDTHS
from discovery.simulate.damage import damaged_texts
from discovery.simulate.wiring import Cable, Device, Wiring


def write_capture(wiring: Wiring) -> dict[str, bytes]:
    """Write fabric/, hosts/NODE/sys/class/infiniband/ and nodes.txt, by path in the capture."""
    files = {f"fabric/{name}": text for name, text in damaged_texts(wiring).items()}
    recorded = {host.name for host in wiring.hosts if host.node and host.recorded}
    cables = {cable.a: cable for cable in wiring.cables}
    for place, device in enumerate(wiring.devices):
        if device.role == Role.ADAPTER and device.host in recorded:
            base = f"hosts/{device.host}/sys/class/infiniband/{device.device_name}"
            files |= {f"{base}/{name}": f"{text}\n".encode() for name, text in _sysfs(device, cables.get(place))}
    files["nodes.txt"] = "".join(f"{name}\n" for name in wiring.nodes()).encode()
    return files


def _sysfs(device: Device, cable: Cable | None) -> list[tuple[str, str]]:
    """What the kernel says of an adapter (Linux, Documentation/ABI/stable/sysfs-class-infiniband)."""
    return [
        ("node_guid", _groups(device.guid)),
        ("sys_image_guid", _groups(device.system)),
        ("node_desc", device.description),
        ("ports/1/state", "4: ACTIVE" if cable else "1: DOWN"),
        ("ports/1/link_layer", "InfiniBand"),
        ("ports/1/rate", _rate(cable)),
        ("ports/1/lid", f"{device.lid if cable else 0xFFFF:#x}"),
    ]


def _groups(guid: int) -> str:
    digits = f"{guid:016x}"
    return ":".join(digits[at : at + 4] for at in range(0, 16, 4))


def _rate(cable: Cable | None) -> str:
    """The rate as the kernel words it; a port without a link says what it could do at the least."""
    if cable is None or cable.speed not in SPEEDS:
        return "10 Gb/sec (4X SDR)"
    lanes = LANES[WIDTHS.index(cable.width)]
    return f"{lanes * LANE_GBPS[SPEEDS.index(cable.speed)]:g} Gb/sec ({lanes}X {cable.speed})"
