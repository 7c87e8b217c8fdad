"""What inference finds in a drawn fabric is what was drawn, whatever is broken in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.identities import Witness
from discovery.join import join
from discovery.observations import AdapterSeen
from discovery.probes.ibnetdiscover import parse
from discovery.simulate.simulation import render, simulate
from discovery.simulate.wiring import Wiring
from hypernode.infer import Inference, infer
from hypernode.tree import Group
from tests.simulate.drawings import draw

SHAPES = [
    pytest.param(("fat-tree-2", 64, 1), id="fat-tree-2"),
    pytest.param(("fat-tree-3", 64, 1), id="fat-tree-3"),
    pytest.param(("rail", 40, 8), id="rail"),
    pytest.param(("rail", 288, 8), id="rail of three levels"),
    pytest.param(("nvl72", 54, 4), id="nvl72"),
    pytest.param(("dragonfly-plus", 48, 1), id="dragonfly-plus"),
    pytest.param(("torus", 128, 1), id="torus"),
    pytest.param(("planes", 48, 4), id="planes"),
]
ANYWHERE = (
    *("dead-hca-link=2", "dead-uplink=2", "miscabled-hca", "one-sided-link=2", "slow-link=2", "unknown-speed=9"),
    *("self-loop", "default-description=4", "unnamed-host", "duplicate-hostname", "duplicate-guid", "fqdn", "sharp"),
    *("shuffled", "missing-header", "stderr-noise=30", "truncated=5", "crlf", "storage-plane", "dead-leaf"),
    *("stray-host=2", "empty-leaf", "router=2", "dead-spine"),
)
RAIL_FAULTS = st.lists(st.sampled_from(ANYWHERE), min_size=1, max_size=3, unique=True)


def inferred(wiring: Wiring) -> Inference:
    texts = render(wiring, "ibnetdiscover").items()
    adapters: tuple[AdapterSeen, ...] = ()
    return infer(join([parse(text, Witness("ibnetdiscover", name)) for name, text in texts], adapters, wiring.nodes()))


def partitions(inference: Inference, without: set[str]) -> list[set[tuple[str, ...]]]:
    """The groups of nodes by tier from the leaves upward."""
    tiers: dict[int, set[tuple[str, ...]]] = {}
    waiting: list[Group] = list(inference.groups)
    while waiting:
        group = waiting.pop()
        tiers.setdefault(group.tier, set()).add(tuple(name for name in group.nodes if name not in without))
        waiting += group.children
    return [tiers[tier] - {()} for tier in sorted(tiers)]


def check(wiring: Wiring) -> None:
    truth, inference = wiring.truth(), inferred(wiring)
    doubtful = set(truth.doubtful)
    assert partitions(inference, doubtful) == [set(tier) for tier in truth.tiers]
    unplaced = {(one.node, one.reason) for one in inference.unplaced if one.node not in doubtful}
    assert unplaced == set(truth.unplaced)


def missing(wiring: Wiring) -> list[object]:
    """Findings that the faults should cause and that nobody made."""
    found = [(one.kind, " ".join(one.objects)) for one in inferred(wiring).findings]
    return [
        expected
        for expected in wiring.expected
        if not any(kind == expected.kind and all(word in said for word in expected.objects) for kind, said in found)
    ]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_sound_fabric_is_found_as_drawn_and_nothing_is_wrong_with_it(shape: tuple[str, int, int]) -> None:
    wiring = simulate(shape[0], hosts=shape[1], rails=shape[2], seed=3)
    check(wiring)
    assert {one.kind for one in inferred(wiring).findings} == {expected.kind for expected in wiring.expected}


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.partition("=")[0]) for fault in ANYWHERE])
def test_one_fault_moves_nobody_and_is_told(fault: str) -> None:
    wiring = simulate("rail", hosts=40, rails=8, seed=4, faults=[fault])
    check(wiring)
    assert missing(wiring) == []


GUID_FAULTS = ["unnamed-host=2", "duplicate-hostname", "dead-hca-link", "fqdn"]


def test_a_capture_with_the_hosts_own_guids_leaves_no_doubt(hypernode: Callable[..., Any], tmp_path: Path) -> None:
    wiring = simulate("rail", hosts=32, rails=4, seed=9, faults=GUID_FAULTS)
    for name, content in render(wiring, "capture").items():
        path = tmp_path / "capture" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    done = hypernode("discover", "--from", tmp_path / "capture", "-o", "json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    leaves = [node["spec"]["members"] for node in answer["hypernodes"] if node["spec"]["tier"] == 1]
    found = {tuple(member["selector"]["exactMatch"]["name"] for member in members) for members in leaves}
    truth = wiring.truth(guids_known=True)
    assert (truth.unplaced, truth.doubtful, answer["unplaced"]) == ((), (), [])
    assert found == set(truth.tiers[0])


@given(st.sampled_from(["rail", "planes", "nvl72"]), st.integers(40, 90), st.integers(0, 2**32), RAIL_FAULTS)
def test_several_faults_move_nobody_where_hosts_have_eight_rails(
    kind: str, hosts: int, seed: int, faults: list[str]
) -> None:
    check(draw(kind, hosts, 8, seed, faults))


@given(st.integers(33, 64), st.integers(0, 2**32), st.integers(1, 3))
def test_lost_cables_move_nobody_in_a_rail_fabric(hosts: int, seed: int, per_cent: int) -> None:
    check(simulate("rail", hosts=hosts, rails=8, seed=seed, faults=[f"link-loss={per_cent}"]))
