"""Digits of many lines at once: exactly what a person would read there, whatever the other bytes are."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.ibtext.words import WINDOW, Words, decimal

DIGITS = b"0123456789abcdef"


@pytest.mark.parametrize("place", [pytest.param(place, id=f"digit-{place}") for place in range(16)])
def test_every_byte_is_a_hex_digit_or_none(place):
    texts = [b"9f" * 8] * 256
    texts = [text[:place] + bytes([byte]) + text[place + 1 :] for byte, text in enumerate(texts)]
    words = Words(b"".join(texts) + bytes(WINDOW))
    values, right = words.window(np.arange(256) * 16).hex16(0)
    assert np.flatnonzero(right).tolist() == sorted(DIGITS)
    assert values[right].tolist() == [int(texts[byte], 16) for byte in sorted(DIGITS)]


@given(st.lists(st.binary(min_size=16, max_size=16) | st.text("0123456789abcdefg@`", min_size=16, max_size=16)))
def test_hex_numbers_of_any_length_at_a_place(texts):
    raw = [text if isinstance(text, bytes) else text.encode() for text in texts]
    words = Words(b"".join(raw) + bytes(WINDOW))
    for length in range(-1, 18):
        values, right = words.window(np.arange(len(raw)) * 16).hex(0, np.full(len(raw), length))
        parts = [text[:length] if 1 <= length <= 16 else b"" for text in raw]
        assert right.tolist() == [bool(re.fullmatch(rb"[0-9a-f]+", part)) for part in parts]
        assert values[right].tolist() == [int(part, 16) for part in parts if re.fullmatch(rb"[0-9a-f]+", part)]


@given(st.lists(st.binary(min_size=8, max_size=8) | st.from_regex(r"\A[0-9]{0,8}[^0-9]{8}\Z")), st.integers(1, 7))
def test_numbers_at_the_start_of_words(texts, most):
    raw = [(text if isinstance(text, bytes) else text.encode())[:8] for text in texts]
    value, count, rest = decimal(np.frombuffer(b"".join(raw), "<u8"), most)
    for row, text in enumerate(raw):
        digits = re.match(rb"[0-9]*", text)[0]
        if len(digits) > most:
            digits = b""
        assert (value[row], count[row]) == (int(digits or b"0"), len(digits))
        assert int(rest[row]).to_bytes(8, "little") == text[len(digits) :].ljust(8, b"\0")
