"""Why a node stands where it stands: its path upward, its links, the votes of its neighbours, the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from hypernode.screen.console import table, words


def show(console: Console, told: Mapping[str, Any]) -> None:
    """Print the explanation."""
    console.print(words(told["node"], "bold"))
    path = told.get("path") or []
    console.print(words("  in " + " < ".join(map(str, path)) if path else "  has no place", "" if path else "bold red"))
    console.print(words(f"  because {told['reason']}" if told.get("reason") else ""))
    for key in ("links", "votes", "findings"):
        rows = [row for row in told.get(key) or () if isinstance(row, Mapping)]
        if rows:
            console.print(words(f"\n{key}:".lstrip("\n"), "bold"))
            console.print(_columns(rows))


def _columns(rows: Sequence[Mapping[str, Any]]) -> Any:
    """A table with a column for each key that any row has a value for."""
    keys = [key for key in dict.fromkeys(key for row in rows for key in row) if any(row.get(key) for row in rows)]
    return table([_head(key) for key in keys], [[_cell(row.get(key)) for key in keys] for row in rows])


def _head(key: str) -> str:
    """``peerPort`` as two words."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in key)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    return str(value)
