"""From recorded files to the fabric and its tree."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discovery.findings import Finding
from hypernode.cli import reading
from hypernode.cli.shell import Shell

if TYPE_CHECKING:
    from discovery.fabric import Fabric
    from hypernode.infer import Inference

_NOT_WHOLE = ("probe-failed", "truncated")
"""Findings that mean: what is missing may be there all the same."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Discovery:
    """A fabric, what inference made of it, and all findings, those about unreadable files included."""

    fabric: Fabric
    inference: Inference
    findings: tuple[Finding, ...]
    nodes: tuple[str, ...] | None
    failed: str | None
    """Why the observation is not whole, or None."""


def discovery(args: argparse.Namespace, shell: Shell) -> Discovery:
    """The whole way from ``--from`` and ``--nodes`` to the tree; Failure where nothing could be read."""
    nodes = shell.settings.nodes if args.nodes is None else args.nodes
    heard = reading.hear(args.paths, nodes, shell)
    from discovery.join import join  # after reading: while one process still reads the other one imports these
    from hypernode.infer import infer

    with shell.timed("join"):
        fabric = join(heard.sweeps, heard.adapters, heard.nodes)
    with shell.timed("infer"):
        inference = infer(fabric, shell.settings.tiers, shell.settings.planes)
    findings = tuple(sorted({*heard.findings, *inference.findings}))
    failed = next((one.message.rstrip(".") for one in findings if one.kind in _NOT_WHOLE), None)
    return Discovery(fabric, inference, findings, heard.nodes, failed)
