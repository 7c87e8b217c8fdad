"""``hypernode check``: like ``plan``, for scripts: exit 1 when what is published differs from what was heard."""

from __future__ import annotations

import argparse

from hypernode.cli import plan
from hypernode.cli.failure import FAILED
from hypernode.cli.shell import Shell


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    plan.arguments(parser)


def run(args: argparse.Namespace, shell: Shell) -> int:
    """Print the difference; exit 1 where there is one."""
    proposed = plan.compared(args, shell)
    plan.show(proposed.as_dict(), args.output)
    return FAILED if proposed.steps or proposed.held or proposed.refused else 0
