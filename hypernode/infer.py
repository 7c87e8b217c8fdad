"""From a fabric to a tree of groups: roles, leaf groups, upper tiers, tops; every decision kept for ``why``. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, Bool
from discovery.fabric import Fabric
from discovery.findings import Finding, found
from discovery.join import switch_name
from hypernode.inference.cabling import Cabling, cabling_findings
from hypernode.inference.leaves import LeafGroups, leaf_groups
from hypernode.inference.net import Net, net
from hypernode.inference.roles import Likeness, Roles, roles
from hypernode.inference.shape import groups_of
from hypernode.inference.tiers import Climb, climb
from hypernode.inference.trunks import trunk_findings
from hypernode.planes import Planes, matching
from hypernode.tree import Group

CONFLICT = 0.75
"""A name claimed by two machines is placed only where this share of its links agrees on one group."""


@dataclass(frozen=True, slots=True, order=True)
class Unplaced:
    """A cluster node without a place: reason is no-identity, not-heard, no-compute-link, storage-only or conflict."""

    node: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Evidence:
    """What the decisions were made from, for ``why``: the net, the roles, the leaf groups and the climb."""

    network: Net
    roles: Roles
    leaves: LeafGroups
    climb: Climb
    group_of_host: I32
    """The leaf group of each host, strays and settled conflicts included; -1: none."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Inference:
    """The tree as groups from the roots down, the nodes without a place, all findings, and the evidence."""

    groups: tuple[Group, ...]
    unplaced: tuple[Unplaced, ...]
    findings: tuple[Finding, ...]
    evidence: Evidence


def infer(
    fabric: Fabric, tier_names: Sequence[str] = ("leaf", "spine", "core"), planes: Planes | None = None
) -> Inference:
    """Find the tree. ``tier_names`` from the nodes upward; further tiers are called LAST-2, LAST-3, …

    ``planes`` names storage and compute switches where structure alone would get them wrong.
    """
    network = net(fabric)
    storage, compute = _named_planes(network, planes)
    likeness = Likeness(network)
    trusted = np.array([bool(name) for name in fabric.hosts.name], bool)
    trusted[list(fabric.hosts.doubtful)] = False
    above: frozenset[int] = frozenset()
    while True:
        role = roles(network, likeness, above)
        leaves = leaf_groups(network, role.leaf, trusted, storage, compute)
        strays, group_of_host = _strays(network, role, leaves)
        climbed = climb(network, role, leaves, likeness, strays)
        if climbed.spans <= above:
            break
        above |= climbed.spans
    group_of_host = _settled(network, leaves, group_of_host)
    evidence = Evidence(network, role, leaves, climbed, group_of_host)
    placed = _placed(fabric, group_of_host)
    groups = groups_of(network, climbed, group_of_host, placed, tuple(tier_names))
    unplaced = _unplaced(evidence)
    findings = (*fabric.findings, *_findings(evidence, groups, unplaced))
    return Inference(groups, unplaced, tuple(sorted(set(findings))), evidence)


def _named_planes(network: Net, planes: Planes | None) -> tuple[Bool, Bool]:
    """Masks of the switches that the configuration calls storage and compute."""
    if not planes:
        return np.zeros(network.switches, bool), np.zeros(network.switches, bool)
    devices = network.fabric.devices
    guids = devices.guid[: network.switches].tolist()
    texts = [devices.name[row] for row in range(network.switches)]
    names = [(text, switch_name(text, guid), f"{guid:016x}") for text, guid in zip(texts, guids, strict=True)]
    storage = np.array(matching(planes.storage, names), np.bool_)
    compute = np.array(matching(planes.compute, names), np.bool_)
    return storage & ~compute, compute


def _placed(fabric: Fabric, group_of_host: I32) -> Bool:
    """Hosts that become members: cluster nodes with a group."""
    is_node = np.array([bool(node) for node in fabric.hosts.node], bool)
    return is_node & (group_of_host >= 0)


