"""``hypernode plan``: what ``apply`` would change; writes nothing."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from hypernode.cli import answer, discovering, options, published
from hypernode.cli.failure import FAILED
from hypernode.cli.shell import Shell
from hypernode.publish import Proposal


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    options.source(parser, required=True)
    options.store(parser)
    options.shrink(parser)
    options.output(parser, "json", "yaml")


def run(args: argparse.Namespace, shell: Shell) -> int:
    """Print the steps; exit 1 where the guard refuses some."""
    proposed = compared(args, shell)
    show(proposed.as_dict(), args.output)
    return FAILED if proposed.refused else 0


def compared(args: argparse.Namespace, shell: Shell) -> Proposal:
    """The difference between what was heard and what is published."""
    store = published.store_of(args, shell)
    found = discovering.discovery(args, shell)
    with shell.timed("plan"), published.told():
        return published.proposal(store, found, args, shell)


def show(told: Mapping[str, Any], output: str) -> None:
    """Print steps and what the guard says."""
    if output == "json":
        answer.write(answer.as_json(told))
    elif output == "yaml":
        answer.write(answer.as_yaml(dict(told)))
    else:
        from hypernode.screen import console, planned

        planned.show(console.console(), told)
