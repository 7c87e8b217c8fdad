"""``hypernode discover``: the tree of the network from recorded output, without a cluster; writes nothing."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hypernode.cli import answer, discovering, options
from hypernode.cli.shell import Shell

if TYPE_CHECKING:
    from hypernode.tree import Tree


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    options.source(parser, required=True)
    options.output(parser, "json", "yaml")
    options.everything(parser)


def run(args: argparse.Namespace, shell: Shell) -> int:
    """Read, join, infer and print."""
    found = discovering.discovery(args, shell)
    from hypernode import manifest, naming  # see discovering

    with shell.timed("name"):
        tree = naming.name_tree(found.inference.groups)
    with shell.timed("print"):
        if args.output == "yaml":
            answer.write(manifest.to_yaml([manifest.to_object(node) for node in tree.hypernodes.values()]))
        elif args.output == "json":
            answer.write(answer.as_json(_document(found, tree)))
        else:
            _show(found, tree, everything=args.all)
    return 0


def _document(found: discovering.Discovery, tree: Tree) -> Mapping[str, Any]:
    from hypernode import manifest, report

    return {
        "hypernodes": [manifest.to_object(node) for node in tree.hypernodes.values()],
        **report.of_discovery(found.fabric, found.inference, found.findings),
    }


def _show(found: discovering.Discovery, tree: Tree, *, everything: bool) -> None:
    from hypernode import report
    from hypernode.screen import console, discovered

    screen = console.console()
    told = report.of_discovery(found.fabric, found.inference, found.findings)
    discovered.show_fabrics(screen, told["fabrics"])
    discovered.show_tree(screen, tree, everything=everything)
    discovered.show_unplaced(screen, told["unplaced"], everything=everything)
    discovered.show_findings(screen, told["findings"], everything=everything)
