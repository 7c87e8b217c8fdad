"""The console that all views print to: no markup is ever interpreted, and nothing is cut off in a pipe."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hypernode.screen.foreign import clean

_PIPE_WIDTH = 160
"""Columns where there is no terminal to ask: wide enough for a sentence in a table."""
_NAME_WIDTH = 40
"""What is longer than this may be folded: it is no name of ours, and must not push the rest off the screen."""


class _Screen(Console):
    """A console that leaves a closed pipe to the last wall; rich would end the process by itself."""

    def on_broken_pipe(self) -> None:
        """Pass it on."""
        raise BrokenPipeError


def console() -> Console:
    """A console on stdout."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    width = _PIPE_WIDTH if piped else None
    return _Screen(markup=False, highlight=False, emoji=False, width=width, legacy_windows=False)


def words(text: object, style: str = "", limit: int = 400) -> Text:
    """Foreign text as it may be shown."""
    return Text(clean(str(text), limit), style)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], whole: Sequence[str] = ()) -> Table:
    """A plain table; its cells are folded, never cut, and names in the columns ``whole`` are not folded either."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    cells = [[cell if isinstance(cell, Text) else words(cell) for cell in row] for row in rows]
    for place, head in enumerate(heads):
        short = all(row[place].cell_len <= _NAME_WIDTH for row in cells)
        made.add_column(head, overflow="fold", no_wrap=head in whole and short)
    for row in cells:
        made.add_row(*row)
    return made
