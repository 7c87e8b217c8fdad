"""Arbitrary legal trees: few names and nodes, so that two trees share most of them and disagree about the rest."""

from __future__ import annotations

from hypothesis import strategies as st

from hypernode.plan import salvaged
from hypernode.tree import HyperNode, Tree

NAMES = [f"hn-{letter}" for letter in "abcdefgh"]
NODES = [f"node-{number}" for number in range(7)]


@st.composite
def loose_hypernodes(draw: st.DrawFn) -> list[HyperNode]:
    """HyperNodes that are legal one by one; together they may be anything."""
    found = []
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=8)):
        tier = draw(st.integers(1, 4))
        pool = NODES if tier == 1 or draw(st.booleans()) else NAMES
        members = tuple(sorted(draw(st.sets(st.sampled_from(pool), min_size=1, max_size=5))))
        nodes, children = (members, ()) if pool is NODES else ((), members)
        notes = draw(st.sampled_from([{}, {"hypernode.dev/host-gbps": "400"}]))
        found.append(HyperNode(name, tier, f"tier-{tier}", nodes, children, annotations=notes))
    return found


@st.composite
def regular_trees(draw: st.DrawFn) -> Tree:
    """What inference makes: each node once, each level a partition of the one below, holes in no place."""
    names = draw(st.permutations(NAMES))
    nodes = draw(st.permutations(NODES))[: draw(st.integers(1, len(NODES)))]
    level: list[str] = []
    found: list[HyperNode] = []
    members: list[str] = list(nodes)
    for tier in range(1, draw(st.integers(1, 4)) + 1):
        level = []
        while members and names:
            share = draw(st.integers(1, len(members)))
            part, members = tuple(sorted(members[:share])), members[share:]
            name, names = names[0], names[1:]
            hosts, children = (part, ()) if tier == 1 else ((), part)
            found.append(HyperNode(name, tier, f"tier-{tier}", nodes=hosts, children=children))
            level.append(name)
        members = level
    return Tree.of(found)


def trees() -> st.SearchStrategy[Tree]:
    """Regular trees, and whatever of arbitrary HyperNodes is legal (uneven depth, nodes on two tiers, many roots)."""
    return st.one_of(regular_trees(), loose_hypernodes().map(salvaged))
