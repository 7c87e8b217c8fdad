"""Which networks count for placement, where the administrator knows better than structure can tell. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import translate


@dataclass(frozen=True, slots=True)
class Planes:
    """Patterns (``*`` and ``?``, any case) for switches by name, description or GUID."""

    storage: tuple[str, ...] = ()
    """Switches that never join hosts: storage and management networks. Empty: told apart by structure."""
    compute: tuple[str, ...] = ()
    """Switches that are never taken for storage, whatever their structure says."""

    def __bool__(self) -> bool:
        return bool(self.storage or self.compute)


def matching(patterns: tuple[str, ...], names: Sequence[tuple[str, ...]]) -> list[bool]:
    """For each switch, given in all its names, whether one of the patterns fits one of them."""
    if not patterns:
        return [False] * len(names)
    fits = re.compile("|".join(translate(pattern.lower()) for pattern in patterns)).match
    return [any(fits(name.lower()) for name in known) for known in names]
