"""What is wrong with cables between switches, judged against their peers: dead and mis-cabled uplinks, odd switches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from discovery.arrays import I32, Bool
from discovery.distinct import distinct, summed
from discovery.findings import Finding, counted, found
from hypernode.inference.cabling import Cabling
from hypernode.inference.net import USUAL
from hypernode.inference.overlap import MOST, Incidence, Signatures, cluster, signatures
from hypernode.inference.shape import owners
from hypernode.inference.tiers import Climb

FEW = 0.25
"""A switch without cluster nodes and with no more than this share of its peers' uplinks is of another kind."""


def trunk_findings(cabling: Cabling, climbed: Climb) -> Iterator[Finding]:
    """Everything about the cables between switches."""
    top = int(climbed.level_of.max(initial=-1))
    for level in range(top):
        yield from _uplinks(cabling, climbed, level)
    yield from _same_level(cabling, climbed)
    flat = np.flatnonzero((cabling.role.hosts == 0) & cabling.role.flat).tolist()
    for switch in [*flat, *sorted(climbed.spare)]:
        yield found("empty-leaf", name := cabling.switch(switch), switch=name)
    yield from _cut_off(cabling, climbed)
    yield from _lost_rails(cabling)
    yield from _lost_switches(cabling, climbed)
    yield from _not_a_tree(cabling, climbed)
    yield from _unconnected(cabling)


def _uplinks(cabling: Cabling, climbed: Climb, level: int) -> Iterator[Finding]:
    """Switches whose uplinks differ from those of most switches that go to the same places, or leave their group."""
    network, of = cabling.network, climbed.level_of
    rising = np.flatnonzero((of[network.u] == level) & (of[network.v] == level + 1))
    falling = np.flatnonzero((of[network.v] == level) & (of[network.u] == level + 1))
    lower = np.concatenate([network.u[rising], network.v[falling]])
    upper = np.concatenate([network.v[rising], network.u[falling]])
    owner = owners(network, climbed, level + 1)
    for row in np.flatnonzero((owner[lower] != owner[upper]) & (owner[lower] >= 0) & (owner[upper] >= 0)).tolist():
        switch, peer = int(lower[row]), int(upper[row])
        name, other, port = cabling.switch(switch), cabling.switch(peer), _port(cabling, switch, peer)
        yield found("miscabled-uplink", name, other, switch=name, port=port, peer=other)
    if _even(lower, network.switches) and _even(upper, network.switches):
        return
    uplinks = signatures(Incidence.of(network.switches, lower, upper, np.ones(len(lower))))
    nodes = np.array([bool(node) for node in network.fabric.hosts.node], bool)
    with_nodes = np.bincount(network.on_switch, nodes[network.on_host], network.switches) > 0
    for number, usual in _rules(uplinks, with_nodes).items():
        for switch in np.flatnonzero(uplinks.of_row == number).tolist():
            if level == 0 and int(cabling.leaves.of_switch[switch]) not in cabling.with_nodes:
                continue
            yield from _differences(cabling, switch, uplinks.sets[number], usual)


def _even(end: I32, switches: int) -> bool:
    """Whether all switches at this end have as many cables: a dead one would make a switch at each end differ."""
    cables = np.bincount(end, minlength=switches)
    return len(distinct(cables[cables > 0])) == 1


def _rules(uplinks: Signatures, with_nodes: Bool) -> dict[int, dict[int, float]]:
    """For each signature that differs from what most of its kind have: what they have."""
    order = sorted(range(len(uplinks.sets)), key=lambda number: sorted(uplinks.sets[number].items()))
    sets = [uplinks.sets[number] for number in order]
    found_ = cluster(sets, [int(uplinks.size[number]) for number in order])
    members: dict[int, list[int]] = defaultdict(list)
    for number, kind in zip(order, found_.of_set, strict=True):
        if kind >= 0:
            members[kind].append(number)
    rules: dict[int, dict[int, float]] = {}
    for numbers in members.values():
        usual = max(numbers, key=lambda one: (int(uplinks.size[one]), sum(uplinks.sets[one].values()), -one))
        for number in numbers:
            if number != usual:
                rules[number] = uplinks.sets[usual]
    alone = [numbers[0] for numbers in members.values() if len(numbers) == 1 and uplinks.size[numbers[0]] == 1]
    for number in alone:
        rule = _wider(uplinks, number, 0.0 if with_nodes[uplinks.of_row == number].any() else FEW)
        if rule is not None:
            rules[number] = rule
    return rules


