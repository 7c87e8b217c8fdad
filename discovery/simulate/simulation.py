"""Draw a fabric of a kind with faults, and render it in a format: the two calls that everybody needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from discovery.simulate.capture import write_capture
from discovery.simulate.damage import damaged_texts
from discovery.simulate.draft import Draft
from discovery.simulate.faults import apply_faults
from discovery.simulate.ibsim import write_ibsim
from discovery.simulate.kinds import KINDS
from discovery.simulate.wiring import Wiring

MOST_RAILS = 16
MOST_ADAPTERS = 500_000


def simulate(kind: str, *, hosts: int, rails: int = 1, seed: int = 0, faults: Sequence[str] = ()) -> Wiring:
    """Draw a fabric; ``faults`` are NAME or NAME=AMOUNT. ValueError names what exists, or what does not fit."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: choose one of {', '.join(KINDS)}")
    if hosts < 1:
        raise ValueError(f"hosts must be at least 1, not {hosts}")
    if not 1 <= rails <= MOST_RAILS:
        raise ValueError(f"rails must be 1 to {MOST_RAILS}, not {rails}")
    if hosts * rails > MOST_ADAPTERS:
        raise ValueError(f"{hosts:,} hosts of {rails} rails are {hosts * rails:,} adapters, at most {MOST_ADAPTERS:,}")
    draft = Draft(kind, seed)
    KINDS[kind].cable(draft, hosts, rails)
    apply_faults(draft, faults)
    return draft.finish()


FORMATS: dict[str, Callable[[Wiring], dict[str, bytes]]] = {
    "ibnetdiscover": damaged_texts,
    "ibsim": write_ibsim,
    "capture": write_capture,
}


def render(wiring: Wiring, format_name: str) -> dict[str, bytes]:
    """Write a wiring as files, by relative path; ValueError names the formats that exist."""
    if format_name not in FORMATS:
        raise ValueError(f"unknown format {format_name!r}: choose one of {', '.join(FORMATS)}")
    return FORMATS[format_name](wiring)
