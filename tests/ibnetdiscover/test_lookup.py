"""Which row has this key: the first one, also where many keys want the same place in the table."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discovery.ibtext.lookup import Lookup

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
