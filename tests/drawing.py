"""Draws small fabrics by hand: named switches and hosts, one call a cable, read through the real parser and join."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from discovery.fabric import Fabric
from discovery.identities import Guid, Witness
from discovery.join import join
from discovery.observations import AdapterSeen
from discovery.probes.ibnetdiscover import parse
from hypernode.infer import Inference, infer
from hypernode.tree import Group

NDR, UNKNOWN = "4xNDR", "4x???"
AGGREGATION_NODE, SWITCH, ADAPTER = 0xCF09, 0xD2F2, 0x1021


@dataclass(slots=True)
class Thing:
    """A device as it is drawn: its letter (S, H or R), GUIDs, what it calls itself, and its port lines."""

    letter: str
    guid: int
    system: int
    text: str
    model: int
    lines: list[tuple[int, Thing, int, str]] = field(default_factory=list)
    muted: bool = False
    """It said something before: its record stands, without the line."""

    def port(self) -> int:
        """The next free port."""
        return max((port for port, *_ in self.lines), default=0) + 1


class Drawing:
    """A fabric that is drawn cable by cable. ``salt`` deals other GUIDs: no answer may hang on their order."""

    def __init__(self, salt: int = 0) -> None:
        self.salt = salt
        self.things: dict[str, Thing] = {}
        self.adapters: list[AdapterSeen] = []
        self._made = 0

    def _thing(self, key: str, letter: str, text: str, model: int, system: int | None) -> Thing:
        assert key not in self.things, key
        self._made += 1
        dealt = zlib.crc32(f"{self.salt} {key} {self._made}".encode()) if self.salt else self._made
        guid = (0x2C5EAB if letter == "S" else 0x0C42A1) << 40 | dealt << 8
        thing = Thing(letter, guid, guid if system is None else system, text, model)
        self.things[key] = thing
        return thing

    def switches(self, names: str, text: str = "MF0;{}:MQM9700/U1") -> list[str]:
        """Add switches, named by words."""
        for name in names.split():
            self._thing(name, "S", text.format(name), SWITCH, None)
        return names.split()

    def adapter(
        self, key: str, switch: str, text: str, *, system: int | None = None, model: int = ADAPTER, speed: str = NDR
    ) -> Thing:
        """Plug an adapter (or whatever looks like one) into a switch."""
        thing = self._thing(key, "R" if key.startswith("router") else "H", text, model, system)
        self._cable(thing, self.things[switch], speed)
        return thing

    def host(self, name: str, switches: str, *, text: str = "{} mlx5_{}", speed: str = NDR, first: int = 0) -> None:
        """Add a host with one adapter for each switch named; ``-`` is an adapter without a link."""
        for number, switch in enumerate(switches.split(), first):
            if switch != "-":
                self.adapter(f"{name}/{number}", switch, text.format(name, number), speed=speed)

    def hosts(self, names: str, switches: str, **more: object) -> list[str]:
        """Add several hosts that are cabled alike: ``hosts("a1..a4", "L1 L2")``."""
        for name in spread(names):
            self.host(name, switches, **more)  # type: ignore[arg-type]
        return spread(names)

    def cable(self, lower: str, upper: str, times: int = 1, speed: str = NDR) -> None:
        """Cable every switch of ``lower`` (words) to every one of ``upper``."""
        for a in lower.split():
            for b in upper.split():
                for _ in range(times):
                    self._cable(self.things[a], self.things[b], speed)

    def connect(self, adapter: Thing, switch: str, speed: str = NDR) -> None:
        """Cable one more port of an adapter."""
        self._cable(adapter, self.things[switch], speed)

    def _cable(self, a: Thing, b: Thing, speed: str) -> None:
        a_port, b_port = a.port(), b.port()
        if a is b:
            b_port += 1
        a.lines.append((a_port, b, b_port, speed))
        b.lines.append((b_port, a, a_port, speed))

    def cut(self, a: str, b: str, times: int = 1) -> None:
        """Take out cables between two devices, at both ends."""
        one, other = self.things[a], self.things[b]
        for _ in range(times):
            line = next(line for line in one.lines if line[1] is other)
            one.lines.remove(line)
            other.lines.remove(next(back for back in other.lines if back[1] is one and back[0] == line[2]))

    def mute(self, a: str, b: str) -> None:
        """Device ``a`` no longer mentions its cable to ``b``; ``b`` still does."""
        one, other = self.things[a], self.things[b]
        one.lines.remove(next(line for line in one.lines if line[1] is other))
        one.muted = True

    def remove(self, switch: str) -> None:
        """A device that is off: it and its cables are gone."""
        for _, peer, _, _ in list(self.things[switch].lines):
            peer.lines = [line for line in peer.lines if line[1] is not self.things[switch]]
        del self.things[switch]

    def rename(self, host: str, text: str) -> None:
        """All adapters of a host call themselves something else; ``{}`` is the number of the adapter."""
        for key, thing in self.things.items():
            if key.startswith(f"{host}/"):
                thing.text = text.format(key.rpartition("/")[2])

    def move(self, adapter: str, switch: str) -> None:
        """Plug an adapter (``a1/3``) into another switch."""
        thing = self.things[adapter]
        for _, peer, back, _ in thing.lines:
            peer.lines = [line for line in peer.lines if line[0] != back]
        thing.lines = []
        self._cable(thing, self.things[switch], NDR)

    def reports(self, node: str, *keys: str) -> None:
        """The node's own sysfs was recorded: it names the GUIDs of these adapters (all of its own by default)."""
        for key in keys or [key for key in self.things if key.startswith(f"{node}/")]:
            witness = Witness("infiniband-sysfs", f"hosts/{node}", node)
            thing = self.things[key]
            device = f"mlx5_{key.rpartition('/')[2]}"
            system = Guid(thing.system) if thing.system else None
            self.adapters.append(AdapterSeen(node, device, witness, Guid(thing.guid), system))

    def records(self, only: Iterable[str] | None = None) -> list[str]:
        """The records of devices that have a cable or were named, switches first."""
        chosen = [self.things[key] for key in (self.things if only is None else only)]
        return [
            _record(thing)
            for thing in sorted(chosen, key=lambda one: "SHR".index(one.letter))
            if thing.lines or thing.muted
        ]

    def text(self, records: Sequence[str] | None = None) -> bytes:
        """The drawing as ibnetdiscover prints it."""
        head = "#\n# Topology file: generated on Wed Aug  6 16:11:23 2025\n#\n"
        return (head + "".join(self.records() if records is None else records)).encode()

    def fabric(self, nodes: str | None = None) -> Fabric:
        """The joined fabric; ``nodes`` (words, ranges) is the cluster's node list."""
        sweep = parse(self.text(), Witness("ibnetdiscover", "ibnetdiscover.txt"))
        return join([sweep], self.adapters, None if nodes is None else spread(nodes))

    def inferred(self, nodes: str | None = None) -> Inference:
        """The tree and the findings."""
        return infer(self.fabric(nodes))


