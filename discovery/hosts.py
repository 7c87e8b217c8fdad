"""Which adapter is in which host: GUIDs that nodes report first, descriptions next, then the card they share.

Never a name alone when a GUID contradicts; a factory description or "localhost" names nobody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discovery.aliases import NodeNames, plain, plain_all
from discovery.arrays import I32, I64, U64, Bool
from discovery.distinct import among, distinct
from discovery.fabric import Hosts, Role
from discovery.findings import Finding, counted, found
from discovery.merging import Merged
from discovery.observations import AdapterSeen
from discovery.reported import Reported
from discovery.tokens import Split, split

_FACTORY = re.compile(rb"MT\d{3,6}(_|\Z)|Mellanox|InfiniHost|ConnectX|HCA-\d+\Z|mlx\d_\d+\Z|hfi1_\d+\Z")
"""First words that a factory description may begin with (``MT4129 ConnectX7   Mellanox Technologies``)."""
_FACTORY_TEXT = re.compile(rb"Mellanox Tech|InfiniHost|ConnectX|\A(HCA-|mlx\d_|hfi1_)\d+\Z", re.IGNORECASE)
_NOBODY = frozenset({b"localhost", b"localhost.localdomain", b"(none)", b"none", b"unknown"})
"""What a machine calls itself before it has a host name: several machines may say it at once."""

HABIT = 0.5
"""Where more than this share of the hosts show one device name on several cards it is their way of naming (four planes
of one XDR port, say), not a host name that was given twice."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Identified:
    """Hosts, the host of each device (-1: none), the label of each device, and what does not fit."""

    hosts: Hosts
    host: I32
    label: I32
    labels: tuple[str, ...]
    findings: list[Finding]


class HostNames:
    """Codes for host names: one code a machine, however it is spelled."""

    def __init__(self, nodes: NodeNames | None) -> None:
        self.nodes = nodes
        self.spelled: list[str] = []
        self._codes: dict[str, int] = {}

    def of(self, name: str) -> int:
        """The code of this name."""
        code = self._codes.setdefault(plain(name), len(self.spelled))
        if code == len(self.spelled):
            self.spelled.append(name)
        return code

    def _all_of(self, texts: list[str]) -> I32:
        """The codes of many names; -1 for an empty one."""
        codes = []
        for text, spelling in zip(texts, plain_all(texts), strict=True):
            code = self._codes.setdefault(spelling, len(self.spelled)) if text else -1
            if code == len(self.spelled):
                self.spelled.append(text)
            codes.append(code)
        return np.array(codes or [-1], np.int32)

    def heard(self, words: Sequence[bytes]) -> I32:
        """The codes of the hosts that descriptions' first words name; -1 where one names nobody."""
        texts = [word.decode("utf-8", "replace") for word in words]
        if self.nodes is None:
            return self._all_of(texts)
        codes = []
        for word, text in zip(words, texts, strict=True):
            known = self.nodes.match(text)
            nobody = known is None and (not word or word.lower() in _NOBODY)
            codes.append(-1 if nobody else self.of(known or text))
        return np.array(codes or [-1], np.int32)

    def is_node(self, code: int) -> bool:
        """Whether it is a node of the cluster; without a node list every named host is."""
        return self.nodes is None or self.spelled[code] in self.nodes


def identify(merged: Merged, adapters: Sequence[AdapterSeen], nodes: NodeNames | None) -> Identified:
    """Give every adapter its host; adapters that nobody knows become unnamed hosts, one a card."""
    rows = np.flatnonzero(merged.role == Role.ADAPTER).astype(np.int32)
    parts = _split_all(merged, rows)
    names = HostNames(nodes)
    heard = names.heard(parts.words)[parts.word]
    factory = _factory(parts)
    vague = merged.vague[rows]
    listed = np.array([nodes is not None and names.is_node(code) for code in range(len(names.spelled))] + [False])
    heard = np.where(factory | (vague & ~listed[heard]), -1, heard).astype(np.int32)
    reported = Reported.of(merged, rows, adapters, names.of)
    claim = np.where(reported.code >= 0, reported.code, reported.without_contradicted(heard, parts)).astype(np.int32)
    card = _by_card(merged.system[rows], claim)
    evidence = np.select([reported.code >= 0, claim >= 0, card >= 0], [0, 1, 2], 3)
    claim = np.where(claim >= 0, claim, card).astype(np.int32)
    described = (reported.code < 0) & ~factory
    doubtful = _doubtful(np.where(described, claim, -1), parts, merged.system[rows], names)
    hosts, host = _table(merged, rows, claim, evidence, names, doubtful)
    host[rows[vague & (claim < 0)]] = -1
    findings = reported.findings(heard, names.spelled, names.is_node)
    silent = (factory | (claim < 0)) & (host[rows] >= 0)
    findings += _default_descriptions(merged, rows, silent, parts, hosts, host)
    label = np.zeros(len(merged.guid), np.int32)
    labels, label[rows] = _labels(parts, factory, reported.device)
    return Identified(hosts, host, label, labels, findings)


def _split_all(merged: Merged, rows: I32) -> Split:
    """Descriptions of these devices, split at the first blank, over all sweeps."""
    word, rest = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.int32)
    words: dict[bytes, int] = {}
    rests: dict[bytes, int] = {}
    for sweep, texts in enumerate(merged.names.texts):
        mine = np.flatnonzero(merged.names.sweep[rows] == sweep)
        if not len(mine):
            continue
        part = split(texts, merged.names.row[rows[mine]])
        word[mine] = np.array([words.setdefault(text, len(words)) for text in part.words], np.int32)[part.word]
        rest[mine] = np.array([rests.setdefault(text, len(rests)) for text in part.rests], np.int32)[part.rest]
    return Split(tuple(words), word, tuple(rests), rest)


