"""Writes a wiring as a net file that ibsim(1) loads: ibnetdiscover's text within what the simulator knows."""

from __future__ import annotations

from dataclasses import replace

from discovery.fabric import Role
from discovery.simulate.ibnetdiscover import node_id, write_records
from discovery.simulate.wiring import BOTH, Cable, Wiring

SPEEDS = ("SDR", "DDR", "QDR", "FDR", "EDR", "HDR")
"""What ibsim 0.10 can read; anything else runs at its fastest."""


def write_ibsim(wiring: Wiring) -> dict[str, bytes]:
    """Write one net file a plane, by file name; adapters come first because clients attach to the first port."""
    known = replace(wiring, cables=tuple(_within_reach(wiring)))
    texts = {}
    for plane in range(wiring.planes):
        records = write_records(known, plane)
        records.sort(key=lambda record: "\nswitchguid=" in record)
        texts["ibsim.net" if wiring.planes == 1 else f"ibsim-{plane}.net"] = "".join(records).encode()
    return texts


def _within_reach(wiring: Wiring) -> list[Cable]:
    """Cables that ibsim can simulate: no routers, no second device with a GUID, no switch joined to itself."""
    firsts: dict[int, int] = {}
    for place, device in enumerate(wiring.devices):
        if device.role != Role.ROUTER:
            firsts.setdefault(device.guid, place)
    simulated = set(firsts.values())
    cables = []
    for cable in wiring.cables:
        if cable.a != cable.b and {cable.a, cable.b} <= simulated:
            speed = cable.speed if cable.speed in SPEEDS else SPEEDS[-1]
            cables.append(replace(cable, speed=speed, sides=BOTH))
    return cables


def unlink(wiring: Wiring, cable: Cable) -> str:
    """The console command that takes a cable away."""
    return f"Unlink {_end(wiring, cable)}\n"


def relink(wiring: Wiring, cable: Cable) -> str:
    """The console command that plugs a cable in again that ``unlink`` took away."""
    return f"ReLink {_end(wiring, cable)}\n"


def _end(wiring: Wiring, cable: Cable) -> str:
    return f'"{node_id(wiring.devices[cable.a])}"[{cable.a_port}]'
