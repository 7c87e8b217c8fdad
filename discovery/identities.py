"""Names that hardware gives itself, as types: parsed once at the edge, printed in one spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEX = re.compile(r"(?:0[xX])?([0-9a-fA-F]{1,16})\Z")
_GROUPS = re.compile(r"[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4}){3}\Z")


@dataclass(frozen=True, slots=True, order=True)
class Guid:
    """A 64-bit InfiniBand GUID (IBTA 4.1, EUI-64); zero is reserved and never names a device."""

    value: int

    def __post_init__(self) -> None:
        if not 0 < self.value < 1 << 64:
            raise ValueError(f"not an InfiniBand GUID: {self.value:#x}")

    @classmethod
    def parse(cls, text: str) -> Guid:
        """Read ``0x2c90300e1``, bare hex digits or sysfs' ``0c42:a103:0000:0070``; ValueError for all else and zero."""
        text = text.strip()
        if _GROUPS.match(text):
            return cls(int("".join(group.rjust(4, "0") for group in text.split(":")), 16))
        match = _HEX.match(text)
        if match is None:
            raise ValueError(f"not an InfiniBand GUID: {text[:40]!r}")
        return cls(int(match[1], 16))

    def __str__(self) -> str:
        return f"{self.value:016x}"


@dataclass(frozen=True, slots=True, order=True)
class Witness:
    """Who said something: a probe, on a node (None: an unnamed recording), in a file, at a time the tool printed."""

    probe: str
    source: str
    node: str | None = None
    time: str | None = None

    def __str__(self) -> str:
        parts = [self.probe, f"on {self.node}" if self.node else "", f"from {self.source}", self.time or ""]
        return " ".join(part for part in parts if part)
