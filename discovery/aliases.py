"""Names of one machine in several spellings: short, FQDN, case, underscores, cut off at 64 bytes. Exact words only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

_CUT = 63
"""NodeDescription holds 64 bytes, 63 before rdma-core v43: a word that fills it may go on."""


class NodeNames:
    """The cluster's node names, found again from what machines call themselves."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._spelled: dict[str, str] = {name: name for name in self.names}
        loose: dict[str, set[str]] = defaultdict(set)
        for name in self.names:
            for spelling in {plain(name), plain(name).partition(".")[0]}:
                loose[spelling].add(name)
        self._loose = {spelling: next(iter(names)) for spelling, names in loose.items() if len(names) == 1}

    def __contains__(self, name: str) -> bool:
        return name in self._spelled

    def match(self, text: str) -> str | None:
        """The node that this text names, or None; never by a part of a word, never where two nodes would fit."""
        name = self._spelled.get(text) or self._loose.get(plain(text))
        if name is None and "." in text:
            name = self._loose.get(plain(text).partition(".")[0])
        if name is None and len(text.encode("utf-8", "surrogatepass")) >= _CUT:
            longer = [node for node in self.names if plain(node).startswith(plain(text))]
            name = longer[0] if len(longer) == 1 else None
        return name


def plain(name: str) -> str:
    """One spelling for names that differ in case, underscores (illegal in Kubernetes) or a final dot only."""
    return name.lower().replace("_", "-").rstrip(".")


def plain_all(names: Sequence[str]) -> list[str]:
    """The same for many names at once; none of them may hold a line break."""
    return [name.rstrip(".") for name in "\n".join(names).lower().replace("_", "-").split("\n")] if names else []