def _wider(uplinks: Signatures, number: int, few: float) -> dict[int, float] | None:
    """What switches have that go to the same places as this one and to more: most of its cables died."""
    mine = uplinks.sets[number]
    weight = sum(mine.values())
    best: tuple[float, int] | None = None
    for other, theirs in enumerate(uplinks.sets):
        if other == number or len(theirs) <= len(mine) or uplinks.size[other] < 2:
            continue
        shared = sum(min(cables, theirs[peer]) for peer, cables in mine.items() if peer in theirs)
        if shared >= MOST * weight and weight > few * sum(theirs.values()):
            best = max(best or (0.0, other), (shared, other))
    return None if best is None else uplinks.sets[best[1]]


def _differences(
    cabling: Cabling, switch: int, has: dict[int, float], usual: dict[int, float]
) -> Iterator[Finding]:
    """Cables that peers have and this switch has not."""
    name = cabling.switch(switch)
    missing = [cables - has.get(peer, 0.0) for peer, cables in usual.items() if has.get(peer, 0.0) < cables]
    ports = _free_ports(cabling, switch, int(missing[0])) if len(missing) == 1 else []
    for peer, cables in sorted(usual.items()):
        have = has.get(peer, 0.0)
        if have < cables:
            other, lost = cabling.switch(peer), cables - have
            left = f"{int(have)} of {counted(int(cables), 'link')}"
            free = f" (free between its uplinks: {_named(ports)})" if ports else ""
            yield found("dead-uplink", name, other, lost=lost, switch=name, left=left, peer=other, free=free)


def _port(cabling: Cabling, switch: int, peer: int) -> int:
    """A port of a switch that leads to this peer."""
    return _ports(cabling, switch, peer)[0]


def _ports(cabling: Cabling, switch: int, peer: int) -> list[int]:
    """The ports of a switch that lead to this peer."""
    links = cabling.network.fabric.links
    low, high = min(switch, peer), max(switch, peer)
    start, end = np.searchsorted(links.a, [low, low + 1])
    rows = start + np.flatnonzero(links.b[start:end] == high)
    return sorted((links.a_port if switch == low else links.b_port)[rows].tolist())


def _free_ports(cabling: Cabling, switch: int, missing: int) -> list[int]:
    """The free ports between those that lead to other switches, if just as many are free as cables are missing."""
    links = cabling.network.fabric.links
    ours = links.a == switch
    rows = np.flatnonzero(ours | (links.b == switch))
    port = np.where(ours[rows], links.a_port[rows], links.b_port[rows])
    trunks = port[np.where(ours[rows], links.b[rows], links.a[rows]) < cabling.network.switches]
    free = sorted(set(range(int(trunks.min()), int(trunks.max()))) - set(port.tolist())) if len(trunks) else []
    return free if len(free) == missing else []


def _named(ports: Sequence[int]) -> str:
    return f"port{'' if len(ports) == 1 else 's'} {', '.join(map(str, ports))}"


def _same_level(cabling: Cabling, climbed: Climb) -> Iterator[Finding]:
    """Leaves that are cabled to each other."""
    network, level = cabling.network, climbed.level_of
    if any(one.by_links for one in climbed.levels[1:2]):
        return
    rows = np.flatnonzero((level[network.u] == 0) & (level[network.v] == 0))
    for one, other in sorted(set(zip(network.u[rows].tolist(), network.v[rows].tolist(), strict=True))):
        a, b = cabling.switch(one), cabling.switch(other)
        ports, peer_ports = _named(_ports(cabling, one, other)), _named(_ports(cabling, other, one))
        yield found("same-level-link", a, b, a=a, b=b, ports=ports, peer_ports=peer_ports)


