"""What recorded files say by themselves, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from discovery.findings import counted
from hypernode.ranges import compact
from hypernode.screen.console import table, words

_STYLES = {"heard": "green", "silent": "yellow", "failed": "red"}
_COUNTS = {"switches": "switch", "channelAdapters": "adapter", "routers": "router", "links": "link"}


def show(console: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print one line for each file; the adapters of all hosts share one."""
    hosts = [row for row in rows if row.get("adapters") is not None]
    files = [row for row in rows if row.get("adapters") is None]
    cells = [(row["file"], row["probe"] or "unknown", _outcome(row), _said(row)) for row in files]
    if hosts:
        adapters = counted(sum(len(row["adapters"]) for row in hosts), "adapter")
        names = compact(row["node"] for row in hosts)
        cells.append((names, hosts[0]["probe"], _outcome(hosts[0]), f"{adapters} of {counted(len(hosts), 'host')}"))
    console.print(table(("file or host", "probe", "outcome", "what it says"), cells, whole=("probe", "outcome")))


def _outcome(row: Mapping[str, Any]) -> Text:
    return words(row["outcome"], _STYLES[row["outcome"]])


def _said(row: Mapping[str, Any]) -> str:
    if row["reason"]:
        return str(row["reason"])
    parts = [counted(row[key], word) for key, word in _COUNTS.items() if row.get(key)]
    if row["unreadLines"]:
        parts.append(f"{counted(row['unreadLines'], 'line')} not understood")
    if row.get("stderrLines"):
        parts.append(f"{counted(row['stderrLines'], 'line')} of error output")
    if row.get("truncatedAt"):
        parts.append(f"breaks off at line {row['truncatedAt']}")
    return ", ".join(parts) or "nothing"
