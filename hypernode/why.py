"""Why a node is where it is: its links, their witnesses, the votes they make, and one sentence. Pure.

The evidence of a whole fabric is one JSON value, so that ``why`` answers from a store long after the sweep.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from discovery.fabric import Fabric
from discovery.join import switch_name
from discovery.observations import SPEEDS, WIDTHS
from hypernode.infer import Inference
from hypernode.report import of_finding
from hypernode.tree import Tree

VERSION = 1
_HOME, _FOREIGN, _STORAGE, _STRAY, _OTHER = "home", "foreign", "storage", "stray", "none"


def explain(node: str, fabric: Fabric, inference: Inference, tree: Tree) -> dict[str, Any]:
    """The answer of ``hypernode why NODE``; KeyError for a node that the fabric does not know."""
    return from_evidence(node, evidence(fabric, inference, tree, only=node))


def evidence(fabric: Fabric, inference: Inference, tree: Tree, only: str | None = None) -> dict[str, Any]:
    """Everything ``why`` and ``status`` need, as JSON; ``only`` restricts it to one node."""
    links = _links_by_node(fabric, inference, only)
    paths = tree.paths()
    names = _legal_names(tree)
    return {
        "version": VERSION,
        "columns": ["device", "adapter", "adapterPort", "switch", "switchPort", "speed", "gbps", "saidBy", "witness"],
        "nodes": dict(sorted(links.items())),
        "identity": _identities(fabric, links),
        "paths": {node: list(paths[name]) for node in links if (name := names.get(node, node)) in paths},
        "switches": _switches(fabric, inference, tree, links),
        "witnesses": [str(witness) for witness in fabric.witnesses],
        "unplaced": {one.node: [one.reason, one.message] for one in inference.unplaced if only in (None, one.node)},
        "findings": [of_finding(one) for one in inference.findings if only is None or only in one.nodes],
    }


def _legal_names(tree: Tree) -> dict[str, str]:
    """Host names that had to be changed for Kubernetes: {as heard: as written}."""
    names: dict[str, str] = {}
    for node in tree.hypernodes.values():
        text = node.annotations.get("hypernode.dev/original-names")
        if text:
            try:
                mapped = json.loads(text)
            except ValueError:
                continue
            names.update({original: legal for legal, original in mapped.items()})
    return names


def _identities(fabric: Fabric, nodes: Mapping[str, object]) -> dict[str, str]:
    """How each node was recognised, where it was not simply by its name."""
    known = zip(fabric.hosts.node, fabric.hosts.identity, strict=True)
    return {node: identity for node, identity in known if node in nodes and identity != "name"}


def _links_by_node(fabric: Fabric, inference: Inference, only: str | None) -> dict[str, list[list[Any]]]:
    """For each node its links, in the order of its devices; nodes without a link have an empty list."""
    network, devices, links = inference.evidence.network, fabric.devices, fabric.links
    by_node: dict[str, list[list[Any]]] = {node: [] for node in fabric.hosts.node if node and only in (None, node)}
    wanted = np.array([bool(node) and only in (None, node) for node in fabric.hosts.node], bool)
    rows = np.flatnonzero(wanted[network.host])
    link = network.link[rows]
    adapter = links.b[link]
    columns = zip(
        network.host[rows].tolist(),
        devices.label[adapter].tolist(),
        devices.guid[adapter].tolist(),
        links.b_port[link].tolist(),
        network.switch[rows].tolist(),
        links.a_port[link].tolist(),
        zip(links.width[link].tolist(), links.speed[link].tolist(), strict=True),
        links.gbps[link].tolist(),
        links.said_by[link].tolist(),
        links.witness[link].tolist(),
        strict=True,
    )
    for host, label, guid, port, switch, switch_port, (width, speed), gbps, said_by, witness in columns:
        text = f"{WIDTHS[width] or '?'} {SPEEDS[speed] or '?'}"
        row = [devices.labels[label], f"{guid:016x}", port, switch, switch_port, text, gbps or None, said_by, witness]
        by_node[fabric.hosts.node[host]].append(row)
    for found in by_node.values():
        found.sort(key=lambda row: (len(row[0]), row[0], row[1], row[2]))
    return by_node


def _switches(
    fabric: Fabric, inference: Inference, tree: Tree, nodes: Mapping[str, list[list[Any]]]
) -> dict[str, list[Any]]:
    """By row number: [GUID, name, HyperNode of the group that owns it or None, kind] of every switch that is named."""
    leaves, role = inference.evidence.leaves, inference.evidence.roles
    hypernode = _hypernode_of_group(fabric, inference, tree)
    table: dict[str, list[Any]] = {}
    for switch in sorted({row[3] for rows in nodes.values() for row in rows}):
        guid = int(fabric.devices.guid[switch])
        group = int(leaves.of_switch[switch])
        kind = _STORAGE if leaves.storage[switch] else _STRAY if role.upper[switch] else _HOME if group >= 0 else _OTHER
        name = switch_name(fabric.devices.name[switch], guid)
        table[str(switch)] = [f"{guid:016x}", name, hypernode.get(group), kind]
    return table


def _hypernode_of_group(fabric: Fabric, inference: Inference, tree: Tree) -> dict[int, str]:
    """The closest HyperNode of each leaf group, by the nodes that both hold."""
    paths, names = tree.paths(), _legal_names(tree)
    found: dict[int, Counter[str]] = defaultdict(Counter)
    pairs = zip(fabric.hosts.node, inference.evidence.group_of_host.tolist(), strict=True)
    for node, group in pairs:
        path = paths.get(names.get(node, node)) if node and group >= 0 else None
        if path:
            found[group][path[0]] += 1
    return {group: counter.most_common(1)[0][0] for group, counter in found.items()}


def from_evidence(node: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """``why`` out of stored evidence: node, path, links, votes, reason, findings. KeyError for an unknown node."""
    unplaced = known.get("unplaced", {})
    if node not in known["nodes"] and node not in unplaced:
        raise KeyError(node)
    path = list(known["paths"].get(node, ()))
    links = [_link(row, known, path) for row in known["nodes"].get(node, ())]
    votes = _votes(links)
    findings = [one for one in known.get("findings", ()) if node in one.get("nodes", ())]
    identity = known.get("identity", {}).get(node, "name")
    return {
        "node": node,
        "path": path,
        "links": links,
        "votes": votes,
        "reason": _reason(node, path, links, votes, unplaced.get(node), identity),
        "findings": [{key: value for key, value in one.items() if key != "nodes"} for one in findings],
    }


def _link(row: list[Any], known: Mapping[str, Any], path: list[str]) -> dict[str, Any]:
    device, adapter, port, switch, switch_port, speed, gbps, said_by, witness = row
    guid, name, group, kind = known["switches"][str(switch)]
    if kind == _HOME and group not in path:
        kind = _FOREIGN
    ends = [end for bit, end in ((1, "switch"), (2, "adapter")) if said_by & bit]
    return {
        "device": device or None,
        "adapter": adapter,
        "adapterPort": port,
        "switch": name,
        "switchGuid": guid,
        "switchPort": switch_port,
        "speed": speed,
        "gbps": gbps,
        "hyperNode": group,
        "place": kind,
        "saidBy": ends,
        "witness": known["witnesses"][witness],
    }


def _votes(links: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Links and bandwidth by the leaf group that owns the far switch, most first; storage has no vote."""
    count: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for link in links:
        if link["hyperNode"] is not None:
            count[link["hyperNode"]][0] += 1
            count[link["hyperNode"]][1] += link["gbps"] or 0.0
    ranked = sorted(count.items(), key=lambda one: (-one[1][1], -one[1][0], one[0]))
    return [{"hyperNode": name, "links": int(links), "gbps": gbps} for name, (links, gbps) in ranked]


