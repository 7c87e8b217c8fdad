"""What is wrong with hosts' cables, judged against the tree: dead, mis-cabled, swapped and slow links, strays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from discovery.arrays import I32, I64
from discovery.findings import Finding, counted, found
from discovery.join import switch_name
from hypernode.inference.leaves import LeafGroups
from hypernode.inference.net import USUAL, Net, rails_of
from hypernode.inference.overlap import MOST
from hypernode.inference.roles import Roles


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cabling:
    """The net with the groups that were found: every question that findings ask of a cable."""

    network: Net
    role: Roles
    leaves: LeafGroups
    group_of_host: I32
    label: I32
    """The label row of every attachment's adapter."""
    rails: dict[int, int]
    """The label that most links of a leaf carry, by switch; no entry where none is usual."""
    with_nodes: frozenset[int]
    """Leaf groups that hold a cluster node: what is odd about the others is nobody's business."""

    @classmethod
    def of(cls, network: Net, role: Roles, leaves: LeafGroups, group_of_host: I32) -> Cabling:
        """Look up what every question needs."""
        rails = {leaf: label for leaf, label in rails_of(network).items() if leaves.of_switch[leaf] >= 0}
        nodes = np.array([bool(node) for node in network.fabric.hosts.node], bool)
        with_nodes = frozenset(group_of_host[nodes].tolist())
        return cls(network, role, leaves, group_of_host, network.label, rails, with_nodes)

    def switch(self, switch: int) -> str:
        """How people call a switch."""
        devices = self.network.fabric.devices
        return switch_name(devices.name[switch], int(devices.guid[switch]))

    def host(self, host: int) -> str:
        """How people call a host; the GUID of its first adapter where it has no name."""
        devices, name = self.network.fabric.devices, self.network.fabric.hosts.name[host]
        return name or f"{int(devices.guid[np.flatnonzero(devices.host == host)[0]]):016x}"

    def node(self, host: int) -> tuple[str, ...]:
        """The cluster node that a host is, as the ``nodes`` of a finding."""
        node = self.network.fabric.hosts.node[host]
        return (node,) if node else ()

    def device(self, row: int) -> str:
        """The device name of an attachment's adapter."""
        devices, links = self.network.fabric.devices, self.network.fabric.links
        return devices.labels[int(devices.label[links.b[self.network.link[row]]])]

    def port(self, row: int) -> int:
        """The switch port of an attachment."""
        return int(self.network.fabric.links.a_port[self.network.link[row]])

    def unnamed_on(self) -> I64:
        """Adapters on each switch that name no host: a host that seems to have no link there may well own one."""
        names = np.array([not name for name in self.network.fabric.hosts.name], bool)
        return np.bincount(self.network.switch[names[self.network.host]], minlength=self.network.switches)


def cabling_findings(cabling: Cabling) -> Iterator[Finding]:
    """Everything about the cables between hosts and switches."""
    home = cabling.leaves.of_switch[cabling.network.switch]
    mine = cabling.group_of_host[cabling.network.host]
    rails = cabling.rails
    foreign = np.flatnonzero((home >= 0) & (mine >= 0) & (home != mine) & (mine < cabling.leaves.count))
    wandering: dict[int, list[int]] = defaultdict(list)
    for row in foreign.tolist():
        wandering[int(cabling.network.host[row])].append(row)
    yield from _missing(cabling, wandering, rails)
    for rows in wandering.values():
        for row in rows:
            yield _miscabled(cabling, row, None)
    yield from _swapped(cabling, np.flatnonzero((home >= 0) & (home == mine)), rails)
    yield from _slow(cabling)
    yield from _strays(cabling)
    yield from _ties(cabling)
    yield from _storage(cabling)


