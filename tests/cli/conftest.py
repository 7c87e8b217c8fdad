"""A recorded cluster for the commands to read: 16 hosts, 4 rails, one dead cable."""

from __future__ import annotations

from pathlib import Path

import pytest

from discovery.simulate.simulation import render, simulate


def drawn(folder: Path, *faults: str, kind: str = "rail", form: str = "capture") -> Path:
    """A simulated cluster, written below the folder."""
    for name, content in render(simulate(kind, hosts=16, rails=4, seed=7, faults=faults), form).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return drawn(tmp_path / "capture", "dead-hca-link=1")
