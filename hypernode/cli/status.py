"""``hypernode status [NAME]``: what is published, how it is, and what is wrong with the network below it."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from discovery.findings import Severity
from hypernode import plan
from hypernode.cli import answer, options, published
from hypernode.cli.failure import Failure
from hypernode.cli.shell import Shell
from hypernode.store import Contents
from hypernode.tree import Tree

_SHAPES: Mapping[str, Mapping[str, type]] = {
    "findings": {"kind": str, "severity": str, "message": str, "hint": str, "objects": list, "nodes": list},
    "fabrics": {"kind": str, "name": str, "switches": int, "hosts": int, "links": int},
    "unplaced": {"node": str, "reason": str, "message": str},
}
"""What is relied on in each row of the evidence."""
_ALL = "hypernode status shows all of them."
_SEVERITIES = (None, *(one.value for one in Severity))


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="only this HyperNode")
    options.store(parser)
    options.output(parser, "json", "yaml")
    options.everything(parser)


def run(args: argparse.Namespace, shell: Shell) -> int:
    """Print what the store keeps."""
    store = published.store_of(args, shell)
    with published.told():
        if not store.path.is_dir():
            raise Failure(f"Nothing is published in {store.path}.", "hypernode apply --from PATH publishes a tree.")
        contents = store.read()
        evidence = store.load("evidence")
    tree = plan.salvaged(contents.hypernodes)
    told = _document(contents, evidence)
    if args.name is not None:
        told = _narrowed(told, tree, args.name)
    if args.output == "json":
        answer.write(answer.as_json(told))
    elif args.output == "yaml":
        answer.write(answer.as_yaml(told))
    else:
        from hypernode.screen import console, state

        state.show(console.console(), told, tree, name=args.name, everything=args.all)
    return 0


def _document(contents: Contents, evidence: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "hypernodes": list(contents.objects.values()),
        **{key: _rows(evidence.get(key), shape) for key, shape in _SHAPES.items()},
        "foreign": [{"name": other.name, "reason": other.reason} for other in contents.foreign],
    }


def _rows(kept: object, shape: Mapping[str, type]) -> list[dict[str, Any]]:
    """Rows of the evidence; whatever a hand has put there instead is left out."""
    rows = [row for row in kept if isinstance(row, dict)] if isinstance(kept, list) else []
    return [
        row
        for row in rows
        if all(isinstance(row.get(key), kind) for key, kind in shape.items()) and row.get("severity") in _SEVERITIES
    ]


def _narrowed(told: Mapping[str, Any], tree: Tree, name: str) -> dict[str, Any]:
    """The same for one HyperNode: its object, and what was found about its nodes and switches."""
    if name not in tree.hypernodes:
        near = difflib.get_close_matches(name, tree.hypernodes, 3, 0.5)
        raise Failure(f"There is no HyperNode {name}.", f"Did you mean {' or '.join(near)}?" if near else _ALL)
    about = {name, *tree.nodes_below()[name], *_switches_below(tree, name)}
    return {
        **told,
        "hypernodes": [one for one in told["hypernodes"] if one["metadata"]["name"] == name],
        "findings": [one for one in told["findings"] if about & _objects(one)],
    }


def _objects(finding: Mapping[str, Any]) -> set[str]:
    return {text for key in ("objects", "nodes") for text in finding.get(key) or () if isinstance(text, str)}


def _switches_below(tree: Tree, name: str) -> Iterable[str]:
    node = tree.hypernodes[name]
    yield from node.switches
    for child in node.children:
        yield from _switches_below(tree, child)
