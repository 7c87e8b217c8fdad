"""``hypernode why NODE``: the links and votes that put a node where it is."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from discovery.aliases import NodeNames, plain
from hypernode import naming, why
from hypernode.cli import answer, options, published
from hypernode.cli.failure import Failure, Misuse
from hypernode.cli.shell import Shell

_Explain = Callable[[str], Mapping[str, Any]]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("node", metavar="NODE", nargs="?", help="a node, in any spelling: short, FQDN, any case")
    options.source(parser, required=False)
    options.store(parser)
    options.output(parser, "json", "yaml")


def run(args: argparse.Namespace, shell: Shell) -> int:
    """Print the reasons; exit 1 for a node that nobody knows."""
    if args.node is None:
        raise Misuse("Which node?", "Name it before --from: hypernode why NODE --from PATH.")
    known, explain = _heard(args, shell) if args.paths else _published(args, shell)
    told = explain(_named(args.node, known))
    if args.output == "json":
        answer.write(answer.as_json(told))
    elif args.output == "yaml":
        answer.write(answer.as_yaml(dict(told)))
    else:
        from hypernode.screen import console, reasons

        reasons.show(console.console(), told)
    return 0


def _heard(args: argparse.Namespace, shell: Shell) -> tuple[Iterable[str], _Explain]:
    from hypernode.cli import discovering

    found = discovering.discovery(args, shell)
    tree = naming.name_tree(found.inference.groups)
    known = {*filter(None, found.fabric.hosts.node), *(one.node for one in found.inference.unplaced)}
    return sorted(known), lambda node: why.explain(node, found.fabric, found.inference, tree)


def _published(args: argparse.Namespace, shell: Shell) -> tuple[Iterable[str], _Explain]:
    store = published.store_of(args, shell)
    with published.told():
        kept = store.load("evidence").get("why")
    if kept is None:
        raise Failure(
            f"Nothing is published in {store.path}, so there is nothing to explain.",
            "Add --from PATH, or publish first: hypernode apply --from PATH.",
        )
    try:
        known = sorted({*kept["nodes"], *kept["unplaced"]})
        NodeNames(known)
    except (AttributeError, LookupError, TypeError) as error:
        raise _damaged(store.path) from error
    return known, lambda node: _from_store(node, kept, store.path)


def _from_store(node: str, kept: Mapping[str, Any], store: Path) -> Mapping[str, Any]:
    """Evidence that a hand has changed can have any shape."""
    try:
        told = why.from_evidence(node, kept)
        whole = all(isinstance(name, str) for name in told["path"])
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise _damaged(store) from error
    if not whole:
        raise _damaged(store)
    return told


def _damaged(store: Path) -> Failure:
    return Failure(f"The evidence in {store}/.hypernode is damaged.", "Write it again: hypernode apply --from PATH.")


def _named(text: str, known: Iterable[str]) -> str:
    """The node that the text means; Failure names those that are spelled alike."""
    names = NodeNames(known)
    node = names.match(text)
    if node is not None:
        return node
    spelled = {plain(name): name for name in names.names}
    near = [spelled[name] for name in difflib.get_close_matches(plain(text), spelled, 3, 0.7)]
    hint = f"Did you mean {' or '.join(near)}?" if near else f"{len(names.names)} nodes are known."
    raise Failure(f"There is no node {text}.", hint)
