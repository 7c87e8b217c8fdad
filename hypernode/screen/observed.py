"""What recorded files say by themselves, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from hypernode.screen.console import table, words

_STYLES = {"heard": "green", "silent": "yellow", "failed": "red"}
_COUNTS = {"switches": "switches", "channelAdapters": "adapters", "routers": "routers", "links": "links"}


def show(console: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print one line for each file."""
    heads = ("file", "probe", "outcome", "what it says")
    console.print(table(heads, ((row["file"], row["probe"] or "unknown", _outcome(row), _said(row)) for row in rows)))


def _outcome(row: Mapping[str, Any]) -> Text:
    return words(row["outcome"], _STYLES[row["outcome"]])


def _said(row: Mapping[str, Any]) -> str:
    if row["reason"]:
        return str(row["reason"])
    parts = [f"{row[key]:,} {word}" for key, word in _COUNTS.items() if row.get(key)]
    if row.get("adapters") is not None:
        parts.append(f"{len(row['adapters'])} adapters of {row['node']}")
    if row["unreadLines"]:
        parts.append(f"{row['unreadLines']:,} lines not understood")
    if row.get("stderrLines"):
        parts.append(f"{row['stderrLines']:,} lines of error output")
    if row.get("truncatedAt"):
        parts.append(f"breaks off at line {row['truncatedAt']}")
    return ", ".join(parts) or "nothing"
