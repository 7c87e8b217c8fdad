"""Laws of inference on simulated fabrics: names and order decide nothing, and one dead link moves nobody."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discovery.identities import Witness
from discovery.join import join
from discovery.probes.ibnetdiscover import parse
from discovery.simulate.simulation import render, simulate
from discovery.simulate.wiring import Wiring
from hypernode import manifest, report
from hypernode.infer import Inference, infer
from hypernode.naming import name_tree
from tests.drawing import NDR, UNKNOWN, Drawing, pods, rails, shape, spread, tree, units
from tests.inference.random_drawings import Drawn, drawn_fabrics
from tests.inference.random_graphs import NODES, graphs
from tests.simulate.drawings import wirings

FAULTS = st.lists(
    st.sampled_from(
        [
            *("dead-hca-link=2", "dead-uplink", "miscabled-hca", "one-sided-link", "slow-link", "stray-host"),
            *("default-description=2", "duplicate-hostname", "duplicate-guid", "storage-plane", "empty-leaf", "sharp"),
            *("link-loss=3", "self-loop", "rail-swap"),
        ]
    ),
    max_size=3,
    unique=True,
)
CALM = settings(deadline=None, derandomize=True, max_examples=25, suppress_health_check=[HealthCheck.too_slow])


def heard(texts: Mapping[str, bytes], nodes: Sequence[str]) -> tuple[str, Inference]:
    """The whole JSON answer, and what it was made from."""
    fabric = join([parse(text, Witness("ibnetdiscover", name)) for name, text in texts.items()], (), nodes)
    found = infer(fabric)
    named = name_tree(found.groups)
    objects = [manifest.to_object(node) for node in named.hypernodes.values()]
    return json.dumps({"hypernodes": objects, **report.of_discovery(fabric, found, found.findings)}), found


def shuffled(text: bytes, order: st.DataObject) -> bytes:
    """The same sweep with its records, and the ports of each record, in another order."""
    head, *records = re.split(rb"(?m)^(?=vendid=)", text)
    mixed = []
    for record in order.draw(st.permutations(records)):
        lines = record.strip().split(b"\n")
        ports = [line for line in lines if line.startswith(b"[")]
        mixed.append(b"\n".join([line for line in lines if line not in ports] + ports[::-1]) + b"\n\n")
    return head + b"".join(mixed)


# Of two records of one GUID the first in the text is kept, so their order says something.
@CALM
@given(wirings(FAULTS.filter(lambda faults: "duplicate-guid" not in faults), fewest_hosts=6), st.data())
def test_shuffling_records_files_and_nodes_changes_no_byte(wiring: Wiring, order: st.DataObject) -> None:
    texts = render(wiring, "ibnetdiscover")
    names = order.draw(st.permutations(list(texts)))
    nodes = order.draw(st.permutations(list(wiring.nodes())))
    answer, _ = heard(texts, wiring.nodes())
    assert heard({name: shuffled(texts[name], order) for name in names}, nodes)[0] == answer


@CALM
@given(wirings(FAULTS, fewest_hosts=6), st.integers(0, 9))
def test_renaming_hosts_changes_no_group(wiring: Wiring, salt: int) -> None:
    _, before = heard(render(wiring, "ibnetdiscover"), wiring.nodes())
    new = {host.name: "z" + hashlib.md5(f"{host.name}{salt}".encode()).hexdigest()[:8] for host in wiring.hosts}
    words = re.compile(b"|".join(re.escape(name.encode()) for name in sorted(new, key=len, reverse=True)))
    texts = {
        name: words.sub(lambda match: new[match[0].decode()].encode(), text)
        for name, text in render(wiring, "ibnetdiscover").items()
    }
    _, after = heard(texts, [new[name] for name in wiring.nodes()])
    doubtful = {new.get(name, name) for name in wiring.truth().doubtful}
    assert groups(after, {}, doubtful) == groups(before, new, doubtful)


def groups(found: Inference, new: Mapping[str, str], without: set[str]) -> set[tuple[int, frozenset[str]]]:
    """All groups as (tier, nodes), the nodes under their new names."""
    result = set()
    waiting = list(found.groups)
    while waiting:
        group = waiting.pop()
        waiting += group.children
        result.add((group.tier, frozenset(new.get(node, node) for node in group.nodes) - without))
    return result


@pytest.mark.parametrize("salt", range(6))
def test_the_order_of_guids_decides_nothing(salt: int) -> None:
    drawing = pods(3, 2, 1, salt=salt)
    drawing.host("login", "S1-0")
    drawing.cut("L1a", "S1-2")
    drawing.cable("L1a", "S2-2")
    first = [units("1a 1b 1c", 3), units("2a 2b", 3), units("3a", 3)]
    assert shape(drawing.inferred()) == tree([[*first[0], "login"], first[1], first[2]])


LINKS = [key for key, thing in rails(each=4).things.items() if thing.letter == "H"]


@pytest.mark.parametrize("adapter", LINKS[::5])
def test_no_single_dead_adapter_moves_a_node(adapter: str) -> None:
    drawing = rails(each=4)
    drawing.remove(adapter)
    assert shape(drawing.inferred()) == tree(units("a b c"))


@CALM
@given(st.integers(33, 64), st.integers(0, 2**32), st.sampled_from([2, 4, 8]), st.data())
def test_no_single_dead_link_moves_a_node_of_a_rail_fabric(
    hosts: int, seed: int, each: int, choice: st.DataObject
) -> None:
    sound = simulate("rail", hosts=hosts, rails=each, seed=seed)
    fault = choice.draw(st.sampled_from(["dead-hca-link", "dead-uplink", "miscabled-hca", "one-sided-link"]))
    if fault == "miscabled-hca" and each == 2:
        fault = "dead-hca-link"
    broken = simulate("rail", hosts=hosts, rails=each, seed=seed, faults=[fault])
    _, before = heard(render(sound, "ibnetdiscover"), sound.nodes())
    _, after = heard(render(broken, "ibnetdiscover"), broken.nodes())
    assert groups(after, {}, set()) == groups(before, {}, set())


@CALM
@given(wirings(FAULTS, fewest_hosts=6))
def test_every_node_has_one_place_in_every_tier_or_one_reason(wiring: Wiring) -> None:
    _, found = heard(render(wiring, "ibnetdiscover"), wiring.nodes())
    seen: dict[int, list[str]] = {}
    waiting = list(found.groups)
    placed: list[str] = []
    while waiting:
        group = waiting.pop()
        waiting += group.children
        seen.setdefault(group.tier, []).extend(group.nodes)
        assert all(child.tier == group.tier - 1 for child in group.children)
        if not group.children:
            assert group.tier == 1
            placed += group.nodes
    assert all(len(nodes) == len(set(nodes)) for nodes in seen.values())
    assert sorted(placed + [one.node for one in found.unplaced]) == sorted(wiring.nodes())


def with_one_more_switch() -> Drawing:
    drawing = rails("abcd", each=4)
    drawing.switches("Le0 S9")
    drawing.hosts("e1..e4", "Le0")
    drawing.cable("Le0", "S0 S1 S2 S3")
    drawing.cable("La0 Lb0 Lc0 Ld0", "S9")
    return drawing


def without(*names: str) -> Drawing:
    drawing = rails("abcd", each=4)
    for name in names:
        drawing.remove(name)
    return drawing


UNIT_A = [f"a{host}/{rail}" for host in range(1, 5) for rail in range(4)] + [f"La{rail}" for rail in range(4)]


@pytest.mark.parametrize(
    "later",
    [
        pytest.param(with_one_more_switch(), id="a switch more"),
        pytest.param(without("Lb2"), id="a leaf less"),
        pytest.param(without("S0"), id="a spine less"),
        pytest.param(without(*UNIT_A), id="a unit less"),
    ],
)
def test_adding_or_removing_switches_renames_no_other_group(later: Drawing) -> None:
    before = name_tree(rails("abcd", each=4).inferred().groups)
    after = name_tree(later.inferred().groups, before)
    homes = {name: path[0] for name, path in before.paths().items()}
    assert {name: path[0] for name, path in after.paths().items() if name in homes and not name.startswith("e")} == {
        name: home for name, home in homes.items() if name in after.paths()
    }
    assert {path[-1] for path in after.paths().values()} == {path[-1] for path in before.paths().values()}


@settings(CALM, max_examples=100)
@given(drawn_fabrics())
def test_what_was_drawn_is_found_whatever_was_added_or_broken(drawn: Drawn) -> None:
    found = drawn.drawing.inferred(drawn.nodes())
    assert shape(found) == drawn.wanted()
    assert found.unplaced == ()


@settings(CALM, max_examples=200)
@given(graphs(), st.data())
def test_any_cabling_gives_every_node_one_place_or_one_reason_in_any_order(
    graph: Drawing, order: st.DataObject
) -> None:
    found = graph.inferred(NODES)
    placed = [node for root in found.groups for node in root.nodes]
    assert sorted([*placed, *(one.node for one in found.unplaced)]) == sorted(spread(NODES))
    shape(found)
    mixed = order.draw(st.permutations(graph.records()))
    again = infer(join([parse(graph.text(mixed), Witness("ibnetdiscover", "ibnetdiscover.txt"))], (), spread(NODES)))
    assert (again.groups, again.unplaced, again.findings) == (found.groups, found.unplaced, found.findings)


def thicket() -> Drawing:
    """Switches of all kinds, one of them with an unnamed adapter only."""
    drawing = Drawing()
    drawing.switches("W0 W2 W3 W5 W6 W7 W8 W9 W10")
    for name, leaf, text, speed in (
        ("h14/0", "W3", "h14 mlx5_0", "1xSDR"),
        ("h13/1", "W5", "h13 mlx5_1", "1xSDR"),
        ("h6/3", "W6", "h6", UNKNOWN),
        ("h3/3", "W7", "h3 mlx5_3", NDR),
        ("h6/0", "W7", "h6 mlx5_0", UNKNOWN),
        ("h3/2", "W8", "h3 mlx5_2", "1xSDR"),
        ("silent/0", "W10", "", NDR),
    ):
        drawing.adapter(name, leaf, text, speed=speed)
    for one, other, times in (("W0", "W2", 2), ("W3", "W7", 1), ("W7", "W9", 3), ("W9", "W10", 3)):
        drawing.cable(one, other, times)
    for one, other, times in (("W2", "W5", 1), ("W5", "W8", 2), ("W6", "W8", 1), ("W7", "W8", 1)):
        drawing.cable(one, other, times, speed=UNKNOWN)
    return drawing


def test_no_thicket_stops_the_climb() -> None:
    found = thicket().inferred()
    placed = [node for root in found.groups for node in root.nodes]
    assert sorted([*placed, *(one.node for one in found.unplaced)]) == ["h13", "h14", "h3", "h6"]
