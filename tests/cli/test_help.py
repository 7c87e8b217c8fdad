"""Help is part of the interface: each page is a golden file."""

from __future__ import annotations

import pytest

from hypernode.cli.entry import COMMANDS
from tests.conftest import Golden, Run


@pytest.mark.parametrize("command", [pytest.param(name, id=name or "top") for name in ("", *COMMANDS)])
def test_help(hypernode: Run, golden: Golden, command: str) -> None:
    result = hypernode(*filter(None, (command, "--help")))
    assert (result.returncode, result.stderr) == (0, "")
    golden(f"help/{command or 'hypernode'}.txt", result.stdout)
