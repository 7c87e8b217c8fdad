"""InfiniBand cables as one sweep of the subnet shows them: ibnetdiscover(8) and its dialects. Knows no host or tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from discovery.ibtext import ending, grammar, portlist
from discovery.ibtext.reading import plain, read
from discovery.ibtext.records import Records, assemble
from discovery.ibtext.rows import Found, shown
from discovery.identities import Witness
from discovery.observations import EndColumns, Record, Sweep, SweepNotes
from discovery.outcome import ProbeError

LOOK = 1 << 18
"""How far ``recognises`` looks: prompts, lists and error output may come first."""

_SIGNS = re.compile(
    rb"^[ \t]*(?:# Topology file: generated on "
    rb'|(?:Switch|Ca|Hca|Rt)[ \t]+\d{1,3}[ \t]*"[^"\r\n]+"'
    rb'|\[\d{1,3}\][^"\r\n]{0,80}"[^"\r\n]+"[ \t]*\[\d{1,3}\]'
    rb"|(?:vendid|devid|sysimgguid|switchguid|caguid|rtguid)=0x[0-9a-fA-F]+"
    rb"|(?:SW|CA|RT)[ \t]+-?\d+[ \t]+\d+[ \t]+0x[0-9a-fA-F]{1,16}[ \t]"
    rb"|(?:Switch|Ca|Rt|Router)[ \t]+:[ \t]+0x[0-9a-fA-F]{1,16}[ \t]+ports )",
    re.M,
)


def recognises(text: bytes) -> bool:
    """Whether this looks like ibnetdiscover's output in any dialect: one line of it near the beginning is enough."""
    return _SIGNS.search(plain(text[:LOOK])) is not None


def parse(text: bytes, witness: Witness, read: Callable[[bytes], Found] = read) -> Sweep:
    """Read one sweep. ProbeError where nothing of it is ibnetdiscover's output; every lesser damage is in the notes.

    The text may be an ``mmap`` that nobody changes or closes while the sweep is in use. ``read`` turns a plain text
    into rows; a caller may read the parts of a large one in several processes (``ibtext.reading.read_part``).
    """
    text = plain(text)
    found = read(text)
    witness = replace(witness, time=_time(text) or witness.time)
    records = assemble(text, found)
    if records.devices.defined.any():
        return Sweep(
            witness,
            _dialect(text, found),
            records.devices,
            records.ends,
            np.empty(0, np.int32),
            np.empty(0, np.int32),
            _notes(text, found, records),
        )
    listed = found.port_list()
    if len(listed["line"]):
        return portlist.sweep(text, listed, witness, _notes(text, found, records))
    raise _refusal(text, found, records, witness)


def summary(sweep: Sweep) -> dict[str, int]:
    """Counts of devices with a record of their own (named ones in a port list) and of distinct cables."""
    kind = sweep.devices.kind
    own = kind if sweep.dialect == "ports" else kind[sweep.devices.defined]
    return {
        "switches": int((own == Record.SWITCH).sum()),
        "channelAdapters": int((own == Record.CA).sum()),
        "routers": int((own == Record.ROUTER).sum()),
        "links": _cables(sweep.ends),
    }


def _cables(ends: EndColumns) -> int:
    near = ends.device.astype(np.int64) << 8 | ends.port
    far = ends.peer.astype(np.int64) << 8 | ends.peer_port
    low, high = np.minimum(near, far), np.maximum(near, far)
    order = np.lexsort((high, low))
    low, high = low[order], high[order]
    return int(len(order) > 0) + int(((low[1:] != low[:-1]) | (high[1:] != high[:-1])).sum())


def _time(text: bytes) -> str | None:
    """When the tool says that it ran, in its words."""
    for sign in grammar.TIME_SIGNS:
        at = text.find(sign, 0, LOOK)
        if at >= 0:
            line = text[at + len(sign) : at + len(sign) + 64].split(b"\n", 1)[0]
            return shown(line.lstrip(b" \t:")) or None
    return None


def _dialect(text: bytes, found: Found) -> str:
    if found.labels or text.find(grammar.IBDIAGNET_SIGN, 0, LOOK) >= 0:
        return "ibdiagnet"
    return "ibsim" if found.ibsim else "ibnetdiscover"


def _notes(text: bytes, found: Found, records: Records) -> SweepNotes:
    return SweepNotes(
        unread=found.unread.count,
        unread_sample=found.unread.first(),
        stderr_lines=found.stderr.count,
        stderr_sample=found.stderr.first(),
        truncated=ending.breaks_off(text) or records.unfinished,
        duplicates=records.duplicates,
        bad_values=found.bad.first(),
        bad_value_lines=found.bad.count,
    )


def _refusal(text: bytes, found: Found, records: Records, witness: Witness) -> ProbeError:
    source = witness.source
    if not text[:].strip():
        return ProbeError(f"{source} is empty.", "Did ibnetdiscover run as root on an active port? See its stderr.")
    if found.stderr.count and not found.unread.count:
        said = found.stderr.sample[0].text
        return ProbeError(f"{source} holds only error output: {said}", "Run ibnetdiscover as root on an active port.")
    if found.nodes_listed:
        return ProbeError(
            f"{source} is a list of nodes without their cables.", "Run ibnetdiscover without -l, -S, -H and -R."
        )
    if records.orphans:
        return ProbeError(f"{source} has port lines, but no record that they belong to.", "Record it unfiltered.")
    return ProbeError(
        f"{source} is no output of ibnetdiscover: it has no device record and no port line.",
        "Give the plain output: ibnetdiscover > FILE.",
    )
