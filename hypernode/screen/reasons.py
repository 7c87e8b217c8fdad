"""Why a node stands where it stands: its path upward, its links, the votes of its switches, the witnesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from discovery.findings import counted
from hypernode.screen.console import table, words
from hypernode.screen.discovered import show_findings

_PLACES = {
    "home": ("its group's leaf", "green"),
    "foreign": ("another group's leaf", "yellow"),
    "storage": ("storage, has no vote", "dim"),
    "stray": ("no leaf", "yellow"),
    "none": ("nobody's leaf", "dim"),
}
_LINK_HEADS = ("device", "port", "switch", "its port", "speed", "group of the switch", "that is", "said by")
_NAMES = ("device", "switch", "group of the switch")
_SAYS_WHERE = ("device", "switch", "its port")
"""Columns that stay although all rows agree: the two ends of each cable."""


def show(console: Console, told: Mapping[str, Any]) -> None:
    """Print the explanation."""
    if told["path"]:
        console.print(words(told["node"], "bold").append(" in ").append_text(words(" in ".join(told["path"]))))
    console.print(words(told["reason"], "" if told["path"] else "bold red"))
    if told["links"]:
        console.print(Text("\nLinks", "bold"))
        _show_links(console, [dict(zip(_LINK_HEADS, _link(one), strict=True)) for one in told["links"]])
    if told["votes"]:
        console.print(Text("\nVotes", "bold"))
        rows = map(_vote, told["votes"])
        console.print(table(("group", "links", "bandwidth"), rows, whole=("group",)))
    witnesses = sorted({str(one["witness"]) for one in told["links"]})
    if witnesses:
        console.print(Text("\nWitnesses", "bold"))
        for witness in witnesses:
            console.print(words(witness))
    if told.get("findings"):
        show_findings(console, told["findings"], everything=True)


def _show_links(console: Console, rows: list[dict[str, Text]]) -> None:
    """The links as a table; what is the same for all of several stands below it, once."""
    shared = []
    if len(rows) > 1:
        alike = [head for head in _LINK_HEADS if len({row[head].plain for row in rows}) == 1]
        shared = [head for head in alike if head not in _SAYS_WHERE]
    heads = [head for head in _LINK_HEADS if head not in shared]
    console.print(table(heads, ([row[head] for head in heads] for row in rows), whole=_NAMES))
    told = [Text(f"{head} ").append_text(rows[0][head]) for head in shared if rows[0][head].plain]
    if told:
        console.print(Text("all: ", "dim").append_text(Text(", ").join(told)))


def _link(one: Mapping[str, Any]) -> tuple[Text, ...]:
    meaning, style = _PLACES.get(one["place"], (one["place"], ""))
    return (
        words(one["device"] or one["adapter"]),
        words(one["adapterPort"]),
        words(one["switch"]),
        words(one["switchPort"]),
        words(one["speed"]),
        words(one["hyperNode"] or ""),
        words(meaning, style),
        words(" and ".join(one["saidBy"])),
    )


def _vote(one: Mapping[str, Any]) -> tuple[object, ...]:
    return one["hyperNode"], counted(one["links"], "link"), f"{one['gbps']:,.0f} Gbit/s"
