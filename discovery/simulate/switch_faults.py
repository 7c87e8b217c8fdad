"""Faults of whole switches, and switches that belong to no unit: dead, empty, spanning, with a node on a spine."""

from __future__ import annotations

from collections import Counter

from discovery.fabric import Role
from discovery.simulate.choice import cables_of, hca_cables, pick_switches, remove, switch_name, switches
from discovery.simulate.draft import Draft
from discovery.simulate.wiring import AGGREGATION_NODE, QUANTUM2, QUANTUM_X800, ROUTER, Cable, Expected, Host

NEEDS_SPINES = "{fault} needs spines: this kind has none"


def dead_leaf(draft: Draft, count: int) -> None:
    """Take all cables of ``count`` leaves away; hosts that had no other are not heard any more."""
    before = hca_cables(draft)
    units = Counter(draft.devices[leaf].unit for leaf in switches(draft, "leaf", "flat"))
    for leaf in pick_switches(draft, "dead-leaf", switches(draft, "leaf", "flat"), count):
        # Of two units nobody can say which one is short of a leaf.
        if units[draft.devices[leaf].unit] > 1 and len(units) > 2:
            draft.expected.append(Expected("missing-switch"))
        remove(draft, cables_of(draft, leaf))
    after = hca_cables(draft)
    draft.expected += [Expected("unplaced", (host,)) for host in before if host not in after]


def dead_spine(draft: Draft, count: int) -> None:
    """Take all cables of ``count`` spines away; at least one of each pod stays."""
    spines = switches(draft, "spine")
    if not spines:
        raise ValueError(NEEDS_SPINES.format(fault="dead-spine"))
    firsts = {(draft.devices[spine].unit, draft.devices[spine].plane): spine for spine in reversed(spines)}
    for spine in pick_switches(draft, "dead-spine", [one for one in spines if one not in firsts.values()], count):
        remove(draft, cables_of(draft, spine))


def stray_host(draft: Draft, count: int) -> None:
    """Put ``count`` nodes with one adapter each on spines; each is a leaf group of its own below that spine's group."""
    spines = switches(draft, "spine")
    if not spines:
        raise ValueError(NEEDS_SPINES.format(fault="stray-host"))
    places = pick_switches(draft, "stray-host", spines, count)
    for number, spine in enumerate(places, start=1):
        name = f"stray-{number:02d}"
        below = draft.devices[spine].unit
        plane = draft.devices[spine].plane
        above = next(host.path[1:] for host in draft.hosts.values() if below in host.path or below == "pod 0")
        draft.hosts[name] = Host(name, (name, *above))
        draft.touched.add(name)
        draft.cable(draft.adapter(name, "mlx5_0", plane), spine)
        draft.expected.append(Expected("stray-host", (name, switch_name(draft, spine))))


def storage_plane(draft: Draft, count: int) -> None:
    """Add ``count`` storage leaves below a spine of their own; host i has a further adapter on leaf i mod count."""
    nodes = [host.name for host in draft.hosts.values() if host.node]
    each = -(-len(nodes) // count) + 2
    count = max(count, -(-len(nodes) // (QUANTUM2.ports - 4))) if each > QUANTUM2.ports - 2 else count
    spine = draft.switch("ST-SPINE", QUANTUM_X800, "storage", "storage")
    leaves = []
    for number in range(count):
        leaves.append(draft.switch(f"ST-LEAF-{number:02d}", QUANTUM2, "storage", "storage"))
        for _ in range(1 if count > QUANTUM_X800.ports // 2 else 2):
            draft.cable(leaves[-1], spine)
        server = f"stor-{number + 1:02d}"
        draft.hosts[server] = Host(server, ("storage",), node=False)
        draft.cable(draft.adapter(server, "mlx5_0"), leaves[-1])
    adapters = {device.host: 0 for device in draft.devices if device.host}
    for device in draft.devices:
        if device.host:
            adapters[device.host] += 1
    for place, host in enumerate(nodes):
        draft.cable(draft.adapter(host, f"mlx5_{adapters[host]}"), leaves[place % count])
    draft.expected.append(Expected("storage-plane"))


def empty_leaf(draft: Draft, count: int) -> None:
    """Add ``count`` leaves without hosts, cabled to the spines of the first pod like their neighbours."""
    spines = [spine for spine in switches(draft, "spine") if draft.devices[spine].plane == 0]
    if not spines:
        raise ValueError(NEEDS_SPINES.format(fault="empty-leaf"))
    first = [spine for spine in spines if draft.devices[spine].unit == draft.devices[spines[0]].unit]
    for number in range(count):
        name = f"LEAF-SPARE-{number:02d}"
        leaf = draft.switch(name, QUANTUM2, "spare", "spare")
        for spine in first:
            draft.cable(leaf, spine)
        draft.expected.append(Expected("empty-leaf", (name,)))


def sharp(draft: Draft, _count: int) -> None:
    """Give every switch the aggregation node that sits on its last port."""
    for place, device in enumerate(tuple(draft.devices)):
        if device.role == Role.SWITCH:
            node = draft.inside(place, Role.AGGREGATION, AGGREGATION_NODE, AGGREGATION_NODE.name)
            draft.cables.append(Cable(node, 1, place, device.ports))


def router(draft: Draft, count: int) -> None:
    """Add ``count`` routers, cabled to two spines of the first plane each."""
    spines = [spine for spine in switches(draft, "spine") if draft.devices[spine].plane == 0]
    if not spines:
        raise ValueError(NEEDS_SPINES.format(fault="router"))
    for number in range(1, count + 1):
        place = draft.inside(spines[0], Role.ROUTER, ROUTER, f"MF0;RTR-{number:02d}:{ROUTER.name}")
        for spine in draft.dice.sample(spines, 2):
            draft.cable(place, spine)
