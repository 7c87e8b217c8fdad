"""The tree of a network on one screen, also when it has 10,000 hosts; then who has no place, and what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree as Branches

from hypernode.screen.console import counted, table, words
from hypernode.screen.ranges import compact
from hypernode.tree import HyperNode, Tree

_LINES = 96
"""About so many groups fit on two screens; beyond it, each parent shows its first few."""
_STYLES = {"error": "bold red", "warning": "yellow", "info": "cyan"}
_ORDER = ("error", "warning", "info")
_WORDS = {"error": "error", "warning": "warning", "info": "remark"}
_COUNTS = {"switches": "switch", "hosts": "host", "links": "link"}
_Kinds = dict[tuple[int, str], list[Mapping[str, Any]]]
"""Findings by (place of their severity in ``_ORDER``, kind)."""


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What the lines of one tree have in common."""

    tree: Tree
    below: Mapping[str, frozenset[str]]
    marks: Mapping[str, Text]
    most: int
    """So many children of one parent are shown."""

    def grown(self, branch: Branches, node: HyperNode) -> Branches:
        """The branch with all that hangs on it."""
        children = sorted(node.children, key=lambda name: min(self.below[name]))
        for name in children[: self.most]:
            child = self.tree.hypernodes[name]
            self.grown(branch.add(self.line(child)), child)
        rest = children[self.most :]
        if rest:
            nodes = set[str]().union(*(self.below[name] for name in rest))
            told = f"… {len(rest)} more with {counted(len(nodes), 'node')}: {compact(nodes)}"
            branch.add(words(told, "dim"))
        return branch

    def line(self, node: HyperNode) -> Text:
        """One HyperNode."""
        nodes = self.below[node.name]
        line = words(node.name, "bold")
        line.append(f"  {counted(len(nodes), 'node')}")
        if node.nodes:
            line.append("  ").append_text(words(compact(nodes), "cyan"))
        for text in _capacity(node):
            line.append(f"  {text}", "dim")
        mark = self.marks.get(node.name)
        return line.append("  ").append_text(mark) if mark else line


def show_fabrics(console: Console, fabrics: Sequence[Mapping[str, Any]]) -> None:
    """Print each fabric in one line."""
    for one in fabrics:
        counts = ", ".join(counted(one[key], word) for key, word in _COUNTS.items())
        name = one["kind"] if one["kind"] == one["name"] else f"{one['kind']} {one['name']}"
        console.print(words(f"{name}: {counts}", "bold"))


def show_tree(
    console: Console, tree: Tree, *, everything: bool = False, marks: Mapping[str, Text] | None = None
) -> None:
    """Print the tree from its roots downward, a line for each HyperNode; ``marks`` are words to add, by name."""
    if not tree.hypernodes:
        console.print(Text("There is no tree: no node has a link to a switch.", "bold red"))
    children = {child for node in tree.hypernodes.values() for child in node.children}
    roots = [node for node in tree.hypernodes.values() if node.name not in children]
    parents = max(1, sum(1 for node in tree.hypernodes.values() if node.children))
    most = len(tree.hypernodes) if everything else max(3, _LINES // parents)
    drawing = _Drawing(tree, tree.nodes_below(), marks or {}, most)
    for root in sorted(roots, key=lambda node: (-node.tier, node.name)):
        console.print(drawing.grown(Branches(drawing.line(root)), root))


def show_unplaced(console: Console, unplaced: Sequence[Mapping[str, Any]], *, everything: bool = False) -> None:
    """Print the nodes without a place, those of one reason together."""
    if not unplaced:
        return
    console.print(Text(f"\n{counted(len(unplaced), 'node')} without a place:", "bold red"))
    most = len(unplaced) if everything else 10
    rows = [(one["node"], one["reason"], one["message"]) for one in unplaced[:most]]
    if len(unplaced) > most:
        rest = Counter(one["reason"] for one in unplaced[most:])
        rows += [(f"… {count} more", reason, "") for reason, count in sorted(rest.items())]
    console.print(table(("node", "reason", "why"), rows))


def show_findings(console: Console, findings: Sequence[Mapping[str, Any]], *, everything: bool = False) -> None:
    """Print what was found: each kind once with its count, its first cases and what to do."""
    if not findings:
        console.print(Text("\nNothing is wrong with the network as far as it was heard.", "green"))
    findings = [one for one in findings if one["kind"] != "unplaced"]  # they have a table of their own
    if not findings:
        return
    levels = Counter(str(one["severity"]) for one in findings)
    counts = ", ".join(counted(levels[level], word) for level, word in _WORDS.items() if levels[level])
    console.print(Text(f"\nFindings: {counts}", "bold"))
    kinds: _Kinds = {}
    for one in findings:
        kinds.setdefault((_ORDER.index(one["severity"]), one["kind"]), []).append(one)
    console.print(table(("", "what", "hint"), _finding_rows(kinds, everything)))


def _finding_rows(kinds: _Kinds, everything: bool) -> Iterable[Sequence[object]]:
    for (level, kind), cases in sorted(kinds.items()):
        most = len(cases) if everything else 3
        style = _STYLES[_ORDER[level]]
        for place, case in enumerate(cases[:most]):
            yield (words(kind if place == 0 else "", style), case["message"], case["hint"] if place == 0 else "")
        if len(cases) > most:
            yield ("", f"… {len(cases) - most} more of this kind", "")


def _capacity(node: HyperNode) -> Iterable[str]:
    if len(node.switches) > 1:
        yield f"{counted(len(node.switches), 'switch')}"
    oversubscription = node.annotations.get("hypernode.dev/oversubscription")
    if oversubscription:
        with suppress(ValueError):  # in the store, a hand may have written anything there
            over = float(oversubscription) > 1
            yield f"oversubscribed {oversubscription.strip()}:1" if over else "not oversubscribed"
