"""HyperNode objects: exactly Volcano's CRD on the way out, and strict about anything on the way in."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hypernode.manifest import Foreign, ManifestError, from_object, from_yaml, merged, to_json, to_object, to_yaml
from hypernode.tree import HyperNode

LEAF = HyperNode(
    "leaf-01", 1, "leaf", nodes=("a", "b"), switches=("01", "02"), annotations={"hypernode.dev/switches": "01,02"}
)
SPINE = HyperNode("spine-03", 2, "spine", children=("leaf-01",))

LEAF_OBJECT = {
    "apiVersion": "topology.volcano.sh/v1alpha1",
    "kind": "HyperNode",
    "metadata": {
        "name": "leaf-01",
        "labels": {"volcano.sh/network-topology-source": "hypernode-autogen"},
        "annotations": {"hypernode.dev/switches": "01,02"},
    },
    "spec": {
        "tier": 1,
        "tierName": "leaf",
        "members": [
            {"type": "Node", "selector": {"exactMatch": {"name": "a"}}},
            {"type": "Node", "selector": {"exactMatch": {"name": "b"}}},
        ],
    },
}


def changed(**changes: Any) -> dict[str, Any]:
    """LEAF_OBJECT with other values at dotted paths (``__`` for the dot); ... takes a key away."""
    whole = json.loads(json.dumps(LEAF_OBJECT))
    for path, value in changes.items():
        *way, last = path.split("__")
        place = whole
        for key in way:
            place = place[int(key) if isinstance(place, list) else key]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return whole


def test_the_object_is_volcanos() -> None:
    assert to_object(LEAF) == LEAF_OBJECT
    spine = to_object(SPINE, status={"nodeCount": 2})
    assert spine["spec"]["members"] == [{"type": "HyperNode", "selector": {"exactMatch": {"name": "leaf-01"}}}]
    assert spine["status"] == {"nodeCount": 2}
    assert "annotations" not in spine["metadata"]


@pytest.mark.parametrize("one", [pytest.param(LEAF, id="leaf"), pytest.param(SPINE, id="spine")])
def test_there_and_back(one: HyperNode) -> None:
    assert from_object(to_object(one)) == one
    assert from_object(from_yaml(to_yaml([to_object(one)]))) == one


def test_lists_are_ready_for_kubectl() -> None:
    objects = [to_object(LEAF), to_object(SPINE)]
    assert json.loads(to_json(objects)) == {"apiVersion": "v1", "kind": "List", "items": objects}
    assert list(yaml.safe_load_all(to_yaml(objects))) == objects
    assert to_yaml([]) == ""


def test_the_json_path_does_not_pay_for_yaml() -> None:
    code = "import sys, hypernode.manifest; sys.exit('yaml' in sys.modules or 'rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


REGEX = {"type": "Node", "selector": {"regexMatch": {"pattern": "^a"}}}
HYPERNODE = {"type": "HyperNode", "selector": {"exactMatch": {"name": "x"}}}

BROKEN = [
    pytest.param(None, "the object is missing", id="empty file"),
    pytest.param([1], "the object is a value of type list", id="list"),
    pytest.param(changed(kind="Pod"), "kind is 'Pod', must be HyperNode", id="another kind"),
    pytest.param(changed(apiVersion="topology.volcano.sh/v9"), "apiVersion is", id="another version"),
    pytest.param(changed(metadata=...), "metadata is missing", id="no metadata"),
    pytest.param(changed(metadata__name="../x"), "metadata.name is '../x'", id="path for a name"),
    pytest.param(changed(metadata__name="a\x1b[1m"), r"metadata.name is 'a\x1b[1m'", id="control characters"),
    pytest.param(changed(metadata__labels=["x"]), "metadata.labels is a value of type list", id="labels as list"),
    pytest.param(changed(metadata__annotations={"k": 5}), "metadata.annotations['k'] is 5", id="number as annotation"),
    pytest.param(changed(metadata__annotations={5: "k"}), "a key of metadata.annotations is 5", id="number as key"),
    pytest.param(changed(spec="x"), "spec is 'x'", id="text as spec"),
    pytest.param(changed(spec__tier="1"), "spec.tier is '1', must be a whole number", id="text as tier"),
    pytest.param(changed(spec__tier=True), "spec.tier is True", id="truth as tier"),
    pytest.param(changed(spec__tier=-1), "spec.tier is -1", id="negative tier"),
    pytest.param(changed(spec__tier=1.5), "spec.tier is 1.5", id="broken tier"),
    pytest.param(changed(spec__tier=1 << 20_000), "spec.tier is a value of type int", id="huge tier"),
    pytest.param(changed(spec__tierName=7), "spec.tierName is 7", id="number as tier name"),
    pytest.param(changed(spec__tierName="x" * 254), "at most 253", id="long tier name"),
    pytest.param(changed(spec__members=[]), "a list with at least one member", id="no members"),
    pytest.param(changed(spec__members="ab"), "spec.members is 'ab'", id="text as members"),
    pytest.param(changed(spec__members=["a"]), "spec.members[0] is 'a'", id="text as member"),
    pytest.param(changed(spec__members__0__type="Pod"), "spec.members[0].type is 'Pod'", id="member type"),
    pytest.param(changed(spec__members__0__type=["Pod"]), "type is a value of type list", id="list as member type"),
    pytest.param(changed(spec__members__1__selector=...), "spec.members[1].selector is missing", id="no selector"),
    pytest.param(changed(spec__members__1__selector={}), "selector.exactMatch is missing", id="empty selector"),
    pytest.param(changed(spec__members=[REGEX]), "selected by pattern or label", id="pattern under our label"),
    pytest.param(changed(spec__members=[HYPERNODE, *LEAF_OBJECT["spec"]["members"]]), "mixed", id="mixed members"),
]


@pytest.mark.parametrize(("thing", "reason"), BROKEN)
def test_broken_objects_say_field_and_value(thing: object, reason: str) -> None:
    read = from_object(thing, "leaf-01")
    assert isinstance(read, Foreign)
    assert read.broken
    assert reason in read.reason
    assert len(read.reason) < 300
    assert read.reason.isprintable()


def test_others_are_left_alone_and_what_they_claim_is_read() -> None:
    read = from_object(changed(metadata__labels={"volcano.sh/network-topology-source": "ufm"}))
    assert isinstance(read, Foreign)
    assert (read.name, read.nodes, read.children, read.broken) == ("leaf-01", ("a", "b"), (), False)
    mixed = from_object(changed(metadata__labels=None, spec__members=[REGEX, HYPERNODE]))
    assert isinstance(mixed, Foreign)
    assert (mixed.nodes, mixed.children, mixed.broken) == ((), ("x",), False)
    odd = from_object(changed(metadata__labels={}, spec__members="?"))
    assert isinstance(odd, Foreign)
    assert not odd.broken


def test_duplicate_members_are_one_member() -> None:
    read = from_object(changed(spec__members=LEAF_OBJECT["spec"]["members"] * 2))
    assert read == LEAF


def test_what_others_wrote_into_our_object_stays() -> None:
    existing = changed(
        metadata__labels={"team": "x", "volcano.sh/network-topology-source": "hypernode-autogen"},
        metadata__annotations={"note": "by hand", "hypernode.dev/switches": "01", "hypernode.dev/uplink-gbps": "9"},
        metadata__uid="u-1",
        status={"nodeCount": 2},
    )
    whole = merged(existing, LEAF)
    assert whole["metadata"]["labels"]["team"] == "x"
    assert whole["metadata"]["annotations"] == {"hypernode.dev/switches": "01,02", "note": "by hand"}
    assert whole["metadata"]["uid"] == "u-1"
    assert whole["status"] == {"nodeCount": 2}
    assert merged(whole, LEAF) == whole


TEXTS = [
    pytest.param("[" * 1_000_000, "nesting", id="deep nesting"),
    pytest.param("a: &a [x]\nb: [*a, *a]", "aliases", id="aliases"),
    pytest.param("a: {<<: {x: 1}}", "tag:yaml.org,2002:merge", id="merge keys"),
    pytest.param("a: 1\n---\nb: 2\n", "line 2: but found another document", id="two documents"),
    pytest.param("!!python/object/apply:os.system [x]", "could not determine a constructor", id="code"),
    pytest.param("a: !!binary eA==", "could not determine a constructor", id="bytes"),
    pytest.param("a: [b", "line 2: did not find", id="broken off"),
    pytest.param("\x00", "not YAML", id="binary"),
    pytest.param("a: !!int ''", "not YAML", id="empty number"),
    pytest.param("a: !!float ''", "not YAML", id="empty fraction"),
    pytest.param("a: !!bool maybe", "not YAML", id="no flag"),
    pytest.param("a: " + "1:" * 200_000 + "1", "line 1: a number has more than 100 digits", id="base 60"),
    pytest.param("a: " + "1:" * 200 + "1.5", "line 1: a number has more than 100 digits", id="fraction of base 60"),
    pytest.param("a: 0x" + "f" * 5_000, "line 1: a number has more than 100 digits", id="unprintable number"),
]


@pytest.mark.parametrize(("text", "reason"), TEXTS)
def test_hostile_yaml_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ManifestError, match=reason):
        from_yaml(text)


def test_a_time_stays_the_text_it_is() -> None:
    assert from_yaml("t: 2026-12-01T08:00:00Z") == {"t": "2026-12-01T08:00:00Z"}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3),
    max_leaves=6,
)
PATHS = ["metadata", "metadata__name", "metadata__labels", "metadata__annotations", "spec", "spec__tier"]
PATHS += ["spec__tierName"]
PATHS += ["spec__members", "spec__members__0", "spec__members__0__type", "spec__members__0__selector"]
PATHS += ["spec__members__0__selector__exactMatch", "spec__members__0__selector__exactMatch__name"]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PATHS), VALUES)
def test_any_value_anywhere_is_read_or_refused(path: str, value: object) -> None:
    *way, last = path.split("__")
    whole = json.loads(json.dumps(LEAF_OBJECT))
    place = whole
    for key in way:
        place = place[int(key) if isinstance(place, list) else key]
    place[int(last) if isinstance(place, list) else last] = value
    assert isinstance(from_object(whole, "leaf-01"), HyperNode | Foreign)
