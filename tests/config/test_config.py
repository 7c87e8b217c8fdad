"""Configuration: what is allowed, and a sentence with file, key, value and alternatives for what is not."""

from __future__ import annotations

import dataclasses
import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypernode.config import ConfigError, Settings, Shrink, parse
from hypernode.planes import Planes


@pytest.mark.parametrize("text", [pytest.param("", id="empty"), pytest.param("# only a comment\n", id="comment")])
def test_an_empty_file_keeps_every_default(text: str) -> None:
    assert parse(text, "f.yaml") == Settings()


def test_every_setting_can_be_set() -> None:
    text = (
        "tiers: [tor, pod]\nstore: /var/lib/hypernodes\nnodes: nodes.txt\n"
        "shrink: {share: 0.25, nodes: 5, repeats: 1}\nplanes: {storage: ['SLG*'], compute: [LEAF-1]}\n"
    )
    planes = Planes(("SLG*",), ("LEAF-1",))
    expected = Settings(("tor", "pod"), "/var/lib/hypernodes", "nodes.txt", Shrink(0.25, 5, 1), planes)
    assert parse(text, "f.yaml") == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("tears: [a]\n", ["tears", "allowed are tiers"], id="unknown-key"),
        pytest.param("shrink: {shares: 1}\n", ["shrink.shares", "shrink.share"], id="unknown-inner-key"),
        pytest.param("tiers: leaf\n", ["tiers", "'leaf'", "list of distinct words"], id="tiers-is-a-word"),
        pytest.param("tiers: []\n", ["tiers", "[]"], id="no-tiers"),
        pytest.param("tiers: [leaf, leaf]\n", ["tiers", "distinct"], id="tiers-twice"),
        pytest.param("tiers: [Leaf_1]\n", ["tiers", "Leaf_1"], id="tier-is-no-label"),
        pytest.param("tiers: ['']\n", ["tiers", "['']"], id="tier-is-empty"),
        pytest.param("shrink: {share: 1.5}\n", ["shrink.share", "1.5", "from 0 to 1"], id="share-too-large"),
        pytest.param("shrink: {share: .nan}\n", ["shrink.share", "nan"], id="share-is-nan"),
        pytest.param("shrink: {share: true}\n", ["shrink.share", "True"], id="share-is-a-flag"),
        pytest.param("shrink: {nodes: 0}\n", ["shrink.nodes", "0", "from 1"], id="nodes-zero"),
        pytest.param("shrink: {repeats: many}\n", ["shrink.repeats", "'many'"], id="repeats-is-a-word"),
        pytest.param("shrink: 3\n", ["shrink", "3", "mapping"], id="shrink-is-a-number"),
        pytest.param("store: [a]\n", ["store", "['a']", "a path"], id="store-is-a-list"),
        pytest.param("planes: {storage: SLG}\n", ["planes.storage", "'SLG'", "list of"], id="planes-is-a-word"),
        pytest.param("planes: {disk: [a]}\n", ["planes.disk", "planes.storage"], id="unknown-plane"),
        pytest.param("- a\n", ["['a']", "mapping"], id="file-is-a-list"),
        pytest.param("1: 2\n", ["mapping"], id="key-is-a-number"),
        pytest.param("a: [\n", ["line 2", "not YAML"], id="broken-yaml"),
        pytest.param("a: !!python/object:os.system {}\n", ["not YAML"], id="python-tag"),
        pytest.param("tiers: &a [x]\nstore: *a\n", ["not YAML", "aliases"], id="aliases"),
        pytest.param("store: !!int ''\n", ["not YAML"], id="empty-number"),
        pytest.param("store: 0x" + "f" * 5_000, ["line 1", "100 digits"], id="unprintable-number"),
        pytest.param("store: 2026-13-45\nshrink: 2026-02-31\n", ["f.yaml"], id="impossible-date"),
    ],
)
def test_a_refusal_names_file_key_value_and_what_is_allowed(text: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(text, "f.yaml")
    message = str(refused.value)
    assert "f.yaml" in message
    for word in words:
        assert word in message


def test_a_near_miss_is_suggested() -> None:
    with pytest.raises(ConfigError) as refused:
        parse("teirs: [a]\n", "f.yaml")
    assert refused.value.hint == "Did you mean tiers?"


@given(st.text(max_size=300))
def test_any_text_gives_settings_or_a_refusal(text: str) -> None:
    try:
        assert isinstance(parse(text, "f.yaml"), Settings)
    except ConfigError as refused:
        assert str(refused).startswith("f.yaml")


@pytest.mark.parametrize("kind", [pytest.param(Settings, id="Settings"), pytest.param(Shrink, id="Shrink")])
def test_every_setting_says_what_it_is_and_why(kind: type) -> None:
    lines = inspect.getsource(kind).splitlines()
    for field in dataclasses.fields(kind):
        at = next(number for number, line in enumerate(lines) if line.strip().startswith(f"{field.name}:"))
        assert lines[at + 1].strip().startswith('"""'), f"{field.name} has no docstring"
