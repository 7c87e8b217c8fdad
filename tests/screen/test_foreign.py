"""Foreign text on a terminal: no control character, no markup, bounded length; many names in few words."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from hypernode.screen.console import table, words
from hypernode.screen.foreign import clean
from hypernode.screen.ranges import compact


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("node001 mlx5_0", "node001 mlx5_0", id="plain"),
        pytest.param("\x1b[31mred", "�[31mred", id="escape"),
        pytest.param("a\nb\rc\td", "a�b�c�d", id="line-breaks"),
        pytest.param("a\x9b2Jb", "a�2Jb", id="c1"),
        pytest.param("a\u202eb", "a�b", id="bidi-override"),
        pytest.param("a\ud800b", "a�b", id="surrogate"),
        pytest.param("a\u2028b", "a�b", id="line-separator"),
        pytest.param("Zürich-01 計算", "Zürich-01 計算", id="letters"),
    ],
)
def test_what_could_steer_a_terminal_is_replaced(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(st.text(max_size=1000), st.integers(2, 500))
def test_clean_text_is_short_and_harmless(text: str, limit: int) -> None:
    shown = clean(text, limit)
    assert len(shown) <= limit
    assert not {unicodedata.category(letter) for letter in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_markup_is_shown_and_not_obeyed() -> None:
    sink = io.StringIO()
    screen = Console(file=sink, width=80, force_terminal=True)
    screen.print(table(("name",), [["[bold red]x[/] [link=http://a]y[/link] :smile:"]]))
    screen.print(words("[blink]z[/blink]"))
    assert "[bold red]x[/] [link=http://a]y[/link] :smile:" in sink.getvalue()
    assert "[blink]z[/blink]" in sink.getvalue()


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
