"""How a command fails: a sentence for people, what to do next, and the exit code."""

from __future__ import annotations

FAILED = 1
"""Nothing could be read, the guard refused, ``check`` found a difference, or the work failed."""
MISUSED = 2
"""Bad usage, bad configuration, or a path that does not exist."""


class Failure(Exception):
    """The work failed (exit 1); carries what to do next."""

    code = FAILED

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Misuse(Failure):
    """The command line, the configuration or a path is wrong (exit 2)."""

    code = MISUSED