def _cut_off(cabling: Cabling, climbed: Climb) -> Iterator[Finding]:
    """Leaves without any uplink in a group whose other leaves have some."""
    network, owner = cabling.network, cabling.leaves.of_switch
    up = np.zeros(network.switches, bool)
    level = climbed.level_of
    for one, other in ((network.u, network.v), (network.v, network.u)):
        up[one[(level[one] == 0) & (level[other] > 0)]] = True
    leaves = np.flatnonzero((owner >= 0) & (level == 0))
    connected = np.bincount(owner[leaves], up[leaves], max(cabling.leaves.count, 1))
    for leaf in leaves[~up[leaves] & (connected[owner[leaves]] > 0)].tolist():
        name = cabling.switch(leaf)
        yield found("missing-switch", name, detail=f"{name} has no uplink at all, other leaves of its group have")


def _not_a_tree(cabling: Cabling, climbed: Climb) -> Iterator[Finding]:
    if cabling.role.flat.any():
        detail = "Hosts and cables between equals are everywhere (torus, ring or mesh): there are no levels."
        yield found("not-a-tree", detail=detail)
    elif any(level.by_links for level in climbed.levels):
        detail = "Groups are joined by cables within a level, with no level above them (dragonfly)."
        yield found("not-a-tree", detail=detail)


def _unconnected(cabling: Cabling) -> Iterator[Finding]:
    """Switches that no cable path leads from to any host."""
    network = cabling.network
    label = network.component
    hosts = np.bincount(label, cabling.role.hosts, network.switches)
    for switch in np.flatnonzero((hosts[label] == 0) & ~network.fabric.devices.vague[: network.switches]).tolist():
        yield found("disconnected", name := cabling.switch(switch), name=name)


def _lost_rails(cabling: Cabling) -> Iterator[Finding]:
    """Rails that most groups use and no link of one group is on: the whole leaf is gone."""
    usual_of: dict[int, set[int]] = defaultdict(set)
    for leaf, rail in cabling.rails.items():
        usual_of[int(cabling.leaves.of_switch[leaf])].add(rail)
    if len({frozenset(rails) for rails in usual_of.values()}) < 2:
        return
    network, labels = cabling.network, cabling.network.fabric.devices.labels
    home = cabling.leaves.of_switch[network.switch]
    rows = np.flatnonzero((home >= 0) & (home == cabling.group_of_host[network.host]) & (cabling.label > 0))
    group, label, _, links = summed(home[rows], cabling.label[rows], network.gbps[rows], len(labels))
    size = np.bincount(cabling.group_of_host[cabling.group_of_host >= 0], minlength=max(cabling.leaves.count, 1))
    known: dict[int, set[int]] = defaultdict(set)
    usual: dict[int, set[int]] = defaultdict(set)
    for who, rail, count in zip(group.tolist(), label.tolist(), links.tolist(), strict=True):
        known[who].add(rail)
        if count >= MOST * size[who]:
            usual[who].add(rail)
    most = max(map(len, usual.values()), default=0)
    peers = [who for who in usual if len(usual[who]) >= MOST * most and who in cabling.with_nodes]
    count_of = Counter(rail for who in peers for rail in usual[who])
    for who in sorted(peers) if len(peers) > 2 else ():
        for rail in sorted(rail for rail, n in count_of.items() if n >= USUAL * len(peers) and rail not in known[who]):
            name = cabling.switch(int(np.flatnonzero(cabling.leaves.of_switch == who)[0]))
            detail = f"The group of {name} has no leaf for {labels[rail]}, other groups have one"
            yield found("missing-switch", name, labels[rail], detail=detail)


def _lost_switches(cabling: Cabling, climbed: Climb) -> Iterator[Finding]:
    """Groups with fewer spines than most of their like have: a whole switch is gone, and all its cables with it."""
    for level in climbed.levels[1:]:
        held = {int(level.item[group]) for group in cabling.with_nodes if group >= 0}
        count = {who: len(switches) for who, switches in level.switches.items() if who in held}
        usual, often = Counter(count.values()).most_common(1)[0] if len(count) > 2 else (0, 0)
        for who in sorted(who for who, n in count.items() if n < usual and often >= USUAL * len(count)):
            name = cabling.switch(min(level.switches[who]))
            detail = f"The group of {name} has {count[who]} of the {usual} switches that other groups have on its level"
            yield found("missing-switch", name, detail=detail)
