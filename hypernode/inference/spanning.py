"""Leaves that span units: storage and management switches, which must not join the hosts that use them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from discovery.arrays import Bool
from hypernode.inference.overlap import MOST, Signatures, cluster, overlap

SUBSTANTIAL = 0.25
"""A leaf serves a foreign group in earnest when it has more than this share of its hosts; less is mis-cabling."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Attached:
    """Which signatures and how many hosts are on each leaf, and the device name that is usual there."""

    found: Signatures
    rails: dict[int, int]
    on: dict[int, list[int]]
    hosts: dict[int, int]

    @classmethod
    def of(cls, found: Signatures, rails: dict[int, int]) -> _Attached:
        """Turn signatures inside out."""
        on: dict[int, list[int]] = defaultdict(list)
        hosts: dict[int, int] = defaultdict(int)
        for number, one in enumerate(found.sets):
            for switch in one:
                on[switch].append(number)
                hosts[switch] += int(found.size[number])
        return cls(found, rails, on, hosts)

    def without(self, number: int, gone: set[int]) -> dict[int, float]:
        """A signature's set without some leaves."""
        return {switch: gbps for switch, gbps in self.found.sets[number].items() if switch not in gone}


def spanning_leaves(found: Signatures, rails: dict[int, int], compute: Bool) -> set[int]:
    """Leaves whose hosts, grouped without them, fall into two or more groups that have other leaves of their own.

    Judged one after the other, so that no host loses its last leaf: those first that, together with the leaves like
    them, carry the smaller share (in quarters) of their hosts' bandwidth, then those that reach more groups.
    """
    attached = _Attached.of(found, rails)
    removed: set[int] = set()
    mixed = [switch for switch, numbers in attached.on.items() if len(numbers) > 1 and not compute[switch]]
    reach = {switch: _groups_without(switch, attached, removed) for switch in mixed}
    share = {switch: _share(switch, attached) for switch in mixed if reach[switch] > 1}
    for switch in sorted(share, key=lambda one: (-reach[one], round(4 * share[one]), share[one], one)):
        if not removed or _groups_without(switch, attached, removed) > 1:
            removed.add(switch)
    return removed


def _groups_without(switch: int, attached: _Attached, removed: set[int]) -> int:
    """How many groups with leaves of their own the hosts on a leaf fall into without it; only those count whose link
    to the leaf comes on top (hosts that lack a leaf of their own group are mis-cabled) and that share nothing else."""
    gone = removed | {switch}
    rests = []
    for number in attached.on[switch]:
        rest = attached.without(number, gone)
        if rest:
            rests.append((int(attached.found.size[number]), sorted(rest.items()), rest))
    if len(rests) < 2 or sum(size for size, *_ in rests) < MOST * attached.hosts[switch]:
        return min(len(rests), 1)  # a leaf that is the only one of most of its hosts is theirs
    rests.sort(key=lambda one: (-one[0], one[1]))
    main = rests[0][2]
    if all(len(rest) <= len(main) and overlap(main, rest) >= MOST for *_, rest in rests[1:]):
        return 1  # the usual case of a few hosts with dead links, without clustering
    clusters = cluster([rest for *_, rest in rests], [size for size, *_ in rests])
    mains: dict[int, dict[int, float]] = {}
    hosts: dict[int, int] = defaultdict(int)
    for (size, _, rest), group in zip(rests, clusters.of_set, strict=True):
        if group >= 0:
            mains.setdefault(group, rest)
            hosts[group] += size
    if len(mains) < 2:
        return len(mains)
    counted = [
        hosts[group]
        for group, rest in mains.items()
        if _is_customer(rest, attached, gone) and _is_apart(group, mains, attached)
    ]
    others = sum(counted) - max(counted, default=0)
    return len(counted) if others > SUBSTANTIAL * sum(counted) else min(len(counted), 1)


def _is_apart(group: int, mains: dict[int, dict[int, float]], attached: _Attached) -> bool:
    """Whether a group has leaves that no other one of these has, on a rail on which another one has its own: units
    have the same rails on different leaves; hosts of one unit that lost different rails have not."""
    columns: dict[int, int] = defaultdict(int)
    for rest in mains.values():
        for switch in rest:
            columns[switch] += 1
    own = {switch for switch in mains[group] if columns[switch] == 1}
    theirs = {switch for other, rest in mains.items() if other != group for switch in rest if columns[switch] == 1}
    rails = {attached.rails.get(switch) for switch in own}
    their_rails = {attached.rails.get(switch) for switch in theirs}
    unknown = None in rails or None in their_rails
    return bool(own) and (unknown or bool(rails & their_rails))


def _is_customer(rest: dict[int, float], attached: _Attached, gone: set[int]) -> bool:
    """Whether hosts with this set belong to a group that owns a leaf (most of its hosts), and lack none it owns."""
    on, hosts = attached.on, attached.hosts
    rare = sorted(rest, key=lambda switch: (len(on[switch]), switch))[: len(rest) // 2 + 1]
    alike: dict[int, int] = defaultdict(int)
    total = 0
    for number in {number for switch in rare for number in on[switch]}:
        theirs = attached.without(number, gone)
        if overlap(rest, theirs) >= MOST:
            total += int(attached.found.size[number])
            for switch in theirs:
                alike[switch] += int(attached.found.size[number])
    owns = any(alike[switch] > MOST * hosts[switch] for switch in rest)
    lacks = any(
        switch not in rest and n >= MOST * total and n > MOST * hosts[switch] for switch, n in alike.items()
    )
    return owns and not lacks


def _like(switch: int, attached: _Attached) -> set[int]:
    """Leaves that serve mostly the same hosts: the other rails of a unit, the twin of a storage leaf; itself too."""
    both: dict[int, int] = defaultdict(int)
    for number in attached.on[switch]:
        for other in attached.found.sets[number]:
            both[other] += int(attached.found.size[number])
    hosts = attached.hosts
    return {other for other, n in both.items() if n > MOST * (hosts[switch] + hosts[other] - n)}


def _share(switch: int, attached: _Attached) -> float:
    """The share of its hosts' bandwidth that a leaf carries, together with leaves that serve mostly the same hosts."""
    found, like = attached.found, _like(switch, attached)
    total = carried = 0.0
    for number in attached.on[switch]:
        for other, gbps in found.sets[number].items():
            total += gbps * int(found.size[number])
            carried += gbps * int(found.size[number]) if other in like else 0.0
    return carried / total
