"""``hypernode simulate KIND``: draws a fabric with faults and writes it as recorded output."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from discovery.simulate.faults import FAULTS
from discovery.simulate.kinds import KINDS
from discovery.simulate.simulation import FORMATS, render, simulate
from hypernode.cli import answer
from hypernode.cli.failure import Failure, Misuse
from hypernode.cli.shell import Shell

_MARK = ".simulated"
"""Stands in each folder that simulate wrote and names its files, so that only these are ever replaced."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "kinds:\n" + _rows({name: kind.what for name, kind in KINDS.items()})
    parser.epilog += "\n\nfaults:\n" + _rows({name: fault.what for name, fault in FAULTS.items()})
    parser.add_argument("kind", metavar="KIND", help="what to draw, see below")
    parser.add_argument("--hosts", type=int, required=True, metavar="N", help="how many hosts")
    parser.add_argument("--rails", type=int, default=1, metavar="R", help="adapters a host (default: 1)")
    seed = "the same seed draws the same fabric (default: 0)"
    parser.add_argument("--seed", type=int, default=0, metavar="S", help=seed)
    parser.add_argument(
        "--fault", dest="faults", metavar="NAME[=N]", nargs="+", action="extend", default=[], help="what is broken"
    )
    parser.add_argument("--format", choices=sorted(FORMATS), default="ibnetdiscover", help="default: ibnetdiscover")
    parser.add_argument("--out", metavar="PATH", help="file, or folder for several files (default: print one file)")
    parser.add_argument("--force", action="store_true", help="write although something else is there")


def run(args: argparse.Namespace, shell: Shell) -> int:
    """Draw and write."""
    try:
        with shell.timed("draw"):
            wiring = simulate(args.kind, hosts=args.hosts, rails=args.rails, seed=args.seed, faults=args.faults)
            files = render(wiring, args.format)
    except ValueError as error:
        raise Misuse(f"{error}.", "hypernode simulate --help lists kinds and faults.") from error
    with shell.timed("write"):
        if args.out is not None:
            _write(Path(args.out), files, alone=len(files) == 1 and args.format != "capture", force=args.force)
        elif len(files) == 1:
            answer.write_bytes(next(iter(files.values())))
        else:
            raise Misuse(f"This makes {len(files)} files.", "Name a folder for them: --out DIR.")
    return 0


def _rows(rows: Mapping[str, str]) -> str:
    width = max(map(len, rows))
    return "\n".join(f"  {name:<{width}}  {what}" for name, what in rows.items())


def _write(out: Path, files: Mapping[str, bytes], *, alone: bool, force: bool) -> None:
    if alone and not out.is_dir():
        if out.exists() and not out.is_file():
            raise Misuse(f"{out} is no regular file, so it cannot be replaced.", "Choose another --out.")
        if out.exists() and not force:
            raise Failure(f"{out} is there already.", "Choose another --out, or replace it with --force.")
        _write_file(out, next(iter(files.values())))
        return
    if out.exists() and not out.is_dir():
        raise Misuse(f"{out} is a file, and {len(files)} files need a folder.", "Choose another --out.")
    mark = out / _MARK
    if out.is_dir() and any(out.iterdir()) and not mark.is_file() and not force:
        raise Failure(f"{out} holds files that simulate did not write.", "Choose another --out, or add --force.")
    if mark.is_file():
        _remove_former(out, mark.read_text("utf-8", "replace").splitlines())
    _write_file(mark, "".join(f"{name}\n" for name in sorted(files)).encode())  # first: half of them are ours as well
    for name, content in files.items():
        _write_file(out / name, content)


def _remove_former(out: Path, names: list[str]) -> None:
    """Take away what the last simulation wrote here, so that two fabrics are never mixed."""
    root = out.resolve()
    for name in names:
        former = root / name.replace("\0", "")
        if former.is_file() and former.resolve().is_relative_to(root):
            former.unlink()


def _write_file(path: Path, content: bytes) -> None:
    """Write a whole file or nothing."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise Failure(f"{path} could not be written: {error.strerror or error}.", "Choose another --out.") from error
