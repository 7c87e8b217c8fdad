"""The catalogue of findings: everything that may be told about a fabric, with its severity and what to do next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How much a finding matters: info needs nobody, warning needs somebody, error needs somebody now."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Kind(NamedTuple):
    """One row of the catalogue: the name people grep for, its severity, the sentence and the hint (both templates)."""

    name: str
    severity: Severity
    sentence: str
    hint: str


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One oddity: what kind, which objects (the first is what it is about), the sentence and the next step."""

    kind: str
    objects: tuple[str, ...]
    severity: Severity
    message: str
    hint: str
    nodes: tuple[str, ...] = ()
    """The cluster nodes it touches, so that conditions and ``why`` can pick it up."""
    lost: float = 0.0
    """How many links it takes away, for summaries."""


def _rows(severity: Severity, rows: Iterable[tuple[str, str, str]]) -> dict[str, Kind]:
    return {name: Kind(name, severity, sentence, hint) for name, sentence, hint in rows}


CATALOGUE: dict[str, Kind] = {
    **_rows(
        Severity.ERROR,
        [
            (
                "duplicate-guid",
                "{a} and {b} carry the same GUID {guid}.",
                "Replace or reflash one of the two adapters.",
            ),
            (
                "duplicate-hostname",
                "Two machines call themselves {name}: {detail}.",
                "Give each machine its own host name, then restart rdma-ndd.",
            ),
            ("unplaced", "{node} has no place in the tree: {reason}.", "{hint}"),
            ("probe-failed", "{source} could not be read: {reason}.", "{hint}"),
        ],
    ),
    **_rows(
        Severity.WARNING,
        [
            (
                "dead-hca-link",
                "{host} has {left} to {switch} ({rail}); {have} of {of} hosts of its group have all.",
                "Check the cable and port state: ibstat on {host}, or ibnetdiscover -p.",
            ),
            (
                "dead-uplink",
                "{switch} has {left} to {peer}{free}.",
                "Check the cables between the two switches.",
            ),
            (
                "link-down",
                "{switch} port {port} is down.",
                "Check the cable, or disable the port if it is spare.",
            ),
            (
                "miscabled-hca",
                "{host} {device} is cabled to {switch} port {port}, its place is {home}.",
                "Move the cable; the node keeps its place meanwhile.",
            ),
            (
                "rail-swap",
                "{host} {device} is on {switch} port {port}, the leaf of {other}; the group is the same.",
                "Swap the cables back.",
            ),
            ("miscabled-uplink", "{switch} port {port} goes to {peer} of another group.", "Move the cable."),
            (
                "one-sided-link",
                "{a} port {port} says it is cabled to {b} port {peer_port}, which {says}.",
                "Read the subnet again; if it stays, reseat the cable.",
            ),
            (
                "slow-link",
                "{a} port {port} to {b} runs at {speed}, its peers at {usual}.",
                "Reseat or replace the cable, check the port's configured speed.",
            ),
            (
                "missing-switch",
                "{detail}.",
                "Check the switch's power and its uplinks.",
            ),
            (
                "stray-host",
                "{host} is cabled to {switch}, which is no leaf.",
                "Move the cable to a leaf, or leave it: it is placed below that switch.",
            ),
            (
                "default-description",
                "{device} shows its factory description {text!r}, so it names no host.",
                "Run rdma-ndd on the host, or record its /sys/class/infiniband (docs/cluster.md).",
            ),
            (
                "description-contradicts-guid",
                "{node}'s adapters call themselves {name}; its GUIDs say {node}.",
                "Restart rdma-ndd on {node}.",
            ),
            (
                "stale-guid",
                "{node} reports adapter {device} ({guid}), no sweep shows it.",
                "Check the link, and that the sweep covers its subnet.",
            ),
            (
                "not-a-tree",
                "{detail}",
                "Nothing to do: groups of switches are joined by distance instead of by levels.",
            ),
            (
                "truncated",
                "{source} breaks off at line {line}; what was read is used.",
                "Record it again: ibnetdiscover > FILE.",
            ),
            (
                "duplicate-record",
                "{device} has a second record in {source} line {line}; the first is used.",
                "Record the subnet again.",
            ),
            (
                "conflicting-link",
                "{a} port {port} is said to be cabled to {b} and to {c}.",
                "Read the subnet again; the newer reading is usually right.",
            ),
            (
                "broken-hypernode",
                "{name} is left alone, because it cannot be used: {reason}.",
                "Correct it or move it away.",
            ),
            (
                "tie",
                "{host} is cabled to {groups} alike; it went with its lowest port.",
                "Move one of its cables.",
            ),
        ],
    ),
    **_rows(
        Severity.INFO,
        [
            ("disconnected", "{name} is connected to nothing that holds a node.", "Check its uplinks."),
            (
                "unknown-speed",
                "The recording tool did not know the speed of {links}.",
                "Use rdma-core 49 or newer.",
            ),
            (
                "same-level-link",
                "{a} {ports} and {b} {peer_ports} are cabled to each other on the same level.",
                "Nothing to do if it is meant.",
            ),
            (
                "self-loop",
                "{switch} ports {port} and {peer_port} are cabled to each other.",
                "Remove the loop cable.",
            ),
            (
                "forest",
                "The fabric falls into {count} parts that are not connected.",
                "Nothing to do if it is meant: each is a tree of its own.",
            ),
            ("empty-leaf", "{switch} is a leaf without hosts.", "Nothing to do if it is spare."),
            (
                "storage-plane",
                "Left out as a storage network, because it serves hosts of several groups: {switches}.",
                "Name the planes in the configuration if this is wrong.",
            ),
            (
                "management-plane",
                "Left out as a management network: {switches}.",
                "Name the planes in the configuration if this is wrong.",
            ),
            (
                "mentioned-only",
                "{source} has no record of {devices} that only neighbours mention: {names}.",
                "Read the whole subnet, or give a node list: nodes that it names are placed all the same.",
            ),
            (
                "stderr-noise",
                "{source} has {lines} of error output mixed in; the fabric may be partial.",
                "Keep stderr apart: ibnetdiscover 2>errors.txt.",
            ),
            (
                "unread-lines",
                "Not understood in {source}: {lines}, the first is line {line}: {text}",
                "Report it with the file if something is missing.",
            ),
            ("unrecognised-file", "{source} is no kind of output that we know.", "Remove it, or report it."),
            (
                "foreign-hypernode",
                "{name} is not ours and is left alone: {reason}.",
                "Give it the label volcano.sh/network-topology-source=hypernode-autogen to hand it over.",
            ),
        ],
    ),
}


def counted(number: int, word: str) -> str:
    """``1 link``, ``2,304 links``, ``3 switches``."""
    ending = "" if number == 1 else "es" if word.endswith(("s", "ch", "x")) else "s"
    return f"{number:,} {word}{ending}"


def found(kind: str, *objects: str, nodes: Iterable[str] = (), lost: float = 0.0, **words: object) -> Finding:
    """Make a finding of the catalogue; KeyError for a kind or word that it does not know (our defect)."""
    row = CATALOGUE[kind]
    return Finding(
        kind,
        tuple(objects),
        row.severity,
        row.sentence.format(**words),
        row.hint.format(**words),
        tuple(nodes),
        lost,
    )
