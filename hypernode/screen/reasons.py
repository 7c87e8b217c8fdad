"""Why a node stands where it stands: its path upward, its links, the votes of its switches, the witnesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from hypernode.screen.console import counted, table, words
from hypernode.screen.discovered import show_findings

_PLACES = {
    "home": ("its group's leaf", "green"),
    "foreign": ("another group's leaf", "yellow"),
    "storage": ("storage, has no vote", "dim"),
    "stray": ("no leaf", "yellow"),
    "none": ("nobody's leaf", "dim"),
}
_LINK_HEADS = ("device", "port", "switch", "its port", "speed", "group of the switch", "that is", "said by")


def show(console: Console, told: Mapping[str, Any]) -> None:
    """Print the explanation."""
    path = told["path"]
    console.print(words(told["node"], "bold").append_text(_path(path)))
    console.print(words(told["reason"]))
    if told["links"]:
        console.print(Text("\nLinks", "bold"))
        console.print(table(_LINK_HEADS, map(_link, told["links"])))
    if told["votes"]:
        console.print(Text("\nVotes", "bold"))
        rows = map(_vote, told["votes"])
        console.print(table(("group", "links", "bandwidth"), rows))
    witnesses = sorted({str(one["witness"]) for one in told["links"]})
    if witnesses:
        console.print(Text("\nWitnesses", "bold"))
        for witness in witnesses:
            console.print(words(witness))
    if told.get("findings"):
        show_findings(console, told["findings"], everything=True)


def _path(path: list[str]) -> Text:
    if not path:
        return Text(" has no place", "bold red")
    return Text(" in ").append_text(words(" in ".join(map(str, path))))


def _link(one: Mapping[str, Any]) -> tuple[object, ...]:
    meaning, style = _PLACES.get(one["place"], (one["place"], ""))
    return (
        one["device"] or one["adapter"],
        one["adapterPort"],
        one["switch"],
        one["switchPort"],
        one["speed"],
        one["hyperNode"] or "",
        words(meaning, style),
        " and ".join(one["saidBy"]),
    )


def _vote(one: Mapping[str, Any]) -> tuple[object, ...]:
    return one["hyperNode"], counted(one["links"], "link"), f"{one['gbps']:,.0f} Gbit/s"
