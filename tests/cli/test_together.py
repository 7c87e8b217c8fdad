"""Reading in two processes: the same rows as in one, whatever becomes of the other process."""

from __future__ import annotations

import dataclasses
import os
import signal
from collections.abc import Callable

import numpy as np
import pytest

from discovery.identities import Witness
from discovery.observations import Sweep
from discovery.probes import ibnetdiscover
from discovery.simulate.simulation import render, simulate
from hypernode.cli import together

WITNESS = Witness("ibnetdiscover", "fabric.txt")


def texts() -> dict[str, bytes]:
    """A whole fabric, one with damage, and one that is cut."""
    wiring = simulate("rail", hosts=64, rails=4, seed=3, faults=["stderr-noise", "unknown-speed"])
    drawn = render(wiring, "ibnetdiscover")
    text = next(iter(drawn.values()))
    return {"with error output": text, "cut": text[: len(text) * 2 // 3], "CRLF": text.replace(b"\n", b"\r\n")}


TEXTS = [pytest.param(text, id=name) for name, text in texts().items()]


def told(sweep: Sweep) -> list[object]:
    """Everything in a sweep, comparable."""
    columns = (sweep.devices, sweep.ends)
    fields = [getattr(one, field.name) for one in columns for field in dataclasses.fields(one) if field.name != "name"]
    names = [sweep.devices.name.raw(row) for row in range(len(sweep.devices.name))]
    return [*(field.tolist() for field in fields if isinstance(field, np.ndarray)), names, sweep.notes, sweep.dialect]


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "LARGE", 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


@pytest.mark.parametrize("text", TEXTS)
def test_two_processes_read_what_one_reads(text: bytes) -> None:
    assert told(ibnetdiscover.parse(text, WITNESS, together.read_together)) == told(ibnetdiscover.parse(text, WITNESS))


def _killed(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _failing(*_: object) -> None:
    raise MemoryError


@pytest.mark.parametrize("accident", [pytest.param(_killed, id="killed"), pytest.param(_failing, id="out of memory")])
def test_an_accident_of_the_other_process_changes_nothing(
    accident: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "_reply", accident)
    text = texts()["cut"]
    assert told(ibnetdiscover.parse(text, WITNESS, together.read_together)) == told(ibnetdiscover.parse(text, WITNESS))


def test_without_a_second_process_one_reads_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refused)
    text = texts()["cut"]
    assert told(ibnetdiscover.parse(text, WITNESS, together.read_together)) == told(ibnetdiscover.parse(text, WITNESS))


def test_no_process_is_left_behind() -> None:
    ibnetdiscover.parse(texts()["cut"], WITNESS, together.read_together)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
