"""What a fault may pick from a draft: cables by the levels they join, hosts that no other fault has touched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from discovery.fabric import Role
from discovery.simulate.draft import Draft


def switches(draft: Draft, *levels: str) -> list[int]:
    """Places of the switches of these levels (``flat`` counts as a leaf)."""
    return [place for place, device in enumerate(draft.devices) if device.level in levels]


def hca_cables(draft: Draft) -> dict[str, list[int]]:
    """Places of the cables that lead from a host's adapters to leaves, by host."""
    cables: defaultdict[str, list[int]] = defaultdict(list)
    for place, cable in enumerate(draft.cables):
        adapter, switch = draft.devices[cable.a], draft.devices[cable.b]
        if adapter.role == Role.ADAPTER and switch.level in ("leaf", "flat") and draft.hosts[adapter.host].node:
            cables[adapter.host].append(place)
    return cables


def uplinks(draft: Draft) -> dict[int, list[int]]:
    """Places of the cables from a leaf to the level above, by leaf; in a torus of those to the next switch."""
    cables: defaultdict[int, list[int]] = defaultdict(list)
    for place, cable in enumerate(draft.cables):
        pair = (draft.devices[cable.a].level, draft.devices[cable.b].level)
        if pair in (("leaf", "spine"), ("flat", "flat")):
            cables[cable.a].append(place)
    return cables


def pick(draft: Draft, fault: str, names: Sequence[str], count: int) -> list[str]:
    """Pick hosts or switches by name, which no fault has touched yet; ValueError where too few are left."""
    left = [name for name in names if name not in draft.touched]
    if len(left) < count:
        raise ValueError(f"{fault}={count}: this fabric has room for {len(left)} of it, use a larger one")
    picked = draft.dice.sample(left, count)
    draft.touched.update(picked)
    return picked


def pick_switches(draft: Draft, fault: str, places: Sequence[int], count: int) -> list[int]:
    """Pick switches by place, which no fault has touched yet; ValueError where too few are left."""
    by_name = {switch_name(draft, place): place for place in places}
    return [by_name[name] for name in pick(draft, fault, list(by_name), count)]


def pick_hca_cables(draft: Draft, fault: str, count: int, keep: int = 0) -> list[int]:
    """Pick one cable each of hosts that have more than ``keep``; the last rails, where ties are not decided."""
    cables = hca_cables(draft)
    hosts = [host for host, places in cables.items() if len(places) > keep]
    return [draft.dice.sample(cables[host][1:] or cables[host], 1)[0] for host in pick(draft, fault, hosts, count)]


def switch_name(draft: Draft, place: int) -> str:
    """The name in ``MF0;NAME:MODEL/U1``."""
    return draft.devices[place].description.removeprefix("MF0;").partition(":")[0]


def remove(draft: Draft, places: Sequence[int]) -> None:
    """Take cables away, by place."""
    gone = set(places)
    draft.cables = [cable for place, cable in enumerate(draft.cables) if place not in gone]


def cables_of(draft: Draft, device: int) -> list[int]:
    """Places of the cables of a device."""
    return [place for place, cable in enumerate(draft.cables) if device in (cable.a, cable.b)]
