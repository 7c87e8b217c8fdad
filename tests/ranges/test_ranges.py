"""Many host names in few words, as Slurm and clush write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypernode.ranges import compact


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        pytest.param([], "", id="none"),
        pytest.param(["login"], "login", id="no-number"),
        pytest.param(["node7"], "node7", id="one"),
        pytest.param(["node1", "node2", "node3"], "node[1-3]", id="run"),
        pytest.param(["node9", "node10", "node11"], "node[9-11]", id="run-over-ten"),
        pytest.param(["node099", "node100"], "node[099-100]", id="padded"),
        pytest.param(["node01", "node1"], "node01 node1", id="padded-and-not"),
        pytest.param(["n1", "n3", "n2", "n7"], "n[1-3,7]", id="gap"),
        pytest.param(["a1.dc2.x", "a2.dc2.x"], "a[1-2].dc2.x", id="domain"),
        pytest.param(["su0-h1", "su0-h2", "su1-h1"], "su0-h[1-2] su1-h1", id="two-heads"),
        pytest.param(["ip-10-0-0-1.ec2", "ip-10-0-0-2.ec2"], "ip-10-0-0-[1-2].ec2", id="cloud"),
        pytest.param(["r1a", "r2a"], "r[1-2]a", id="letter-behind"),
    ],
)
def test_names_as_ranges(names: list[str], shown: str) -> None:
    assert compact(names) == shown


def test_very_many_ranges_are_counted() -> None:
    assert compact(f"host{letter}" for letter in "abcdefghij") == "hosta hostb hostc hostd hoste hostf … 4 more"


@given(st.lists(st.text(alphabet="ab01.-", max_size=12), max_size=30))
def test_every_name_has_its_place_in_the_ranges(names: list[str]) -> None:
    assert bool(compact(names)) == bool(set(names) - {""})


@given(st.sets(st.from_regex(r"[a-c]{1,2}[0-9]{1,4}(-ib)?", fullmatch=True), max_size=2000))
def test_however_many_names_the_text_is_short(names: set[str]) -> None:
    assert len(compact(names)) < 1000
