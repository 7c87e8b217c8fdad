"""Strategies that draw small fabrics of every kind."""

from __future__ import annotations

from hypothesis import reject
from hypothesis import strategies as st

from discovery.simulate.kinds import KINDS
from discovery.simulate.simulation import simulate
from discovery.simulate.wiring import Wiring

NO_FAULTS: st.SearchStrategy[list[str]] = st.just([])


def draw(kind: str, hosts: int, rails: int, seed: int, faults: list[str]) -> Wiring:
    """A fabric; hypothesis drops the example where the faults don't fit it."""
    try:
        return simulate(kind, hosts=hosts, rails=rails, seed=seed, faults=faults)
    except ValueError:
        # Not every fault fits every kind: a torus has no spine, a host with one adapter cannot cross two.
        reject()


def wirings(faults: st.SearchStrategy[list[str]] = NO_FAULTS, fewest_hosts: int = 1) -> st.SearchStrategy[Wiring]:
    """Fabrics of all kinds with up to 48 hosts and 4 rails."""
    kinds = st.sampled_from(sorted(KINDS))
    return st.builds(draw, kinds, st.integers(fewest_hosts, 48), st.integers(1, 4), st.integers(0, 2**32), faults)
