"""Every fault does what its row says, to as many as were asked for, and to nobody else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.fabric import Role
from discovery.simulate.damage import DAMAGERS, NOISE
from discovery.simulate.faults import FAULTS
from discovery.simulate.simulation import render, simulate
from discovery.simulate.wiring import BOTH, Device, Wiring
from tests.simulate.drawings import wirings

KIND, HOSTS, RAILS = "rail", 96, 4


def draw(*faults: str, kind: str = KIND, hosts: int = HOSTS, rails: int = RAILS) -> Wiring:
    return simulate(kind, hosts=hosts, rails=rails, seed=5, faults=faults)


def text_of(wiring: Wiring) -> str:
    return render(wiring, "ibnetdiscover")["ibnetdiscover.txt"].decode()


def leaves(wiring: Wiring) -> dict[str, Counter[str]]:
    """How many cables each host has to each unit."""
    found: dict[str, Counter[str]] = {host.name: Counter() for host in wiring.hosts}
    for cable in wiring.cables:
        if wiring.devices[cable.a].host:
            found[wiring.devices[cable.a].host][wiring.devices[cable.b].unit] += 1
    return found


def uncabled(wiring: Wiring, level: str) -> int:
    cabled = wiring.cabled()
    return sum(device.level == level and place not in cabled for place, device in enumerate(wiring.devices))


def swapped_rails(wiring: Wiring) -> int:
    """Adapters whose leaf is that of another rail: the number at its end differs."""
    found = 0
    for cable in wiring.cables:
        adapter, leaf = wiring.devices[cable.a], wiring.devices[cable.b]
        if adapter.host:
            found += not leaf.description.partition(":")[0].endswith(adapter.device_name.removeprefix("mlx5_"))
    return found


def of_role(wiring: Wiring, role: Role) -> list[Device]:
    return [device for device in wiring.devices if device.role == role]


def lost(wiring: Wiring, among: Sequence[str]) -> int:
    """Cables between these levels (adapters have none) that a sound fabric has and this one has not."""

    def count(one: Wiring) -> int:
        return sum((one.devices[cable.a].level, one.devices[cable.b].level) == tuple(among) for cable in one.cables)

    return count(draw()) - count(wiring)


def few_cables(wiring: Wiring) -> int:
    return sum(sum(cables.values()) == RAILS - 1 for cables in leaves(wiring).values())


EFFECTS: dict[str, tuple[str, Callable[[Wiring], int], int]] = {
    "dead-hca-link": ("dead-hca-link=3", few_cables, 3),
    "dead-uplink": ("dead-uplink=3", lambda wiring: lost(wiring, ("leaf", "spine")), 3),
    "dead-leaf": ("dead-leaf=2", lambda wiring: uncabled(wiring, "leaf"), 2),
    "dead-spine": ("dead-spine=2", lambda wiring: uncabled(wiring, "spine"), 2),
    "miscabled-hca": ("miscabled-hca=2", lambda wiring: sum(len(own) == 2 for own in leaves(wiring).values()), 2),
    "rail-swap": ("rail-swap=2", swapped_rails, 4),
    "one-sided-link": ("one-sided-link=2", lambda wiring: sum(one.sides != BOTH for one in wiring.cables), 2),
    "slow-link": ("slow-link=4", lambda wiring: text_of(wiring).count("4xHDR"), 8),
    "unknown-speed": ("unknown-speed=4", lambda wiring: text_of(wiring).count("4x???"), 8),
    "link-loss": ("link-loss=10", lambda wiring: len(draw().cables) - len(wiring.cables), len(draw().cables) // 10),
    "self-loop": ("self-loop=2", lambda wiring: sum(one.a == one.b for one in wiring.cables), 2),
    "default-description": ("default-description=3", lambda wiring: text_of(wiring).count('# "MT4129 ConnectX7 '), 6),
    "unnamed-host": ("unnamed-host=2", lambda wiring: len(wiring.truth().unplaced), 2),
    "duplicate-hostname": ("duplicate-hostname=1", lambda wiring: len(wiring.truth().doubtful), 2),
    "duplicate-guid": (
        "duplicate-guid=2",
        lambda wiring: len(wiring.devices) - len({device.guid for device in wiring.devices}),
        2,
    ),
    "fqdn": ("fqdn", lambda wiring: text_of(wiring).count(".cluster.example.com mlx5_"), 2 * HOSTS * RAILS),
    "few-agents": ("few-agents=5", lambda wiring: sum(not host.recorded for host in wiring.hosts), HOSTS - 5),
    "stray-host": ("stray-host=2", lambda wiring: len(wiring.truth().tiers[0]) - len(draw().truth().tiers[0]), 2),
    "storage-plane": ("storage-plane=3", lambda wiring: text_of(wiring).count('"MF0;ST-LEAF-0'), 3 + 6 + HOSTS + 3),
    "empty-leaf": ("empty-leaf=2", lambda wiring: sum(device.level == "spare" for device in wiring.devices), 2),
    "sharp": ("sharp", lambda wiring: len(of_role(wiring, Role.AGGREGATION)), len(of_role(draw(), Role.SWITCH))),
    "router": ("router=2", lambda wiring: text_of(wiring).count("\nRt\t8 "), 2),
}


@pytest.mark.parametrize("name", list(EFFECTS))
def test_a_fault_of_the_fabric_does_what_its_row_says(name: str) -> None:
    asked, measured, expected = EFFECTS[name]
    assert measured(draw(asked)) == expected
    assert measured(draw()) == 0 or name == "sharp"


def test_a_miscabled_uplink_ends_in_another_pod() -> None:
    wiring = draw("miscabled-uplink=2", kind="fat-tree-3", hosts=64)
    sound = draw(kind="fat-tree-3", hosts=64)
    moved = [
        (wiring.devices[now.b].unit, sound.devices[before.b].unit)
        for now, before in zip(wiring.cables, sound.cables, strict=True)
        if now != before
    ]
    assert len(moved) == 2 and all(now != before for now, before in moved)


def test_cables_change_places_where_the_leaves_are_full() -> None:
    wiring = draw("miscabled-hca", hosts=128)
    assert sum(len(own) == 2 for own in leaves(wiring).values()) == 2
    assert len(wiring.cables) == len(draw(hosts=128).cables)


def test_shuffled_keeps_every_record() -> None:
    sound, shuffled = text_of(draw()).split("\n\n"), text_of(draw("shuffled")).split("\n\n")
    assert sound != shuffled
    assert sorted(one.strip() for one in sound) == sorted(one.strip() for one in shuffled)


def test_noise_adds_as_many_lines_as_were_asked_for_and_no_other() -> None:
    sound, noisy = Counter(text_of(draw()).splitlines()), Counter(text_of(draw("stderr-noise=25")).splitlines())
    added = noisy - sound
    assert not sound - noisy
    assert added.total() == 25
    assert all(any(line.startswith(noise[:8]) for noise in NOISE) for line in added)


def test_truncated_loses_its_share_and_ends_within_a_line() -> None:
    sound, cut = text_of(draw()), text_of(draw("truncated=20"))
    assert sound.startswith(cut) and not cut.endswith("\n")
    assert cut.count("vendid") == pytest.approx(sound.count("vendid") * 0.8, abs=1)


def test_header_and_line_ends() -> None:
    assert text_of(draw("missing-header")).startswith("\nvendid=")
    assert text_of(draw("crlf")).replace("\r\n", "\n") == text_of(draw())


def test_a_fabric_without_a_cable_left_is_written_as_a_header() -> None:
    wiring = draw("dead-leaf=4", "stderr-noise", "truncated", kind="fat-tree-2", hosts=16, rails=1)
    assert text_of(wiring).splitlines()[-1].startswith("# Initiated from node ")
    assert len(wiring.truth().unplaced) == 16


def test_damages_happen_in_one_order_whatever_was_asked_first() -> None:
    assert text_of(draw("crlf", "truncated", "missing-header")).encode().count(b"\r\n") > 100
    assert not text_of(draw("crlf", "missing-header")).startswith("#")


@pytest.mark.parametrize(
    "name", ["dead-hca-link", "sharp", "storage-plane", "stray-host", "empty-leaf", "stderr-noise"]
)
def test_a_fault_asked_for_twice_is_one_of_twice_the_size(name: str) -> None:
    assert draw(name, name) == draw(f"{name}={2 * FAULTS[name].usual}")


def test_the_table_is_complete() -> None:
    assert set(FAULTS) == {*EFFECTS, "miscabled-uplink", *DAMAGERS}
    assert {fault.name for fault in FAULTS.values() if fault.apply is None} == set(DAMAGERS)
    assert all(fault.what and fault.counts and fault.usual >= 1 for fault in FAULTS.values())


def test_few_agents_stand_where_they_are_needed_most() -> None:
    wiring = draw("unnamed-host=2", "few-agents=2")
    files = render(wiring, "capture")
    assert {path.split("/")[1] for path in files if path.startswith("hosts/")} == {
        host.name for host in wiring.hosts if host.anonymous
    }
    assert wiring.truth(guids_known=True).unplaced == ()
    assert len(wiring.truth().unplaced) == 2


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        pytest.param("dead-cat", "unknown fault 'dead-cat': choose from dead-hca-link, dead-uplink", id="name"),
        pytest.param("dead-leaf=many", "dead-leaf needs a whole number of leaves, not 'many'", id="word"),
        pytest.param("dead-leaf=-1", "dead-leaf needs a whole number of leaves", id="negative"),
        pytest.param("dead-leaf=0", "dead-leaf needs 1 to", id="zero"),
        pytest.param("dead-leaf=²", "dead-leaf needs a whole number", id="a digit that is no number"),
        pytest.param("link-loss=101", "link-loss needs 1 to 100 per cent of all cables, not 101", id="too much"),
        pytest.param("dead-leaf=999", "dead-leaf=999: this fabric has room for 16 of it", id="no room"),
    ],
)
def test_a_fault_that_cannot_be_says_why(fault: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw(fault)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        pytest.param("stray-host", "torus", id="a torus has no spine for a stray"),
        pytest.param("dead-spine", "torus", id="a torus has no spine to lose"),
        pytest.param("rail-swap", "fat-tree-2", id="one leaf has no rails to swap"),
        pytest.param("miscabled-uplink", "rail", id="two levels have no other pod"),
    ],
)
def test_a_fault_that_a_kind_cannot_have_is_refused(fault: str, kind: str) -> None:
    with pytest.raises(ValueError, match=fault):
        draw(fault, kind=kind)


@given(wirings(st.lists(st.sampled_from(sorted(FAULTS)), max_size=5), fewest_hosts=20))
def test_any_faults_together_leave_a_truth_that_names_every_node_once(wiring: Wiring) -> None:
    truth = wiring.truth()
    placed = [name for group in truth.tiers[0] for name in group] if truth.tiers else []
    unplaced = [name for name, _ in truth.unplaced]
    assert sorted([*placed, *unplaced, *truth.doubtful]) == list(wiring.nodes())
    ends = [(one.a, one.a_port) for one in wiring.cables] + [(one.b, one.b_port) for one in wiring.cables]
    assert set(Counter(ends).values()) <= {1}


@given(wirings(st.lists(st.sampled_from(sorted(FAULTS)), max_size=5), fewest_hosts=20))
def test_whoever_knows_the_guids_has_no_doubts(wiring: Wiring) -> None:
    truth = wiring.truth(guids_known=True)
    recorded = {host.name for host in wiring.hosts if host.recorded}
    hopeless = {host.name for host in wiring.hosts if host.doubt == "guid"}
    assert set(truth.doubtful) & recorded == hopeless & recorded
    assert all(reason == "not-heard" for name, reason in truth.unplaced if name in recorded)
