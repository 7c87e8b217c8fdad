"""A strategy that draws fabrics of all shapes with additions and faults that must change nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from tests.drawing import NDR, UNKNOWN, Drawing, Shape, spread, tree


@dataclass(slots=True)
class Unit:
    """A leaf group as it is drawn: its pod, its leaves and all nodes that belong to it."""

    pod: int
    leaves: list[str]
    nodes: list[str]


@dataclass(slots=True)
class Drawn:
    """A drawing, and what has to be found in it."""

    drawing: Drawing
    rails: int
    levels: int
    units: list[Unit] = field(default_factory=list)
    strays: list[tuple[int, list[str]]] = field(default_factory=list)
    story: list[str] = field(default_factory=list)

    def nodes(self) -> str:
        """The cluster's nodes."""
        return " ".join([*(node for unit in self.units for node in unit.nodes), *self._stray_nodes()])

    def _stray_nodes(self) -> list[str]:
        return [node for _, nodes in self.strays for node in nodes]

    def wanted(self) -> list[Shape]:
        """The tree."""
        pods: dict[int, list[object]] = {}
        for unit in self.units:
            pods.setdefault(unit.pod, []).append(" ".join(unit.nodes))
        for pod, nodes in self.strays:
            pods[pod].append(" ".join(nodes))
        groups = list(pods.values())
        if self.levels == 2:
            return tree(groups[0] if len(groups[0]) > 1 else groups[0][0])
        return tree(groups if any(len(group) > 1 for group in groups) else [group[0] for group in groups])

    def __repr__(self) -> str:
        return f"Drawn({self.story})"


@st.composite
def drawn_fabrics(draw: st.DrawFn) -> Drawn:
    """Two or three levels, one to eight rails, even or uneven units and pods, and some of what is done to fabrics."""
    rails, levels = draw(st.sampled_from([1, 2, 4, 8])), draw(st.sampled_from([2, 3]))
    spines, speed = draw(st.sampled_from([2, 4, 8])), draw(st.sampled_from([NDR, NDR, UNKNOWN]))
    shape = st.lists(st.integers(4, 8), min_size=1 if levels == 3 else 2, max_size=4)
    pods = draw(st.lists(shape, min_size=2, max_size=3) if levels == 3 else shape.map(lambda one: [one]))
    found = Drawn(Drawing(draw(st.integers(0, 5))), rails, levels)
    found.story.append(f"{levels} levels, {rails} rails, {spines} spines, hosts by pod {pods}, {speed}")
    drawing = found.drawing
    for pod, sizes in enumerate(pods):
        tops = " ".join(drawing.switches(" ".join(f"S{pod}-{spine}" for spine in range(spines))))
        for number, hosts in enumerate(sizes):
            leaves = drawing.switches(" ".join(f"L{pod}-{number}-{rail}" for rail in range(rails)))
            nodes = drawing.hosts(f"p{pod}u{number}h1..p{pod}u{number}h{hosts}", " ".join(leaves), speed=speed)
            drawing.cable(" ".join(leaves), tops, speed=speed)
            found.units.append(Unit(pod, leaves, nodes))
    for spine in range(spines if levels == 3 else 0):
        drawing.switches(f"C{spine}-0 C{spine}-1")
        for pod in range(len(pods)):
            drawing.cable(f"S{pod}-{spine}", f"C{spine}-0 C{spine}-1", speed=speed)
    for change in draw(st.lists(st.sampled_from(CHANGES), max_size=4, unique=True)):
        change(found, draw, speed)
    return found


def _storage(found: Drawn, draw: st.DrawFn, speed: str) -> None:
    """One or two storage links for everybody, perhaps with servers, isolated or on spines."""
    if len(found.units) < 2:
        return
    links = draw(st.sampled_from([1, 2]))
    leaves = " ".join(found.drawing.switches(" ".join(f"ST{link}" for link in range(links))))
    for unit in found.units:
        for node in unit.nodes:
            if node.startswith("p"):
                found.drawing.host(node, leaves, first=found.rails, speed=speed)
    if draw(st.booleans()):
        found.drawing.hosts("nas1..nas3", leaves, speed=speed)
    if draw(st.booleans()):
        found.drawing.cable(leaves, "S0-0 S0-1", speed=speed)
    found.story.append(f"{links} storage links")


