"""Host names become legal Kubernetes names, each one of its own, whatever they are and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypernode.naming import is_name, node_name, node_names

CASES = [
    pytest.param("gpu-001", "gpu-001", id="legal stays"),
    pytest.param("gpu-001.cluster.local", "gpu-001.cluster.local", id="FQDN stays"),
    pytest.param("a--b", "a--b", id="two hyphens are legal"),
    pytest.param("GPU_001", "gpu-001", id="upper case and underscore"),
    pytest.param("-gpu.-x-", "gpu.x", id="hyphens at the edge of a part"),
    pytest.param("gpu..x", "gpu.x", id="empty part"),
    pytest.param("../../etc/passwd", "etc-passwd", id="path"),
    pytest.param("rechner-ä", "rechner", id="other letters"),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_node_name(text: str, expected: str) -> None:
    assert node_name(text) == expected


@given(st.text(max_size=300))
def test_every_text_gets_a_legal_name(text: str) -> None:
    assert is_name(node_name(text))
    assert node_name(node_name(text)) == node_name(text)


def test_a_name_is_cut_at_the_limit() -> None:
    assert len(node_name("A" * 300)) == 253
    assert not is_name("a" * 254)
    assert not is_name("a\n")


@given(st.lists(st.text(alphabet="aA-_.ß\x00", max_size=4)), st.randoms(use_true_random=False))
def test_names_are_distinct_whatever_the_order(texts: list[str], random: object) -> None:
    names = node_names(texts)
    assert len(set(names.values())) == len(set(texts))
    assert all(is_name(name) for name in names.values())
    assert all(names[text] == text for text in texts if is_name(text))
    mixed = list(texts)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert node_names(mixed) == names


def test_a_legal_name_is_not_pushed_aside() -> None:
    names = node_names(["GPU", "gpu", "Gpu"])
    assert names["gpu"] == "gpu"
    assert {names["GPU"], names["Gpu"]}.isdisjoint({"gpu"})
