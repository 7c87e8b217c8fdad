"""Where HyperNodes are published, and how a discovery becomes a proposal for that place."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypernode.cli.discovering import Discovery
from hypernode.cli.failure import Failure, Misuse
from hypernode.cli.shell import Shell
from hypernode.guard import Limits
from hypernode.publish import Proposal, propose
from hypernode.store import DirectoryStore, StoreError

DEFAULT_STORE = "hypernodes"


def store_of(args: argparse.Namespace, shell: Shell) -> DirectoryStore:
    """The directory of ``--store``, else of the configuration, else ``./hypernodes``."""
    if args.kubeconfig is not None:
        raise Misuse("--kubeconfig: publishing to a cluster comes with the controller.", "Use --store DIR.")
    chosen = shell.settings.store if args.store is None else args.store
    if chosen == "":
        raise Misuse("--store names no folder.", "Is the variable set that it comes from?")
    if chosen is None and os.environ.get("KUBECONFIG"):
        raise Misuse(
            "KUBECONFIG names a cluster, and publishing to a cluster comes with the controller.", "Use --store DIR."
        )
    path = Path(chosen or DEFAULT_STORE)
    if path.exists() and not path.is_dir():
        raise Misuse(f"--store {path} is no folder.")
    return DirectoryStore(path)


@contextmanager
def told() -> Iterator[None]:
    """Turn what goes wrong in the store into the sentence for people."""
    try:
        yield
    except StoreError as error:
        raise Failure(f"{error}.", error.hint) from error


def proposal(
    store: DirectoryStore, found: Discovery, args: argparse.Namespace, shell: Shell, *, counting: bool = False
) -> Proposal:
    """What would have to change in the store."""
    limits = shell.settings.shrink
    return propose(
        store,
        found.inference.groups,
        nodes=found.nodes,
        failed=found.failed,
        limits=Limits(limits.share, limits.nodes, limits.repeats),
        allow_shrink=args.allow_shrink,
        counting=counting,
    )
