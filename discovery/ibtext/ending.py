"""Does a text break off? A last line without a line end is suspicious only if it lacks what its fellows have."""

from __future__ import annotations

import re

from discovery.ibtext.grammar import ATTRIBUTE, HEAD, LISTED_NODE, LISTED_PORT, MAX_LINE, PORT
from discovery.observations import SPEEDS

_LOOK_BACK = 1 << 16
_ATTRIBUTES = (b"vendid=", b"devid=", b"sysimgguid=", b"switchguid=", b"caguid=", b"rtguid=")
_WORDS = (*_ATTRIBUTES, b"Switch", b"Ca\t", b"Ca ", b"Rt\t")
_BEGUN = re.compile(rb"\[(?:\d|$)|(?:SW|CA|RT)[ \t]+\d")
_RATE = re.compile(rb"(?:\d+x|\?\?)(?:%s|\?\?\?)\b|(?:\d+x|\?\?)\?\?\?" % "|".join(SPEEDS[1:]).encode())
_DESCRIBED_HEAD = re.compile(rb'^[ \t]*(?:Switch|Ca|Rt)[ \t]+\d+[ \t]*"[^"\n]+"[ \t]*#[ \t]*"', re.M)
_LMC = re.compile(rb"lmc[ \t]*\d+[ \t]*$")


def breaks_off(text: bytes) -> int | None:
    """The number of the last line if it is cut in the middle, else None."""
    start = text.rfind(b"\n") + 1
    line = text[start : start + MAX_LINE]
    if not line.strip() or not _looks_cut(line, text[max(start - _LOOK_BACK, 0) : start]):
        return None
    return text[:start].count(b"\n") + 1


def _looks_cut(line: bytes, before: bytes) -> bool:
    begun = line.lstrip(b" \t")
    port = PORT.fullmatch(line)
    if port:
        return not _RATE.match(port[15]) and bool(_RATE.search(before))
    head = HEAD.fullmatch(line)
    if head and head[6] is not None:
        return head[1].lower() == b"switch" and not _LMC.search(line)
    if head:
        return bool(_DESCRIBED_HEAD.search(before))
    if any(rule.fullmatch(line) for rule in (ATTRIBUTE, LISTED_PORT, LISTED_NODE)):
        return False  # attributes without a head are found where records are put together
    return bool(_BEGUN.match(begun)) or any(begun.startswith(word) or word.startswith(begun) for word in _WORDS)
