"""Which things hang together: as a walk along the pairs says it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hypernode.inference.net import components

PAIRS = st.integers(1, 24).flatmap(
    lambda count: st.tuples(
        st.just(count), st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=40)
    )
)


def walked(count: int, pairs: list[tuple[int, int]]) -> list[int]:
    """The smallest number that each thing reaches."""
    label = list(range(count))
    for _ in range(count):
        for one, other in pairs:
            label[one] = label[other] = min(label[one], label[other])
    return label


@given(PAIRS)
def test_the_smallest_number_within_reach(given_):
    count, pairs = given_
    one, other = (np.array([pair[side] for pair in pairs], np.int32) for side in (0, 1))
    assert components(count, one, other).tolist() == walked(count, pairs)
