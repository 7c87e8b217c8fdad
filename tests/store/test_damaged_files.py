"""Whatever stands in a file of the directory: it is read or told about, and the next write works."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from hypernode.manifest import Foreign, to_object, to_yaml
from hypernode.store import DirectoryStore, StoreError
from hypernode.tree import HyperNode

LEAF = HyperNode("leaf-01", 1, "leaf", ("a", "b"), switches=("01",), annotations={"hypernode.dev/switches": "01"})
STATUS = {
    "nodeCount": 2,
    "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-12-01T08:00:00Z"}],
}
SEED = to_yaml([to_object(LEAF, status=STATUS)]).encode()
SPLICES = [
    b"",
    b"&a ",
    b"*a",
    b"[",
    b"{",
    b": ",
    b"\n",
    b"- ",
    b"!!set ",
    b"\x00",
    b"\xff",
    b"---\n",
    b"1e9",
    b"'",
    b"null",
]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The file of a leaf with up to four small wounds."""
    text = SEED
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 12))
        text = text[:start] + draw(st.sampled_from(SPLICES) | st.binary(max_size=3)) + text[end:]
    return text


@settings(max_examples=200, deadline=None)
@given(damaged() | st.binary(max_size=200))
def test_damaged_files_are_read_or_told(text: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, file = DirectoryStore(Path(folder)), Path(folder) / "leaf-01.yaml"
        file.write_bytes(text)
        contents = store.read()
        assert len(contents.hypernodes) + len(contents.foreign) == 1
        for other in contents.foreign:
            assert isinstance(other, Foreign)
            assert other.name == "leaf-01"
            assert len(other.reason) < 500
        with store.locked():
            try:
                store.write(LEAF)
            except StoreError as error:
                assert contents.foreign, error
                assert file.read_bytes() == text
            else:
                assert store.read().hypernodes == (LEAF,)
