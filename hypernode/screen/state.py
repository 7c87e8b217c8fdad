"""The state of what is published: the tree with what is wrong at each HyperNode, and the findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from hypernode.screen.console import table, words
from hypernode.screen.discovered import show_fabrics, show_findings, show_tree, show_unplaced
from hypernode.tree import Tree

_COLUMNS = {
    "type": "condition",
    "status": "status",
    "reason": "reason",
    "lastTransitionTime": "since",
    "message": "message",
}
_GOOD = {"Ready": "True"}
"""The status of a condition that needs no word; for all others it is False."""


def show(console: Console, told: Mapping[str, Any], tree: Tree, *, name: str | None, everything: bool) -> None:
    """Print the state; of one HyperNode all conditions."""
    if name is not None:
        _show_one(console, told["hypernodes"][0])
    else:
        show_fabrics(console, told["fabrics"])
        marks = {one["metadata"]["name"]: _marks(one) for one in told["hypernodes"]}
        show_tree(console, tree, everything=everything, marks=marks)
        show_unplaced(console, told["unplaced"], everything=everything)
    if told["foreign"] and name is None:
        rows = [(one["name"], one["reason"]) for one in told["foreign"]]
        console.print(table(("left alone", "why"), rows))
    show_findings(console, told["findings"], everything=everything)


def _show_one(console: Console, whole: Mapping[str, Any]) -> None:
    spec, status = whole["spec"], whole.get("status")
    count = status.get("nodeCount") if isinstance(status, Mapping) else None
    console.print(words(f"{whole['metadata']['name']}: tier {spec['tier']} {spec.get('tierName', '')}", "bold"))
    console.print(words(f"{'?' if count is None else count} nodes below {len(spec['members'])} members"))
    rows = [[str(one.get(key, "")) for key in _COLUMNS] for one in _conditions(whole)]
    console.print(table(tuple(_COLUMNS.values()), rows))


def _marks(whole: Mapping[str, Any]) -> list[Text]:
    """What is not as it should be, a line for each condition."""
    bad = [one for one in _conditions(whole) if one.get("status") != _GOOD.get(str(one.get("type")), "False")]
    kinds = ("Not ready" if one.get("type") == "Ready" else one.get("type") for one in bad)
    return [words(f"{kind}: {one.get('message')}", "yellow") for kind, one in zip(kinds, bad, strict=True)]


def _conditions(whole: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    status = whole.get("status")
    listed = status.get("conditions") if isinstance(status, Mapping) else None
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
