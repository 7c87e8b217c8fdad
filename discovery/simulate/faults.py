"""The faults that can be drawn into a fabric: one table, a row a fault, with what it does and how much by default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from discovery.simulate import cable_faults as cables
from discovery.simulate import host_faults as hosts
from discovery.simulate import switch_faults as switches
from discovery.simulate.draft import Draft
from discovery.simulate.wiring import Damage


@dataclass(frozen=True, slots=True)
class Fault:
    """One row: the name people type, what it does, what its number counts, and that number where none is given."""

    name: str
    what: str
    counts: str
    usual: int
    apply: Callable[[Draft, int], None] | None = None
    """None: it is done to the text (damage.DAMAGERS)."""


_ROWS = (
    Fault("dead-hca-link", "takes an adapter's cable away", "cables", 1, cables.dead_hca_link),
    Fault("dead-uplink", "takes a cable between a leaf and a spine away", "cables", 1, cables.dead_uplink),
    Fault("dead-leaf", "takes all cables of a leaf away", "leaves", 1, switches.dead_leaf),
    Fault("dead-spine", "takes all cables of a spine away", "spines", 1, switches.dead_spine),
    Fault("miscabled-hca", "moves an adapter's cable to a leaf of another unit", "cables", 1, cables.miscabled_hca),
    Fault("rail-swap", "crosses two rails of a host within its unit", "hosts", 1, cables.rail_swap),
    Fault("miscabled-uplink", "moves a leaf's uplink to a spine of another pod", "cables", 1, cables.miscabled_uplink),
    Fault("one-sided-link", "lets one end of a cable between switches be silent", "cables", 1, cables.one_sided_link),
    Fault("slow-link", "lets an adapter's cable run at half of its speed", "cables", 1, cables.slow_link),
    Fault("unknown-speed", "prints ??? for the speed of a cable", "cables", 1, cables.unknown_speed),
    Fault("link-loss", "takes cables away at random", "per cent of all cables", 1, cables.link_loss),
    Fault("self-loop", "joins two free ports of one leaf", "leaves", 1, cables.self_loop),
    Fault("default-description", "gives an adapter its factory description", "adapters", 1, hosts.default_description),
    Fault("unnamed-host", "gives all adapters of a host their factory description", "hosts", 1, hosts.unnamed_host),
    Fault("duplicate-hostname", "lets a host call itself like another", "hosts", 1, hosts.duplicate_hostname),
    Fault("duplicate-guid", "gives an adapter the GUID of another", "adapters", 1, hosts.duplicate_guid),
    Fault("fqdn", "lets all adapters call themselves by full domain names", "nothing", 1, hosts.fqdn),
    Fault("few-agents", "lets a capture hold the sysfs of so many hosts only", "hosts", 4, hosts.few_agents),
    Fault("stray-host", "adds a node on a spine", "hosts", 1, switches.stray_host),
    Fault("storage-plane", "adds storage leaves that span all units", "leaves", 2, switches.storage_plane),
    Fault("empty-leaf", "adds a leaf without hosts", "leaves", 1, switches.empty_leaf),
    Fault("sharp", "adds an aggregation node to every switch", "nothing", 1, switches.sharp),
    Fault("router", "adds a router that is cabled to two spines", "routers", 1, switches.router),
    Fault("shuffled", "writes the records in random order", "nothing", 1),
    Fault("missing-header", "leaves out the comment at the top", "nothing", 1),
    Fault("stderr-noise", "mixes lines of error output into the text", "lines", 10),
    Fault("truncated", "breaks off in the middle of a line", "per cent of the records", 10),
    Fault("crlf", "ends lines as Windows does", "nothing", 1),
)
FAULTS: dict[str, Fault] = {fault.name: fault for fault in _ROWS}
MOST_AMOUNT = 1_000_000


def apply_faults(draft: Draft, asked: Sequence[str]) -> None:
    """Apply each NAME or NAME=AMOUNT; ValueError names what exists, or why the fabric has no room for it."""
    amounts: dict[str, int] = {}
    for text in asked:
        name, _, amount = text.partition("=")
        # Twice the same fault is one of twice the size: storage has one spine however often it is asked for.
        amounts[name] = amounts.get(name, 0) + _amount(name, amount)
    for name, total in amounts.items():
        fault = FAULTS[name]
        most = 100 if fault.counts.startswith("per cent") else MOST_AMOUNT
        if not 1 <= total <= most:
            raise ValueError(f"fault {name} needs 1 to {most} {fault.counts}, not {total}")
        if fault.apply is not None:
            fault.apply(draft, total)
        else:
            draft.damages.append(Damage(name, total, draft.dice.below(1 << 32)))


def _amount(name: str, text: str) -> int:
    fault = FAULTS.get(name)
    if fault is None:
        raise ValueError(f"unknown fault {name[:40]!r}: choose from {', '.join(FAULTS)}")
    if text and not (text.isascii() and text.isdecimal()):
        raise ValueError(f"fault {name} needs a whole number of {fault.counts}, not {text[:40]!r}")
    return int(text[:12]) if text else fault.usual
