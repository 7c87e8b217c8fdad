"""Which row has this key, which rows have the same, and in what order: as the plain ways say it, in every case."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discovery.distinct import ordering
from discovery.lookup import Lookup, alike

CROWD = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
"""Small multiples of this number all fall into the first slot."""
KEYS = st.lists(
    st.integers(1, 2**64 - 1) | st.integers(1, 9) | st.integers(1, 40).map(lambda n: n * CROWD % (1 << 64)), max_size=60
)


@given(KEYS, KEYS)
def test_the_first_row_of_each_key(keys, others):
    wanted = keys + others
    rows = Lookup(np.array(keys, np.uint64)).rows(np.array(wanted, np.uint64))
    assert rows.tolist() == [keys.index(key) if key in keys else -1 for key in wanted]


@given(KEYS)
def test_rows_of_the_same_key(keys):
    column = np.array(keys, np.uint64)
    first, place = alike(column)
    _, want_first, want_place = np.unique(column, return_index=True, return_inverse=True)
    assert (first.tolist(), place.tolist()) == (want_first.tolist(), want_place.tolist())


@given(
    st.sampled_from([np.int32, np.int64, np.uint64]).flatmap(
        lambda kind: st.lists(st.integers(0, 3) | st.integers(0, int(np.iinfo(kind).max)), max_size=60).map(
            lambda keys: np.array(keys, kind)
        )
    )
)
def test_the_order_of_keys_keeps_equal_ones_as_they_came(keys):
    assert ordering(keys).tolist() == np.argsort(keys, kind="stable").tolist()
