"""Foreign text on a terminal: no control character, no markup, bounded length."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from hypernode.screen.console import table, words
from hypernode.screen.foreign import clean


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
