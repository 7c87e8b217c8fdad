"""The views themselves: what they show of values that nobody checked before."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from hypernode.screen import discovered, observed, planned, reasons, state
from hypernode.tree import HyperNode, Tree

EVIL = "\x1b[2J[red]x[/red]\u202e"
SHOWN = "�[2J[red]x[/red]�"

FABRIC = {"kind": EVIL, "name": EVIL, "switches": 1, "hosts": 1, "links": 1}
NOTHING: dict[str, Any] = {"hypernodes": [], "fabrics": [], "unplaced": [], "findings": [], "foreign": []}


def printed(show: Callable[[Console], None], width: int = 200) -> str:
    sink = io.StringIO()
    show(Console(file=sink, width=width, markup=False, highlight=False))
    return sink.getvalue()


def finding(kind: str = "link-down", severity: str = "warning", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "severity": severity, "objects": [], "message": EVIL, "hint": EVIL, **more}


def tree(leaves: int, hosts: int) -> Tree:
    below = [
        HyperNode(f"leaf-{leaf:04}", 1, "leaf", tuple(f"n{leaf:04}-{host:02}" for host in range(hosts)))
        for leaf in range(leaves)
    ]
    return Tree.of([*below, HyperNode("spine-0", 2, "spine", children=tuple(one.name for one in below))])


PAIR = tuple(tree(2, 2).hypernodes.values())
OVER = {"hypernode.dev/oversubscription": "4.00"}


@pytest.mark.parametrize(
    "show",
    [
        pytest.param(lambda to: discovered.show_findings(to, [finding()]), id="findings"),
        pytest.param(
            lambda to: discovered.show_unplaced(to, [{"node": EVIL, "reason": EVIL, "message": EVIL}]), id="unplaced"
        ),
        pytest.param(
            lambda to: discovered.show_fabrics(to, [FABRIC]),
            id="fabrics",
        ),
        pytest.param(
            lambda to: observed.show(
                to, [{"file": EVIL, "probe": None, "outcome": "failed", "reason": EVIL, "unreadLines": 0}]
            ),
            id="observed",
        ),
        pytest.param(
            lambda to: planned.show(
                to,
                {
                    "steps": [{"op": "create", "name": EVIL, "tier": 1, "reason": EVIL}],
                    "refused": {"reason": EVIL, "hint": EVIL},
                    "applied": 0,
                },
            ),
            id="planned",
        ),
        pytest.param(
            lambda to: reasons.show(to, {"node": EVIL, "path": [EVIL], "reason": EVIL, "links": [], "votes": []}),
            id="reasons",
        ),
        pytest.param(
            lambda to: state.show(
                to,
                {**NOTHING, "foreign": [{"name": EVIL, "reason": EVIL}]},
                Tree.of([]),
                name=None,
                everything=False,
            ),
            id="state",
        ),
    ],
)
def test_foreign_text_is_shown_and_not_obeyed(show: Callable[[Console], None]) -> None:
    text = printed(show)
    assert SHOWN in text
    assert "\x1b" not in text


def test_a_large_tree_is_summed_up_and_can_be_unfolded() -> None:
    large = tree(320, 32)
    short = printed(lambda to: discovered.show_tree(to, large)).splitlines()
    assert len(short) == 98
    assert "… 224 more with 7,168 nodes" in short[-1]
    assert len(printed(lambda to: discovered.show_tree(to, large, everything=True)).splitlines()) == 321


def test_many_findings_of_a_kind_are_counted() -> None:
    many = [finding(message=f"port {number}") for number in range(5)]
    text = printed(lambda to: discovered.show_findings(to, [*many, finding("duplicate-guid", "error")]))
    assert "1 error, 5 warnings" in text
    assert "… 2 more of this kind" in text
    assert text.index("duplicate-guid") < text.index("link-down")


def test_unplaced_nodes_of_one_reason_stand_together() -> None:
    rows = [{"node": f"n{number:02}", "reason": "not-heard", "message": "m"} for number in range(12)]
    text = printed(lambda to: discovered.show_unplaced(to, rows))
    assert "12 nodes without a place" in text
    assert "n[00-11]   not-heard   m" in text


def test_many_reasons_for_no_place_are_counted() -> None:
    rows = [{"node": f"n{number}", "reason": "conflict", "message": f"m{number:02}"} for number in range(12)]
    assert "… 2 more   conflict" in printed(lambda to: discovered.show_unplaced(to, rows))
    assert "more" not in printed(lambda to: discovered.show_unplaced(to, rows, everything=True))


def links(*hypernodes: str) -> dict[str, Any]:
    """What ``why`` tells of a node with a link to each of these groups."""
    one = {"device": "mlx5_0", "adapter": "", "adapterPort": 1, "switch": "LEAF-00-0", "switchPort": 8, "place": "home"}
    one |= {"speed": "4x NDR", "saidBy": ["switch", "adapter"], "witness": "ibnetdiscover from fabric.txt"}
    rows = [{**one, "hyperNode": name} for name in hypernodes]
    return {"node": "n1", "path": [], "reason": "r", "links": rows, "votes": []}


def test_what_all_links_share_is_said_once_and_no_name_is_broken() -> None:
    names = ("leaf-2c5eab03000a71a0", "leaf-2c5eab0300224eb0")
    text = printed(lambda to: reasons.show(to, links(*names)), width=60)
    assert all(name in text for name in names)
    assert text.count("ibnetdiscover from fabric.txt") == 1
    assert "all: port 1, speed 4x NDR, that is its group's leaf" in text


def test_a_single_link_shares_nothing() -> None:
    assert "all: " not in printed(lambda to: reasons.show(to, links("leaf-2c5eab03000a71a0")))


def test_a_root_has_nobody_to_be_oversubscribed_for() -> None:
    text = printed(lambda to: discovered.show_tree(to, Tree.of([replace(one, annotations=OVER) for one in PAIR])))
    assert [line.endswith("oversubscribed 4.00:1") for line in text.splitlines()] == [False, True, True]


def test_each_condition_that_is_not_good_has_a_line() -> None:
    conditions = [
        {"type": "Ready", "status": "False", "message": "nobody is seen"},
        {"type": "Stale", "status": "True", "message": "since noon"},
        {"type": "Conflict", "status": "False", "message": "none"},
    ]
    status = {"conditions": conditions}
    whole = {"metadata": {"name": "leaf-0000"}, "spec": {"tier": 1, "members": [{}]}, "status": status}
    told = {**NOTHING, "hypernodes": [whole]}
    lines = printed(lambda to: state.show(to, told, Tree.of(PAIR), name=None, everything=False)).splitlines()
    assert [line.lstrip("│ ") for line in lines[2:4]] == ["Not ready: nobody is seen", "Stale: since noon"]


@pytest.mark.parametrize(
    "status",
    [
        pytest.param(None, id="none"),
        pytest.param("broken", id="text"),
        pytest.param({"conditions": "many"}, id="conditions-is-text"),
        pytest.param({"conditions": [1, {"type": EVIL}]}, id="odd-conditions"),
    ],
)
def test_a_status_that_others_wrote_is_shown_as_far_as_it_goes(status: object) -> None:
    whole = {"metadata": {"name": "leaf-0"}, "spec": {"tier": 1, "members": [{}]}, "status": status}
    told = {**NOTHING, "hypernodes": [whole]}
    for name in (None, "leaf-0"):
        text = printed(lambda to, name=name: state.show(to, told, Tree.of([]), name=name, everything=False))  # type: ignore[misc]
        assert "\x1b" not in text
