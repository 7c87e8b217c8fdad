"""Options that several commands share, declared once."""

from __future__ import annotations

import argparse


def source(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """``--from PATH...`` and ``--nodes FILE``."""
    parser.add_argument(
        "--from",
        dest="paths",
        metavar="PATH",
        nargs="+",
        action="extend",
        default=None,
        required=required,
        help="recorded output: files, captures, or their fabric/, hosts/ or switches/ folders",
    )
    parser.add_argument(
        "--nodes",
        metavar="FILE",
        help="the cluster's node names, one a line (default: the capture's nodes.txt, else every named host)",
    )


def output(parser: argparse.ArgumentParser, *formats: str) -> None:
    """``-o``: a table for people first, then what programs read."""
    choices = ("table", *formats)
    parser.add_argument("-o", "--output", choices=choices, default="table", help="form of the answer (default: table)")


def store(parser: argparse.ArgumentParser) -> None:
    """``--store DIR`` and, so that it is refused with a reason, ``--kubeconfig``."""
    parser.add_argument("--store", metavar="DIR", help="directory of the HyperNodes (default: ./hypernodes)")
    parser.add_argument("--kubeconfig", metavar="FILE", help=argparse.SUPPRESS)


def shrink(parser: argparse.ArgumentParser) -> None:
    """``--allow-shrink``."""
    parser.add_argument(
        "--allow-shrink", action="store_true", help="publish although many nodes are gone since the last time"
    )


def everything(parser: argparse.ArgumentParser) -> None:
    """``--all``."""
    parser.add_argument("--all", action="store_true", help="leave nothing out of the table")
