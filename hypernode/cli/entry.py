"""From the command line to one command: finds it, reads the configuration, hands over. Imports no other command."""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Sequence
from typing import NoReturn, Protocol, cast

from hypernode.cli.failure import Misuse
from hypernode.cli.shell import Shell, settings_from

COMMANDS = {
    "observe": "what each recorded file says by itself",
    "discover": "the tree of the network, without publishing it",
    "plan": "what apply would change",
    "apply": "publish the tree as HyperNodes",
    "check": "like plan, and exit 1 when anything differs",
    "status": "the published HyperNodes and what is wrong",
    "why": "why a node stands where it stands",
    "simulate": "draw a fabric, with faults if you like",
}

_COLUMNS = 80
"""Where there is no terminal to ask."""


class Command(Protocol):
    """What a module of a command offers."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add its options."""

    def run(self, args: argparse.Namespace, shell: Shell) -> int:
        """Do it; the exit code."""


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; argparse would import shutil, and so five compressors, to ask for that."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence and a hint, like all others."""

    def __init__(self, prog: str, **texts: str) -> None:
        super().__init__(prog, formatter_class=Formatter, allow_abbrev=False, **texts)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise Misuse(f"{message[:1].upper()}{message[1:]}.", f"{self.prog} --help")


def run(argv: Sequence[str]) -> int:
    """Run the command that the line names; Failure says why not."""
    at = next((index for index, word in enumerate(argv) if not word.startswith("-")), len(argv))
    verbose = bool(at) and _top_parser().parse_args(argv[:at]).verbose
    if at == len(argv):
        raise Misuse("Which command?", "hypernode --help lists them.")
    name = argv[at]
    if name not in COMMANDS:
        raise Misuse(f"There is no command {name!r}.", _nearest(name))
    command, parser = loaded(name)
    args = parser.parse_args(argv[at + 1 :])
    return command.run(args, Shell(settings_from(args.config), verbose=verbose or args.verbose))


def loaded(name: str) -> tuple[Command, Parser]:
    """One of the commands, and the parser of its options."""
    command = cast(Command, importlib.import_module(f"hypernode.cli.{name}"))
    parser = Parser(f"hypernode {name}", description=f"{COMMANDS[name][:1].upper()}{COMMANDS[name][1:]}.")
    _common(parser)
    command.arguments(parser)
    return command, parser


def _top_parser() -> Parser:
    width = max(map(len, COMMANDS))
    parser = Parser(
        "hypernode",
        usage="hypernode [-h] [--version] [-v] COMMAND ...",
        description="Looks at an AI cluster's real network and keeps its Volcano HyperNode tree true.",
        epilog="commands:\n" + "\n".join(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items())
        + "\n\n'hypernode COMMAND --help' explains one of them.\n"
        "exit: 0 answered, 1 refused, different or failed, 2 bad usage or configuration",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell on stderr what takes how long")
    return parser


def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size().columns or _COLUMNS
    except (OSError, ValueError):
        return _COLUMNS


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-v", "--verbose", action="store_true", help="tell on stderr what takes how long")
    parser.add_argument(
        "--config", metavar="FILE", help="settings (default: /etc/hypernode/hypernode.yaml where present)"
    )


class _Version(argparse.Action):
    """Looks the version up only when asked: reading package metadata takes as long as the rest of the start-up."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("hypernode")
        except PackageNotFoundError:
            number = "(not installed)"
        print(f"hypernode {number}")
        parser.exit()


def _nearest(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, COMMANDS, 1)
    return f"Did you mean {near[0]}?" if near else "hypernode --help lists them."