def _missing(cabling: Cabling, wandering: dict[int, list[int]], rails: dict[int, int]) -> Iterator[Finding]:
    """Usual leaves of a group that a host of it has no link to: a mis-cabled link explains one, the rest are dead.

    ``wandering`` (links to leaves of other groups, by host) loses the links that are explained here.
    """
    network = cabling.network
    group, owner = cabling.group_of_host, cabling.leaves.of_switch
    home = np.flatnonzero((group[network.on_host] >= 0) & (owner[network.on_switch] == group[network.on_host]))
    switch, host = network.on_switch[home], network.on_host[home]
    present = np.bincount(switch, minlength=network.switches)
    size = np.bincount(group[group >= 0], minlength=max(cabling.leaves.count, 1))
    yield from _fewer(cabling, home, rails, size, wandering.keys())
    usual = np.flatnonzero((owner >= 0) & (present >= MOST * size[owner]) & (size[owner] > 1))
    incomplete = usual[present[usual] < size[owner[usual]]]
    leaves_of: dict[int, int] = defaultdict(int)
    for leaf in usual.tolist():
        leaves_of[int(owner[leaf])] += 1
    lacking: dict[int, list[int]] = defaultdict(list)
    unnamed = cabling.unnamed_on()
    for leaf in incomplete.tolist():
        if unnamed[leaf] >= size[owner[leaf]] - present[leaf]:
            continue
        on = host[switch == leaf]
        everyone = np.flatnonzero(group == owner[leaf])
        for one in sorted(set(everyone.tolist()) - set(on.tolist())):
            lacking[one].append(leaf)
    alike = Counter(tuple(gone) for gone in lacking.values())
    for one, gone in sorted(lacking.items()):
        another_kind = len(gone) > MOST * leaves_of[int(group[one])] and alike[tuple(gone)] > 1
        if network.fabric.hosts.node[one] and not another_kind:
            yield from _explained(cabling, one, gone, leaves_of[int(group[one])], wandering, rails, present, size)


def _explained(
    cabling: Cabling,
    host: int,
    gone: list[int],
    usual: int,
    wandering: dict[int, list[int]],
    rails: dict[int, int],
    present: I64,
    size: I64,
) -> Iterator[Finding]:
    """One host's missing links: those that went to a wrong leaf, those that are dead, or a host of another kind."""
    labels = cabling.network.fabric.devices.labels
    of = int(size[cabling.group_of_host[host]])
    left = list(gone)
    for row in list(wandering.get(host, ())):
        device = cabling.device(row)
        fits = [leaf for leaf in left if leaf in rails and labels[rails[leaf]] == device] or left
        if fits:
            leaf = fits[0]
            left.remove(leaf)
            wandering[host].remove(row)
            yield _miscabled(cabling, row, leaf)
    if len(gone) > MOST * usual:
        have = usual - len(gone)
        if left:
            rail = f"{len(left)} of {usual} leaves are lost like this, {have} left"
            yield _dead(cabling, host, left[0], rail, int(present[left[0]]), of)
        return
    for leaf in left:
        rail = labels[rails[leaf]] if leaf in rails else "no device name known"
        yield _dead(cabling, host, leaf, rail, int(present[leaf]), of)


def _fewer(
    cabling: Cabling, home: I64, rails: dict[int, int], size: I64, wandering: Collection[int]
) -> Iterator[Finding]:
    """Hosts with fewer links to a leaf than most of their group have to it, where several to one leaf are usual; a
    link that leads elsewhere is told as mis-cabled, not as dead."""
    network = cabling.network
    cables = network.on_cables[home]
    most = int(cables.max(initial=1)) + 1
    if most == 2:
        return
    switch = network.on_switch[home].astype(np.int64)
    table = np.bincount(switch * most + cables, minlength=network.switches * most).reshape(network.switches, most)
    everywhere = table.sum(axis=0)
    rule = int(everywhere.argmax()) if everywhere.max() >= USUAL * everywhere.sum() else 0
    clear = (table.sum(axis=1) > 2) & (table.max(axis=1) >= USUAL * table.sum(axis=1))
    usual = np.where(clear, table.argmax(axis=1), rule)
    labels = network.fabric.devices.labels
    for row in home[cables < usual[switch]].tolist():
        host, leaf = int(network.on_host[row]), int(network.on_switch[row])
        if network.fabric.hosts.node[host] and host not in wandering:
            peers = int(table[leaf, usual[leaf] :].sum())
            links = (int(network.on_cables[row]), int(usual[leaf]))
            rail = labels[rails[leaf]] if leaf in rails else "several devices"
            yield _dead(cabling, host, leaf, rail, peers, int(size[cabling.leaves.of_switch[leaf]]), links)


def _dead(
    cabling: Cabling, host: int, leaf: int, rail: str, have: int, of: int, links: tuple[int, int] = (0, 1)
) -> Finding:
    name, switch, nodes = cabling.host(host), cabling.switch(leaf), cabling.node(host)
    lost, left = float(links[1] - links[0]), f"{links[0]} of {counted(links[1], 'link')}"
    return found(
        "dead-hca-link",
        name,
        switch,
        rail,
        nodes=nodes,
        lost=lost,
        host=name,
        left=left,
        switch=switch,
        rail=rail,
        have=have,
        of=of,
    )


def _miscabled(cabling: Cabling, row: int, home: int | None) -> Finding:
    host, switch = int(cabling.network.host[row]), int(cabling.network.switch[row])
    name, where = cabling.host(host), cabling.switch(switch)
    place = cabling.switch(home) if home is not None else "a leaf of its own group"
    device = cabling.device(row) or "an adapter"
    return found(
        "miscabled-hca",
        name,
        where,
        nodes=cabling.node(host),
        lost=1.0,
        host=name,
        device=device,
        switch=where,
        port=cabling.port(row),
        home=place,
    )


