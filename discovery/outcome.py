"""What asking a probe ended in: heard, silent or failed, as values. No exception leaves a probe."""

from __future__ import annotations

from dataclasses import dataclass


class ProbeError(Exception):
    """This source could not be understood; others go on. Carries what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that no rule of the grammar knows: its number from 1 and its text, cut and cleaned."""

    number: int
    text: str
