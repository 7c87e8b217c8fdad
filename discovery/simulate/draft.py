"""A fabric while it is being cabled: hands out GUIDs, names and free ports, and ends as a Wiring."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from discovery.fabric import Role
from discovery.simulate.dice import Dice
from discovery.simulate.wiring import CONNECTX7, Cable, Damage, Device, Expected, Host, Model, Wiring

SWITCH_OUI = 0x2C5EAB03_00000000
ADAPTER_OUI = 0xC42A103_00000000
SERIALS = 1 << 20


class Draft:
    """Mutable on purpose: kinds and faults change it step by step, nobody else sees it."""

    def __init__(self, kind: str, seed: int) -> None:
        self.kind = kind
        self.dice = Dice(seed)
        self.planes = 1
        self.devices: list[Device] = []
        self.cables: list[Cable] = []
        self.hosts: dict[str, Host] = {}
        self.expected: list[Expected] = []
        self.damages: list[Damage] = []
        self.touched: set[str] = set()
        """Hosts and switches that a fault has changed: the next one takes others, so that the truth stays known."""
        self._free: defaultdict[int, int] = defaultdict(lambda: 1)
        # An odd factor scatters serial numbers over their whole range without repeating one, so that the order of
        # GUIDs says as little about places as it does in a real machine room.
        self._factor = 2 * self.dice.below(SERIALS // 2) + 1
        self._serial = self.dice.below(SERIALS)

    def _guid(self, base: int, step: int) -> int:
        self._serial += 1
        if len(self.devices) >= SERIALS:
            raise ValueError(f"a simulated fabric holds at most {SERIALS:,} devices")
        return base + step * (self._serial * self._factor % SERIALS)

    def switch(self, name: str, model: Model, level: str, unit: str, plane: int = 0) -> int:
        """Put up a switch; its place among the devices."""
        guid = self._guid(SWITCH_OUI, 16)
        # The 65th (145th) port belongs to the aggregation node inside.
        self.devices.append(
            Device(
                Role.SWITCH, guid, guid, model, model.ports + 1, f"MF0;{name}:{model.name}/U1", 0, level, unit, plane
            )
        )
        return len(self.devices) - 1

    def adapter(self, host: str, device_name: str, plane: int = 0) -> int:
        """Plug an adapter into a host; its place among the devices."""
        guid = self._guid(ADAPTER_OUI, 16)
        self.devices.append(
            Device(
                Role.ADAPTER,
                guid,
                guid,
                CONNECTX7,
                CONNECTX7.ports,
                f"{host} {device_name}",
                0,
                plane=plane,
                host=host,
                device_name=device_name,
            )
        )
        return len(self.devices) - 1

    def inside(self, switch: int, role: Role, model: Model, description: str) -> int:
        """Put up a device of the fabric itself that is neither switch nor adapter, in the plane of this switch."""
        guid = self._guid(ADAPTER_OUI, 16)
        plane = self.devices[switch].plane
        system = self.devices[switch].guid if role == Role.AGGREGATION else guid
        self.devices.append(Device(role, guid, system, model, model.ports, description, 0, plane=plane))
        return len(self.devices) - 1

    def room(self, place: int) -> int:
        """How many ports of a device are free; the last of a switch is kept for its aggregation node."""
        device = self.devices[place]
        return device.ports - (device.role == Role.SWITCH) - self._free[place] + 1

    def free_port(self, place: int) -> int:
        """Take the next free port of a device; ValueError where it has none."""
        if self.room(place) < 1:
            raise ValueError(f"{self.devices[place].description} has no free port: use fewer hosts, rails or faults")
        self._free[place] += 1
        return self._free[place] - 1

    def cable(self, a: int, b: int, speed: str = "NDR") -> None:
        """Join the next free ports of two devices."""
        self.cables.append(Cable(a, self.free_port(a), b, self.free_port(b), speed=speed))

    def finish(self) -> Wiring:
        """Number the LIDs, switches first as OpenSM meets them, and freeze everything."""
        lids: defaultdict[int, int] = defaultdict(int)
        devices = list(self.devices)
        for switches in (True, False):
            for place, device in enumerate(devices):
                if (device.role == Role.SWITCH) == switches:
                    lids[device.plane] += 1
                    devices[place] = replace(device, lid=lids[device.plane])
        return Wiring(
            self.kind,
            self.planes,
            tuple(devices),
            tuple(self.cables),
            tuple(self.hosts.values()),
            tuple(sorted(self.expected)),
            tuple(self.damages),
        )
