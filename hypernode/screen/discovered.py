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

from discovery.findings import counted
from hypernode.ranges import compact
from hypernode.screen.console import table, words
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
    marks: Mapping[str, Sequence[Text]]
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

    def line(self, node: HyperNode, *, top: bool = False) -> Text:
        """One HyperNode, and on lines of their own what is wrong with it."""
        nodes = self.below[node.name]
        line = words(node.name, "bold")
        line.append(f"  {counted(len(nodes), 'node')}")
        if node.nodes:
            line.append("  ").append_text(words(compact(nodes), "cyan"))
        for text in _capacity(node, top=top):
            line.append(f"  {text}", "dim")
        marks = (Text("  ").append_text(mark) for mark in self.marks.get(node.name, ()))
        return Text("\n").join([line, *marks])


def show_fabrics(console: Console, fabrics: Sequence[Mapping[str, Any]]) -> None:
    """Print each fabric in one line."""
    for one in fabrics:
        counts = ", ".join(counted(one[key], word) for key, word in _COUNTS.items())
        name = one["kind"] if one["kind"] == one["name"] else f"{one['kind']} {one['name']}"
        console.print(words(f"{name}: {counts}", "bold"))


def show_tree(
    console: Console, tree: Tree, *, everything: bool = False, marks: Mapping[str, Sequence[Text]] | None = None
) -> None:
    """Print the tree from its roots downward, a line for each HyperNode; ``marks`` are lines to add, by name."""
    if not tree.hypernodes:
        console.print(Text("There is no tree: no node that is known by name has a link to a switch.", "bold red"))
    children = {child for node in tree.hypernodes.values() for child in node.children}
    roots = [node for node in tree.hypernodes.values() if node.name not in children]
    parents = max(1, sum(1 for node in tree.hypernodes.values() if node.children))
    most = len(tree.hypernodes) if everything else max(3, _LINES // parents)
    drawing = _Drawing(tree, tree.nodes_below(), marks or {}, most)
    for root in sorted(roots, key=lambda node: (-node.tier, node.name)):
        console.print(drawing.grown(Branches(drawing.line(root, top=True)), root))


def show_unplaced(console: Console, unplaced: Sequence[Mapping[str, Any]], *, everything: bool = False) -> None:
    """Print the nodes without a place, those of one reason together."""
    if not unplaced:
        return
    console.print(Text(f"\n{counted(len(unplaced), 'node')} without a place:", "bold red"))
    alike: dict[tuple[str, str], list[str]] = {}
    for one in unplaced:
        alike.setdefault((one["reason"], one["message"]), []).append(one["node"])
    shown = sorted(alike.items())[: len(alike) if everything else 10]
    most = len(unplaced) if everything else 6
    rows = [(compact(nodes, most), reason, message) for (reason, message), nodes in shown]
    rest = Counter(reason for reason, message in sorted(alike)[len(shown) :] for _ in alike[reason, message])
    rows += [(f"… {count} more", reason, "") for reason, count in sorted(rest.items())]
    console.print(table(("nodes", "reason", "why"), rows, whole=("reason",)))


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
    for (level, kind), cases in sorted(kinds.items()):
        most = len(cases) if everything else 3
        console.print(words(kind, _STYLES[_ORDER[level]]))
        told = [words(case["message"]) for case in cases[:most]]
        if len(cases) > most:
            told.append(Text(f"… {len(cases) - most} more of this kind", "dim"))
        if cases[0]["hint"]:
            told.append(words(f"Hint: {cases[0]['hint']}", "dim"))
        for line in (line for text in told for line in text.wrap(console, max(20, console.width - 2))):
            console.print(Text("  ").append_text(line))


def _capacity(node: HyperNode, *, top: bool) -> Iterable[str]:
    if len(node.switches) > 1:
        yield f"{counted(len(node.switches), 'switch')}"
    oversubscription = node.annotations.get("hypernode.dev/oversubscription")
    if oversubscription and not top:  # nobody below has to pass the uplinks of a root
        with suppress(ValueError):  # in the store, a hand may have written anything there
            over = float(oversubscription) > 1
            yield f"oversubscribed {oversubscription.strip()}:1" if over else "not oversubscribed"