def _record(thing: Thing) -> str:
    word = {"S": "switchguid", "H": "caguid", "R": "rtguid"}[thing.letter]
    kind = {"S": "Switch", "H": "Ca", "R": "Rt"}[thing.letter]
    guid = thing.guid
    own = f"{guid:#x}({guid:x})" if thing.letter == "S" else f"{guid:#x}"
    tail = " enhanced port 0 lid 1 lmc 0" if thing.letter == "S" else ""
    head = f"\nvendid=0x2c9\ndevid={thing.model:#x}\n" + (f"sysimgguid={thing.system:#x}\n" if thing.system else "")
    head += f'{word}={own}\n{kind}\t65 "{thing.letter}-{guid:016x}"\t\t# "{thing.text}"{tail}\n'
    return head + "".join(_line(thing, *line) for line in sorted(thing.lines, key=lambda line: line[0]))


def _line(near: Thing, port: int, far: Thing, far_port: int, speed: str) -> str:
    peer = f'"{far.letter}-{far.guid:016x}"[{far_port}]'
    peer += "" if far.letter == "S" else f"({far.guid + far_port - 1:x}) "
    mine, lid = ("", "") if near.letter == "S" else (f"({near.guid + port - 1:x}) ", "lid 2 lmc 0 ")
    return f'[{port}]{mine}\t{peer}\t\t# {lid}"{far.text}" lid 1 {speed}\n'