def _strays(network: Net, role: Roles, leaves: LeafGroups) -> tuple[dict[int, dict[int, float]], I32]:
    """Hosts that only hang on switches which are no leaves: a group of their own for each set of such switches."""
    group_of_host = leaves.of_host.copy()
    named = np.array([bool(name) for name in network.fabric.hosts.name], bool)
    rows = np.flatnonzero(role.upper[network.switch] & (leaves.of_host[network.host] < 0) & named[network.host])
    hanging: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for row in rows.tolist():
        hanging[int(network.host[row])][int(network.switch[row])] += float(network.gbps[row])
    by_switches: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for host, switches in hanging.items():
        best = max(switches, key=lambda s: (switches[s], -s))
        by_switches[(best,)].append(host)
    strays: dict[int, dict[int, float]] = {}
    for number, (_, hosts) in enumerate(sorted(by_switches.items())):
        joint: dict[int, float] = defaultdict(float)
        for host in hosts:
            group_of_host[host] = leaves.count + number
            for switch, gbps in hanging[host].items():
                joint[switch] += gbps
        strays[leaves.count + number] = dict(joint)
    return strays, group_of_host


def _settled(network: Net, leaves: LeafGroups, group_of_host: I32) -> I32:
    """Place hosts of doubtful identity where nearly all of their links agree, and nowhere else."""
    settled = group_of_host.copy()
    for host in network.fabric.hosts.doubtful:
        votes = votes_of(network, leaves, host)
        total = sum(votes.values())
        best = max(votes, key=lambda group: (votes[group], -group), default=-1)
        settled[host] = best if votes and votes[best] >= CONFLICT * total else -1
    return settled


def votes_of(network: Net, leaves: LeafGroups, host: int) -> dict[int, float]:
    """Bandwidth of a host's links by the leaf group that owns the far switch; storage and strays don't vote."""
    votes: dict[int, float] = defaultdict(float)
    for row in np.flatnonzero(network.host == host).tolist():
        group = int(leaves.of_switch[network.switch[row]])
        if group >= 0:
            votes[group] += float(network.gbps[row])
    return dict(votes)


def _unplaced(evidence: Evidence) -> tuple[Unplaced, ...]:
    """Cluster nodes without a group, with the reason."""
    network, hosts = evidence.network, evidence.network.fabric.hosts
    rows = [Unplaced(node, reason, message) for node, reason, message in network.fabric.unheard]
    linked = np.bincount(network.host, minlength=network.hosts) > 0
    for host, node in enumerate(hosts.node):
        if not node or evidence.group_of_host[host] >= 0:
            continue
        if not linked[host]:
            message = "Its adapters are known, none of them has a link to a switch."
            rows.append(Unplaced(node, "no-compute-link", message))
        elif host in hosts.doubtful:
            message = "Two machines carry its name, and their links lead to different groups."
            rows.append(Unplaced(node, "conflict", message))
        else:
            switches = sorted({int(s) for s in network.switch[network.host == host]})
            storage = all(evidence.leaves.storage[s] for s in switches)
            reason = "storage-only" if storage else "no-compute-link"
            message = "The links it has left lead to a storage network only."
            rows.append(Unplaced(node, reason, message))
    return tuple(sorted(rows))


def _findings(evidence: Evidence, groups: Sequence[Group], unplaced: Sequence[Unplaced]) -> list[Finding]:
    """What inference noticed: shape first, then cables, then nodes without a place."""
    cabling = Cabling.of(evidence.network, evidence.roles, evidence.leaves, evidence.group_of_host)
    findings = [*cabling_findings(cabling), *trunk_findings(cabling, evidence.climb)]
    if len(groups) > 1:
        findings.append(found("forest", count=len(groups)))
    for one in unplaced:
        hint = _HINTS[one.reason]
        reason = f"{one.reason}: {one.message[0].lower()}{one.message[1:].rstrip('.')}"
        findings.append(found("unplaced", one.node, node=one.node, nodes=[one.node], reason=reason, hint=hint))
    return findings


_HINTS = {
    "no-identity": "Run rdma-ndd on the node, or record its /sys/class/infiniband.",
    "not-heard": "Check that the sweep covers the node's subnet and that the node is up.",
    "no-compute-link": "Check the node's InfiniBand cables and ports: ibstat.",
    "storage-only": "Check the node's compute cables, or name the planes in the configuration.",
    "conflict": "Give each machine its own host name, or record the nodes' GUIDs.",
}
