"""Forests of groups to name: drawn small and arbitrary, or large and regular."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from hypernode.tree import Capacity, Group


def leaf(switches: str, nodes: str, tier_name: str = "leaf", tier: int = 1) -> Group:
    return Group(tier, tier_name, tuple(sorted(switches.split())), tuple(sorted(nodes.split())))


def above(tier: int, tier_name: str, switches: str, *children: Group) -> Group:
    nodes = sorted(node for child in children for node in child.nodes)
    return Group(tier, tier_name, tuple(sorted(switches.split())), tuple(nodes), children)


def guid(number: int) -> str:
    return f"{number:016x}"


@st.composite
def forests(draw: st.DrawFn) -> list[Group]:
    """Leaf groups of one to three switches and one to six nodes, below spines, some below a core."""
    sizes = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 6)), min_size=1, max_size=8))
    numbers = iter(draw(st.permutations(range(1, 60))))
    leaves = []
    for row, (switches, nodes) in enumerate(sizes):
        ids = tuple(sorted(guid(next(numbers)) for _ in range(switches)))
        leaves.append(Group(1, "leaf", ids, tuple(f"n{row}-{k}" for k in range(nodes)), (), Capacity(nodes, switches)))
    spines: list[Group] = []
    rest: Sequence[Group] = leaves
    while rest:
        share = draw(st.integers(1, len(rest)))
        part, rest = rest[:share], rest[share:]
        spines.append(above(2, "spine", guid(next(numbers)) + " " + guid(next(numbers)), *part))
    return [above(3, "core", guid(next(numbers)), *spines)] if draw(st.booleans()) else spines


def shuffled(groups: Sequence[Group], order: st.DataObject) -> list[Group]:
    """The same forest with children and roots in another order."""
    mixed = [
        Group(one.tier, one.tier_name, one.switches, one.nodes, tuple(shuffled(one.children, order)), one.capacity)
        for one in groups
    ]
    return list(order.draw(st.permutations(mixed)))
