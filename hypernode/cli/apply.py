"""``hypernode apply``: publishes the tree, step by step, as far as the guard allows."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from hypernode import report, why
from hypernode.cli import discovering, plan, published
from hypernode.cli.failure import FAILED
from hypernode.cli.shell import Shell
from hypernode.publish import publish


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    plan.arguments(parser)


def run(args: argparse.Namespace, shell: Shell) -> int:
    """Publish and print what was done; exit 1 where the guard held something back."""
    store = published.store_of(args, shell)
    found = discovering.discovery(args, shell)
    with shell.timed("publish"), published.told(), store.locked():
        proposed = published.proposal(store, found, args, shell, counting=True)
        done = publish(
            store,
            proposed,
            now=datetime.now(UTC),
            evidence={
                "why": why.evidence(found.fabric, found.inference, proposed.target),
                **report.of_discovery(found.fabric, found.inference, (*found.findings, *proposed.findings)),
            },
            findings=found.findings,
            switch_ids=report.switch_ids(found.fabric),
        )
    plan.show(done.as_dict(), args.output)
    return FAILED if proposed.refused else 0
