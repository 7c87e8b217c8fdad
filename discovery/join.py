"""Joins everything that was heard into one fabric: devices by GUID, cables by both ends, hosts by identity.

Pure and deterministic: the same observations in another order give the same fabric, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discovery.aliases import NodeNames
from discovery.cables import ends_of, join_ends
from discovery.fabric import Devices, Fabric, Hosts, Links
from discovery.findings import Finding, counted, found
from discovery.hosts import Identified, identify
from discovery.merging import Merged, merge
from discovery.observations import AdapterSeen, Sweep

_SHOWN = 5
"""So many names stand in a sentence; the rest is counted."""


def join(
    sweeps: Sequence[Sweep],
    adapters: Sequence[AdapterSeen] = (),
    nodes: Sequence[str] | None = None,
    name: str = "infiniband",
) -> Fabric:
    """One InfiniBand fabric from sweeps of all its subnets, the nodes' own adapters, and the cluster's node names.

    Without ``nodes`` every named host counts as a node. ValueError without a sweep: nothing was heard at all.
    """
    if not sweeps:
        raise ValueError("a fabric needs at least one sweep")
    sweeps = sorted(sweeps, key=_freshest_first)
    merged = merge(sweeps)
    known = None if nodes is None else NodeNames(nodes)
    seen = sorted(adapters, key=lambda one: (one.node, one.device))
    identified = identify(merged, seen, known)
    name_of = _namer(merged, identified)
    links, findings = join_ends(ends_of(sweeps, merged), merged, name_of)
    findings += identified.findings
    findings += _doubled_names(merged, identified, links, name_of)
    findings += _sweep_findings(sweeps, links)
    findings += _mentioned_only(sweeps, merged)
    return Fabric(
        kind="infiniband",
        name=name,
        devices=_devices(merged, identified),
        links=links,
        hosts=identified.hosts,
        witnesses=tuple(sweep.witness for sweep in sweeps),
        findings=tuple(sorted(findings)),
        unheard=_unheard(identified.hosts, known, seen),
    )


def _freshest_first(sweep: Sweep) -> tuple[int, str, str]:
    """Where two sweeps disagree the larger one speaks first; after that only the name of the recording counts."""
    return -len(sweep.ends.port), sweep.witness.source, sweep.witness.node or ""


def _devices(merged: Merged, identified: Identified) -> Devices:
    return Devices(
        role=merged.role,
        guid=merged.guid,
        system=merged.system,
        lid=merged.lid,
        ports=merged.ports,
        host=identified.host,
        defined=merged.defined,
        vague=merged.vague,
        witness=merged.names.sweep,
        name=merged.names,
        label=identified.label,
        labels=identified.labels,
    )


def _namer(merged: Merged, identified: Identified) -> Callable[[int], str]:
    """How findings call a device: an adapter by its host and label, a switch by its description, all else by GUID."""

    def name(device: int) -> str:
        host = int(identified.host[device])
        if host >= 0 and identified.hosts.name[host]:
            return f"{identified.hosts.name[host]} {identified.labels[identified.label[device]]}".strip()
        return switch_name(merged.names[device], int(merged.guid[device]))

    return name


def switch_name(description: str, guid: int) -> str:
    """A switch's own name out of ``MF0;NAME:MODEL/U1``; its GUID where the description is a factory's or empty."""
    text = description.removeprefix("MF0;").strip()
    if not text or "Mellanox Technologies" in text or text == "Mellanox":
        return f"{guid:016x}"
    base, colon, unit = text.rpartition(":")
    board = unit.partition("/")[2] if colon else ""
    return f"{base}/{board}" if board and board != "U1" else base if colon else text


def _doubled_names(merged: Merged, identified: Identified, links: Links, name: Callable[[int], str]) -> list[Finding]:
    """Names that more than one machine carries, and where the adapters are cabled that show it."""
    hosts, labels = identified.hosts, identified.labels
    doubtful = np.zeros(len(hosts.name) + 1, bool)
    doubtful[list(hosts.doubtful)] = True
    ends: dict[int, dict[str, dict[str, int]]] = {host: {} for host in sorted(hosts.doubtful)}
    for row in np.flatnonzero(doubtful[identified.host[links.b]]).tolist():
        device = int(links.b[row])
        label = labels[identified.label[device]] or "an adapter"
        place = f"{name(int(links.a[row]))} port {links.a_port[row]}"
        ends[int(identified.host[device])].setdefault(label, {})[place] = int(merged.system[device])
    findings = []
    for host, seats in ends.items():
        twice = {label: cards for label, cards in seats.items() if len(set(cards.values())) > 1} or seats
        listed = [f"{label} on {_some(list(cards), ' and ')}" for label, cards in sorted(twice.items())]
        detail, nodes = _some(listed, "; ") or "no adapter has a link", [hosts.node[host]] if hosts.node[host] else []
        called = hosts.name[host]
        findings.append(found("duplicate-hostname", called, name=called, detail=detail, nodes=nodes))
    return findings


def _some(words: Sequence[str], separator: str) -> str:
    """The first few of many words; the rest is counted."""
    more = len(words) - _SHOWN
    return separator.join([*words[:_SHOWN], *([f"{more} more"] if more > 0 else [])])


def _sweep_findings(sweeps: Sequence[Sweep], links: Links) -> list[Finding]:
    """What the recordings say about themselves."""
    findings: list[Finding] = []
    for sweep in sweeps:
        source, notes = sweep.witness.source, sweep.notes
        if notes.stderr_lines:
            findings.append(found("stderr-noise", source, source=source, lines=counted(notes.stderr_lines, "line")))
        if notes.truncated is not None:
            findings.append(found("truncated", source, source=source, line=notes.truncated))
        if notes.unread and notes.unread_sample:
            first = notes.unread_sample[0]
            lines, line = counted(notes.unread, "line"), first.number
            findings.append(found("unread-lines", source, source=source, lines=lines, line=line, text=first.text))
        for guid, line in notes.duplicates:
            findings.append(found("duplicate-record", str(guid), device=str(guid), source=source, line=line))
    unknown = int((links.speed == 0).sum())
    if unknown:
        findings.append(found("unknown-speed", links=counted(unknown, "link")))
    return findings


def _mentioned_only(sweeps: Sequence[Sweep], merged: Merged) -> list[Finding]:
    """Devices without a record in a text that seems whole: somebody cut it."""
    findings = []
    for number, sweep in enumerate(sweeps):
        rows = np.flatnonzero(merged.vague & (merged.names.sweep == number)).tolist()
        if rows:
            names = _some([merged.names[row] or f"{int(merged.guid[row]):016x}" for row in rows], ", ")
            source, devices = sweep.witness.source, counted(len(rows), "device")
            findings.append(found("mentioned-only", source, source=source, devices=devices, names=names))
    return findings


def _unheard(
    hosts: Hosts, nodes: NodeNames | None, adapters: Sequence[AdapterSeen]
) -> tuple[tuple[str, str, str], ...]:
    """Cluster nodes for which no adapter was found, with the reason."""
    if nodes is None:
        return ()
    present = set(hosts.node)
    reporting = {seen.node for seen in adapters if (seen.link_layer or "InfiniBand").lower() == "infiniband"}
    unnamed = sum(1 for name in hosts.name if not name)
    rows = []
    for node in sorted(set(nodes.names) - present):
        if node in reporting:
            rows.append((node, "no-compute-link", "It reports InfiniBand adapters, and no sweep shows any of them."))
        elif unnamed:
            message = f"No adapter carries its name; {unnamed} adapters carry no name at all, and it reports no GUIDs."
            rows.append((node, "no-identity", message))
        else:
            rows.append((node, "not-heard", "No adapter in the fabric carries its name or a GUID that it reports."))
    return tuple(rows)