def _stray(found: Drawn, draw: st.DrawFn, speed: str) -> None:
    """A node or two on one spine."""
    pod = draw(st.sampled_from(found.units)).pod
    nodes = spread(f"stray1..stray{draw(st.integers(1, 2))}")
    for node in nodes:
        found.drawing.host(node, f"S{pod}-1", speed=speed)
    found.strays.append((pod, nodes))
    found.story.append(f"strays on S{pod}-1")


def _outsider(found: Drawn, draw: st.DrawFn, speed: str) -> None:
    """A server that is no node, on one rail of one unit."""
    unit = draw(st.sampled_from(found.units))
    found.drawing.host("ufm", unit.leaves[-1], speed=speed)
    found.story.append(f"ufm on {unit.leaves[-1]}")


def _cpu_node(found: Drawn, draw: st.DrawFn, speed: str) -> None:
    """A node with one adapter, on the first rail of a unit."""
    unit = draw(st.sampled_from(found.units))
    found.drawing.host("cpu1", unit.leaves[0], speed=speed)
    unit.nodes.append("cpu1")
    found.story.append(f"a cpu node on {unit.leaves[0]}")


def _empty_leaf(found: Drawn, draw: st.DrawFn, speed: str) -> None:
    """A leaf without hosts."""
    found.drawing.switches("E")
    tops = " ".join(name for name in found.drawing.things if name.startswith("S0-"))
    found.drawing.cable("E", tops, speed=speed)
    found.story.append("an empty leaf")


def _dead_adapter(found: Drawn, draw: st.DrawFn, speed: str) -> None:
    """One dead adapter."""
    unit = draw(st.sampled_from(found.units))
    rail = draw(st.integers(0, found.rails - 1))
    if found.rails > 1 and f"{unit.nodes[0]}/{rail}" in found.drawing.things:
        found.drawing.remove(f"{unit.nodes[0]}/{rail}")
        found.story.append(f"dead {unit.nodes[0]}/{rail}")


def _miscabled(found: Drawn, draw: st.DrawFn, speed: str) -> None:
    """One rail of one host on the leaf of another unit."""
    unit, other = draw(st.sampled_from(found.units)), draw(st.sampled_from(found.units))
    rail = draw(st.integers(0, found.rails - 1))
    if found.rails >= 4 and unit is not other and f"{unit.nodes[1]}/{rail}" in found.drawing.things:
        found.drawing.move(f"{unit.nodes[1]}/{rail}", other.leaves[rail])
        found.story.append(f"{unit.nodes[1]}/{rail} on {other.leaves[rail]}")


def _dead_uplink(found: Drawn, draw: st.DrawFn, speed: str) -> None:
    """One dead cable between a leaf and a spine."""
    leaf = draw(st.sampled_from(found.units)).leaves[0]
    pod = leaf[1 : leaf.index("-")]
    if f"S{pod}-2" in found.drawing.things:
        found.drawing.cut(leaf, f"S{pod}-0")
        found.story.append(f"dead {leaf} to S{pod}-0")


def _miscabled_uplink(found: Drawn, draw: st.DrawFn, speed: str) -> None:
    """One cable of a leaf on a spine of another pod."""
    unit, other = draw(st.sampled_from(found.units)), draw(st.sampled_from(found.units))
    if unit.pod != other.pod and f"S{unit.pod}-3" in found.drawing.things:
        found.drawing.cut(unit.leaves[0], f"S{unit.pod}-3")
        found.drawing.cable(unit.leaves[0], f"S{other.pod}-3", speed=speed)
        found.story.append(f"{unit.leaves[0]} on S{other.pod}-3")


CHANGES = [
    _storage,
    _stray,
    _outsider,
    _cpu_node,
    _empty_leaf,
    _dead_adapter,
    _miscabled,
    _dead_uplink,
    _miscabled_uplink,
]