_KNOWN_BY = {
    "guid": "known by the GUIDs it reports",
    "name": "known by its name",
    "card": "known by a card it shares with a named adapter",
}


def _reason(
    node: str,
    path: list[str],
    links: list[dict[str, Any]],
    votes: list[dict[str, Any]],
    unplaced: list[str] | None,
    identity: str,
) -> str:
    """One sentence that a person can repeat."""
    if unplaced is not None:
        return f"{node} has no place ({unplaced[0]}): {unplaced[1]}"
    if not path:
        return f"{node} has no place in the tree."
    known = _KNOWN_BY.get(identity, "known by its name")
    home = sum(1 for link in links if link["place"] == _HOME)
    if home == 0 and any(link["place"] == _STRAY for link in links):
        return f"{node}, {known}, is cabled to a switch that is no leaf: {path[0]} stands below that switch's group."
    text = f"{home} of {len(links)} links of {node}, {known}, lead to leaves of {path[0]}"
    others = [f"{vote['links']} to {vote['hyperNode']}" for vote in votes if vote["hyperNode"] not in path]
    stores = sum(1 for link in links if link["place"] == _STORAGE)
    others += [f"{stores} to a storage network, which has no vote"] if stores else []
    return f"{text}; {', '.join(others)}." if others else f"{text}."
