"""The steps of a plan, and what the guard holds back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rich.console import Console

from hypernode.screen.console import table, words

_STYLES = {"create": "green", "update": "yellow", "delete": "red"}
_MOST = 60
"""Steps on one screen; the rest is counted, ``-o json`` has all."""


def show(console: Console, told: Mapping[str, Any]) -> None:
    """Print the steps, then the guard's word, then how many were carried out."""
    steps = told["steps"]
    if steps:
        rows = map(_row, steps[:_MOST])
        console.print(table(("step", "HyperNode", "tier", "why"), rows, whole=("step", "HyperNode")))
        if len(steps) > _MOST:
            console.print(words(f"… {len(steps) - _MOST} more"))
        counts = Counter(one["op"] for one in steps)
        console.print(words(", ".join(f"{counts[op]} to {op}" for op in _STYLES if counts[op])))
    else:
        console.print(words("Nothing to change."))
    refused = told["refused"]
    if refused:
        console.print(words(f"Refused: {refused['reason']}", "bold red"))
        console.print(words(f"Hint: {refused['hint']}"))
    if told.get("applied"):
        console.print(words(f"{told['applied']} of {len(steps)} steps carried out."))


def _row(step: Mapping[str, Any]) -> tuple[object, ...]:
    return words(step["op"], _STYLES[step["op"]]), step["name"], step["tier"], step["reason"]