def _factory(parts: Split) -> Bool:
    """Which descriptions are a factory's, so that they name no host."""
    suspect = np.array([not word or bool(_FACTORY.match(word)) for word in parts.words] or [False])
    rows = suspect[parts.word]
    for row in np.flatnonzero(rows).tolist():
        text = _text(parts, row)
        rows[row] = not text or bool(_FACTORY_TEXT.search(text))
    return rows


def _text(parts: Split, row: int) -> bytes:
    word, rest = parts.words[int(parts.word[row])], parts.rests[int(parts.rest[row])]
    return (word + b" " + rest).strip()


def _by_card(system: U64, claim: I32) -> I32:
    """The host of the named adapters that share a card (system image GUID) with an unnamed one, if it is one host."""
    found_ = np.full(len(claim), -1, np.int32)
    unnamed = np.flatnonzero((claim < 0) & (system != 0))
    if not len(unnamed):
        return found_
    owners: dict[int, set[int]] = {}
    named = np.flatnonzero((claim >= 0) & among(system, system[unnamed]))
    for card, owner in zip(system[named].tolist(), claim[named].tolist(), strict=True):
        owners.setdefault(card, set()).add(owner)
    for row in unnamed.tolist():
        owner = owners.get(int(system[row]), set())
        if len(owner) == 1:
            found_[row] = next(iter(owner))
    return found_


def _doubtful(claim: I32, parts: Split, system: U64, names: HostNames) -> frozenset[int]:
    """Codes of hosts in which one device name stands on two cards, or that are called as nobody is."""
    doubtful = {code for code, name in enumerate(names.spelled) if name.lower().encode() in _NOBODY}
    labelled = np.array([bool(rest) for rest in parts.rests] or [False])[parts.rest]
    rows = np.flatnonzero((claim >= 0) & labelled & (system != 0))
    keys = claim[rows].astype(np.int64) * (len(parts.rests) + 1) + parts.rest[rows]
    if not len(keys) or np.bincount(keys).max() == 1:
        return frozenset(doubtful)
    order = np.lexsort((system[rows], keys))
    keys, cards = keys[order], system[rows][order]
    twice = np.flatnonzero((keys[1:] == keys[:-1]) & (cards[1:] != cards[:-1]))
    doubled = set(claim[rows][order[twice]].tolist())
    if len(doubled) > HABIT * len(distinct(claim[rows])):
        doubled = set()
    return frozenset(doubtful | doubled)


def _table(
    merged: Merged, rows: I32, claim: I32, evidence: I64, names: HostNames, doubtful: frozenset[int]
) -> tuple[Hosts, I32]:
    """Hosts sorted by name, unnamed ones (one a card) last by GUID; and the host of each device."""
    used = distinct(claim[claim >= 0]).tolist()
    order = sorted(used, key=lambda code: (names.spelled[code], code))
    place = np.full(len(names.spelled) + 1, -1, np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    host = np.full(len(merged.guid), -1, np.int32)
    host[rows] = place[claim]
    unnamed = rows[claim < 0]
    cards = np.where(merged.system[unnamed] != 0, merged.system[unnamed], merged.guid[unnamed])
    known, inverse = np.unique(cards, return_inverse=True)
    host[unnamed] = len(order) + inverse.reshape(-1)
    best = np.full(len(names.spelled) + 1, 3, np.int64)
    np.minimum.at(best, claim, evidence)
    spelled = [names.spelled[code] for code in order]
    words = ("guid", "name", "card", "none")
    hosts = Hosts(
        name=tuple(spelled) + ("",) * len(known),
        node=tuple(name if names.is_node(code) else "" for name, code in zip(spelled, order, strict=True))
        + ("",) * len(known),
        identity=tuple(words[best[code]] for code in order) + ("none",) * len(known),
        doubtful=frozenset(int(place[code]) for code in doubtful if place[code] >= 0),
    )
    return hosts, host


def _default_descriptions(
    merged: Merged, rows: I32, silent: Bool, parts: Split, hosts: Hosts, host: I32
) -> list[Finding]:
    """One finding for each host, or for each unnamed card, some of whose adapters don't say where they are."""
    adapters: dict[int, list[int]] = {}
    for row in np.flatnonzero(silent).tolist():
        adapters.setdefault(int(host[rows[row]]), []).append(row)
    findings = []
    for owner, mine in sorted(adapters.items()):
        guids = [f"{int(merged.guid[rows[row]]):016x}" for row in mine]
        beside = f" (and {len(guids) - 1} more on its card)" if len(guids) > 1 else ""
        named = f"{hosts.name[owner]} ({counted(len(guids), 'adapter')})"
        who = named if hosts.name[owner] else f"Adapter {guids[0]}{beside}"
        objects = [hosts.name[owner], *guids] if hosts.name[owner] else guids
        node = hosts.node[owner]
        text = _text(parts, mine[0]).decode("utf-8", "replace")
        findings.append(found("default-description", *objects, device=who, text=text, nodes=[node] if node else []))
    return findings


def _labels(parts: Split, factory: Bool, reported: dict[int, str]) -> tuple[tuple[str, ...], I32]:
    """Device names as text, sorted, "" first; and which one each row has. What the node reports counts most."""
    texts = [rest.decode("utf-8", "replace") for rest in parts.rests]
    ordered = sorted({"", *texts, *reported.values()})
    place = {text: row for row, text in enumerate(ordered)}
    label = np.array([place[text] for text in texts] or [0], np.int32)[parts.rest]
    label[factory] = 0
    label[list(reported)] = [place[text] for text in reported.values()]
    return tuple(ordered), label