def spread(words: str) -> list[str]:
    """``a1..a3 b`` is a1, a2, a3, b; digits keep their width."""
    names = []
    for word in words.split():
        first, dots, last = word.partition("..")
        if not dots:
            names.append(word)
            continue
        stem = first.rstrip("0123456789")
        width = len(first) - len(stem)
        low, high = int(first[len(stem) :]), int(last[len(stem) :])
        names += [f"{stem}{number:0{width}d}" for number in range(low, high + 1)]
    return names


def rails(units: str = "abc", hosts: int = 4, each: int = 4, spines: int = 4, salt: int = 0) -> Drawing:
    """Units of hosts a1, a2, … on one leaf a rail (La0, La1, …), every leaf on every spine (S0, S1, …)."""
    drawing = Drawing(salt)
    tops = " ".join(drawing.switches(" ".join(f"S{spine}" for spine in range(spines))))
    for unit in units:
        leaves = " ".join(drawing.switches(" ".join(f"L{unit}{rail}" for rail in range(each))))
        drawing.hosts(f"{unit}1..{unit}{hosts}", leaves)
        drawing.cable(leaves, tops)
    return drawing


def pods(*sizes: int, hosts: int = 3, spines: int = 4, cores: int = 2, salt: int = 0) -> Drawing:
    """Pods of leaves L1a, L1b, … (hosts 1a1, 1a2, …) on spines S1-0, S1-1, …; cores C0-0, C0-1 join all spines -0."""
    drawing = Drawing(salt)
    for spine in range(spines):
        drawing.switches(" ".join(f"C{spine}-{core}" for core in range(cores)))
    for pod, size in enumerate(sizes, 1):
        tops = drawing.switches(" ".join(f"S{pod}-{spine}" for spine in range(spines)))
        for unit in "abcdefgh"[:size]:
            drawing.switches(f"L{pod}{unit}")
            drawing.hosts(f"{pod}{unit}1..{pod}{unit}{hosts}", f"L{pod}{unit}")
            drawing.cable(f"L{pod}{unit}", " ".join(tops))
        for spine in range(spines):
            drawing.cable(f"S{pod}-{spine}", " ".join(f"C{spine}-{core}" for core in range(cores)))
    return drawing


def units(names: str, hosts: int = 4) -> list[object]:
    """The leaf groups of ``rails`` and ``pods``: ``units("a b")`` is a1..a4 and b1..b4."""
    return [f"{unit}1..{unit}{hosts}" for unit in names.split()]


Shape = tuple[object, ...]


def shape(inference: Inference) -> list[Shape]:
    """The tree as nested sorted tuples, names at the bottom; every root by itself."""
    return sorted((_nested(group) for group in inference.groups), key=repr)


def _nested(group: Group) -> Shape:
    if not group.children:
        return tuple(group.nodes)
    assert {child.tier for child in group.children} == {group.tier - 1}
    return tuple(sorted((_nested(child) for child in group.children), key=repr))


def tree(*roots: object) -> list[Shape]:
    """What ``shape`` should be: strings are leaf groups (words, ranges), lists are groups of groups."""
    return sorted((_wanted(root) for root in roots), key=repr)


def _wanted(part: object) -> Shape:
    if isinstance(part, str):
        return tuple(sorted(spread(part)))
    assert isinstance(part, list)
    return tuple(sorted((_wanted(one) for one in part), key=repr))


def told(inference: Inference) -> list[tuple[str, ...]]:
    """Every finding as its kind and its objects."""
    return [(one.kind, *one.objects) for one in inference.findings]


def kinds(inference: Inference) -> set[str]:
    """The kinds of all findings."""
    return {one.kind for one in inference.findings}