def _swapped(cabling: Cabling, at_home: I64, rails: dict[int, int]) -> Iterator[Finding]:
    """Links on a leaf of the right group that usually serves another device of the hosts."""
    network, labels = cabling.network, cabling.label
    usual = np.zeros(network.switches, np.int32)
    usual[list(rails)] = list(rails.values())
    wrong = at_home[(usual[network.switch[at_home]] > 0) & (labels[at_home] > 0)]
    wrong = wrong[labels[wrong] != usual[network.switch[wrong]]]
    leaf_of = {(int(cabling.leaves.of_switch[leaf]), label): leaf for leaf, label in rails.items()}
    rails_in = Counter(group for group, _ in leaf_of)
    links_of = np.bincount(network.host[at_home], minlength=network.hosts)
    for row in wrong.tolist():
        host, switch = int(network.host[row]), int(network.switch[row])
        group = int(cabling.leaves.of_switch[switch])
        right = leaf_of.get((group, int(labels[row])))
        whole = cabling.node(host) and links_of[host] > MOST * rails_in[group]
        if right is None or right == switch or not whole:
            continue
        name, where, nodes = cabling.host(host), cabling.switch(switch), cabling.node(host)
        device, other = cabling.device(row), network.fabric.devices.labels[usual[switch]]
        port = cabling.port(row)
        yield found(
            "rail-swap", name, where, nodes=nodes, host=name, device=device, switch=where, port=port, other=other
        )


def _slow(cabling: Cabling) -> Iterator[Finding]:
    """Links of hosts that run below what most links on the same leaf run at."""
    network, links = cabling.network, cabling.network.fabric.links
    gbps = links.gbps[network.link]
    known = np.flatnonzero(gbps > 0)
    if not len(known) or gbps[known].min() == gbps[known].max():
        return
    speeds, code = np.unique(gbps[known], return_inverse=True)
    key = network.switch[known].astype(np.int64) * len(speeds) + code.reshape(-1)
    count = np.bincount(key, minlength=network.switches * len(speeds)).reshape(network.switches, len(speeds))
    total, best = count.sum(axis=1), count.argmax(axis=1)
    everywhere = count.sum(axis=0)
    rule = speeds[everywhere.argmax()] if everywhere.max() >= USUAL * everywhere.sum() else 0.0
    usual = np.where((total > 2) & (count.max(axis=1) >= USUAL * total), speeds[best], rule)
    for row in known[gbps[known] < usual[network.switch[known]]].tolist():
        host, switch = int(network.host[row]), int(network.switch[row])
        name, nodes, a = cabling.host(host), cabling.node(host), cabling.switch(switch)
        b = f"{name} {cabling.device(row)}".strip()
        link = int(network.link[row])
        speed, usually, port = f"{links.gbps[link]:g} Gbit/s", f"{usual[switch]:g} Gbit/s", cabling.port(row)
        yield found("slow-link", name, a, nodes=nodes, a=a, b=b, port=port, speed=speed, usual=usually)


def _strays(cabling: Cabling) -> Iterator[Finding]:
    """Hosts on switches that are no leaves."""
    network = cabling.network
    rows = np.flatnonzero(cabling.role.upper[network.switch])
    for host, switch in sorted({(int(network.host[row]), int(network.switch[row])) for row in rows}):
        name, where = cabling.host(host), cabling.switch(switch)
        yield found("stray-host", name, where, nodes=cabling.node(host), host=name, switch=where)


def _ties(cabling: Cabling) -> Iterator[Finding]:
    """Hosts with a foot in each of several groups."""
    for host in sorted(cabling.leaves.ties):
        rows = np.flatnonzero(cabling.network.host == host)
        touched = {int(switch) for switch in cabling.network.switch[rows]}
        switches = sorted(cabling.switch(switch) for switch in touched if cabling.leaves.of_switch[switch] >= 0)
        name = cabling.host(host)
        yield found("tie", name, *switches, nodes=cabling.node(host), host=name, groups=" and ".join(switches))


def _storage(cabling: Cabling) -> Iterator[Finding]:
    """Networks that were left out because they span groups."""
    switches = sorted(cabling.switch(switch) for switch in np.flatnonzero(cabling.leaves.storage).tolist())
    if switches:
        shown = ", ".join(switches[:8]) + (f" and {len(switches) - 8} more" if len(switches) > 8 else "")
        yield found("storage-plane", *switches, switches=shown)
