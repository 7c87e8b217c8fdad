"""The one door for text from wires and files on its way to a terminal: no control characters, bounded length."""

from __future__ import annotations

LIMIT = 400
"""A node name has 253 characters, a description 64; what is longer is an attack or an accident."""

_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
"""Unicode categories that steer a terminal or hide text: C0 and C1 controls, bidi overrides, lone surrogates."""


def clean(text: str, limit: int = LIMIT) -> str:
    """The text with each character that could steer a terminal replaced by ``\\ufffd``, cut at ``limit`` characters."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    if cut.isascii() and cut.isprintable():
        return cut
    import unicodedata  # large, and rarely needed

    return "".join("\ufffd" if unicodedata.category(letter) in _INVISIBLE else letter for letter in cut)
