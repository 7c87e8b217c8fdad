"""What nodes say of their own adapters (sysfs GUIDs) against what the sweep shows: the strongest evidence there is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32
from discovery.findings import Finding, found
from discovery.merging import Merged
from discovery.observations import AdapterSeen
from discovery.tokens import Split


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reported:
    """For each adapter row the host that reports its GUID (-1: none), and for each host what it reports."""

    code: I32
    device: dict[int, str]
    """By adapter row: the device name (``mlx5_0``) that its node reports."""
    devices: dict[int, frozenset[bytes]]
    """By host code: the device names of which the GUID was reported."""
    shared: tuple[tuple[str, str, str], ...]
    """GUIDs that two nodes report: (GUID, node, node)."""
    unseen: tuple[AdapterSeen, ...]
    """Reported InfiniBand adapters that no sweep shows."""
    by_guid: frozenset[str]
    """Nodes that at least one adapter was found for."""

    @classmethod
    def of(cls, merged: Merged, rows: I32, adapters: Sequence[AdapterSeen], code_of: Callable[[str], int]) -> Reported:
        """Match by node GUID first, then by card (system image GUID) where only one node has it."""
        if not adapters:
            return cls(np.full(len(rows), -1, np.int32), {}, {}, (), (), frozenset())
        infiniband = [seen for seen in adapters if (seen.link_layer or "InfiniBand").lower() == "infiniband"]
        nodes, shared = _owners((seen.node_guid.value, seen.node) for seen in infiniband if seen.node_guid)
        device_of = {(seen.node, seen.node_guid.value): seen.device for seen in infiniband if seen.node_guid}
        cards, _ = _owners((seen.system_guid.value, seen.node) for seen in infiniband if seen.system_guid)
        code = np.full(len(rows), -1, np.int32)
        device: dict[int, str] = {}
        if nodes or cards:
            guids, systems = merged.guid[rows].tolist(), merged.system[rows].tolist()
            for row, (guid, system) in enumerate(zip(guids, systems, strict=True)):
                node = nodes.get(guid) or (cards.get(system) if system else None)
                if node is not None:
                    code[row] = code_of(node)
                    device[row] = device_of.get((node, guid), "")
        devices: dict[int, set[bytes]] = defaultdict(set)
        for seen in infiniband:
            devices[code_of(seen.node)].add(seen.device.encode())
        known = set(merged.guid[rows].tolist())
        unseen = tuple(seen for seen in infiniband if seen.node_guid and seen.node_guid.value not in known)
        present = frozenset(nodes[guid] for guid in known if guid in nodes)
        by_host = {host: frozenset(names) for host, names in devices.items()}
        return cls(code, device, by_host, shared, unseen, present)

    def without_contradicted(self, heard: I32, parts: Split) -> I32:
        """Descriptions that still count: not those that name a device whose GUID its node reports differently."""
        trusted = heard.copy()
        if self.devices:
            for row in np.flatnonzero((heard >= 0) & (self.code < 0)).tolist():
                if parts.rests[parts.rest[row]] in self.devices.get(int(heard[row]), ()):
                    trusted[row] = -1
        return trusted

    def findings(self, heard: I32, spelled: Sequence[str], is_node: Callable[[int], bool]) -> list[Finding]:
        """Descriptions that name another node than the GUID does, GUIDs of two nodes, adapters nobody sees."""
        lies: dict[int, set[int]] = defaultdict(set)
        for row in np.flatnonzero((self.code >= 0) & (heard >= 0) & (heard != self.code)).tolist():
            if is_node(int(heard[row])):
                lies[int(self.code[row])].add(int(heard[row]))
        findings = [
            found(
                "description-contradicts-guid",
                spelled[node],
                *sorted(spelled[other] for other in others),
                node=spelled[node],
                name=", ".join(sorted(spelled[other] for other in others)),
                nodes=[spelled[node]],
            )
            for node, others in lies.items()
        ]
        findings += [found("duplicate-guid", a, b, a=a, b=b, guid=guid, nodes=[a, b]) for guid, a, b in self.shared]
        for seen in self.unseen:
            node, device, guid = seen.node, seen.device, str(seen.node_guid)
            findings.append(found("stale-guid", node, device, nodes=[node], node=node, device=device, guid=guid))
        return findings


def _owners(pairs: Iterable[tuple[int, str]]) -> tuple[dict[int, str], tuple[tuple[str, str, str], ...]]:
    """The one node of each GUID; GUIDs of two nodes belong to neither."""
    owners: dict[int, set[str]] = defaultdict(set)
    for guid, node in pairs:
        owners[guid].add(node)
    single = {guid: next(iter(names)) for guid, names in owners.items() if len(names) == 1}
    shared = [(f"{guid:016x}", *sorted(names)) for guid, names in sorted(owners.items()) if len(names) > 1]
    return single, tuple((guid, a, b) for guid, a, b, *_ in shared)
