"""InfiniBand adapters as Linux shows them below /sys/class/infiniband (sysfs-class-infiniband in the kernel's ABI)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from discovery.identities import Guid, Witness
from discovery.observations import AdapterSeen

NAME = "infiniband-sysfs"
ATTRIBUTES = ("node_guid", "sys_image_guid", "node_desc", "hca_type", "board_id", "fw_ver", "node_type")
"""What is read of each adapter ..."""
PORT_ATTRIBUTES = ("state", "phys_state", "rate", "lid", "sm_lid", "link_layer", "gids/0")
"""... and of each of its ports; all of it optional."""

_DEVICE = re.compile(r"(?P<device>[!-.0-~]{1,64})/(?P<rest>.+)\Z")
_PORT = re.compile(r"ports/(?P<port>\d{1,3})/(?P<attribute>.+)\Z")
_MOST_TEXT = 256


def wanted(path: str) -> bool:
    """Whether ``parse`` knows this file, named relative to ``/sys/class/infiniband`` (``mlx5_0/node_guid``)."""
    device = _DEVICE.match(path)
    if device is None:
        return False
    port = _PORT.match(device["rest"])
    return port["attribute"] in PORT_ATTRIBUTES if port else device["rest"] in ATTRIBUTES


def parse(files: Mapping[str, str], node: str, witness: Witness) -> tuple[AdapterSeen, ...]:
    """Adapters of one node from any subset of the files, named as for ``wanted``; what is odd is left out."""
    devices: dict[str, dict[str, str]] = {}
    for path in sorted(files):
        match = _DEVICE.match(path)
        if match is not None and wanted(path):
            devices.setdefault(match["device"], {})[match["rest"]] = files[path].strip()[:_MOST_TEXT]
    return tuple(_adapter(device, found, node, witness) for device, found in devices.items())


def _adapter(device: str, found: Mapping[str, str], node: str, witness: Witness) -> AdapterSeen:
    ports = sorted({int(match["port"]) for match in map(_PORT.match, found) if match})
    layers = {layer for port in ports if (layer := found.get(f"ports/{port}/link_layer"))}
    gids = [_port_guid(found.get(f"ports/{port}/gids/0", "")) for port in ports]
    return AdapterSeen(
        node=node,
        device=device,
        witness=witness,
        node_guid=_guid(found.get("node_guid", "")),
        system_guid=_guid(found.get("sys_image_guid", "")),
        port_guids=tuple(guid for guid in gids if guid is not None),
        link_layer=layers.pop() if len(layers) == 1 else None,
        facts={key: text for key, text in found.items() if not key.endswith(("node_guid", "sys_image_guid", "gids/0"))},
    )


def _guid(text: str) -> Guid | None:
    """A GUID, or None for what is none: virtual functions and unplugged cards show zeros."""
    try:
        return Guid.parse(text)
    except ValueError:
        return None


def _port_guid(gid: str) -> Guid | None:
    """The lower half of GID 0: the port's GUID on InfiniBand (IBTA 4.1.1), the shadow of a MAC on Ethernet."""
    groups = gid.split(":")
    if len(groups) != 8 or groups[0].lower() != "fe80":
        return None
    return _guid(":".join(groups[4:]))
