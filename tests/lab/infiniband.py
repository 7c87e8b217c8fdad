"""A real InfiniBand stack without hardware: ibsim simulates the devices, opensm and ibnetdiscover are the real ones."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from discovery.simulate.ibsim import relink, unlink
from discovery.simulate.simulation import render
from discovery.simulate.wiring import Cable, Wiring

PATIENCE = 60.0
"""Seconds before a tool that says nothing counts as broken."""
READY, PROMPT = b"Network simulator ready.", b"sim> "
SEARCH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin", "/sbin"))
PACKAGES = "Debian: ibsim-utils, opensm, infiniband-diags"


def needed(tool: str) -> str:
    """The path of a tool; the test is skipped where it is missing."""
    path = shutil.which(tool, path=SEARCH)
    if path is None:
        pytest.skip(f"{tool} is not installed ({PACKAGES})")
    return path


def preload() -> Path:
    """The library that lets the InfiniBand tools talk to ibsim instead of the kernel."""
    for folder in (Path("/usr/lib"), Path("/usr/lib64"), Path("/usr/local/lib")):
        for path in (*folder.glob("umad2sim/libumad2sim.so"), *folder.glob("*/umad2sim/libumad2sim.so")):
            return path
    pytest.skip(f"libumad2sim.so is not installed ({PACKAGES})")


class Stack:
    """One simulated subnet with its own socket name, so that several can run side by side."""

    def __init__(self, folder: Path, wiring: Wiring) -> None:
        self._wiring = wiring
        self._tools = {name: needed(name) for name in ("ibsim", "opensm", "ibnetdiscover")}
        self._folder = folder
        self._env = {
            **{key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ},
            "IBSIM_SOCKNAME": f"hypernode-{os.getpid()}-{folder.name}"[:60],
            "OSM_CACHE_DIR": f"{folder}/",
            "OSM_TMP_DIR": f"{folder}/",
        }
        self._preload = str(preload())
        net = folder / "fabric.net"
        net.write_bytes(render(wiring, "ibsim")["ibsim.net"])
        self._process = subprocess.Popen(
            [self._tools["ibsim"], "-s", str(net)],
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
        )

    def _said(self, until: bytes) -> bytes:
        """What ibsim says up to these words; fails when it ends or takes too long."""
        assert self._process.stdout is not None
        deadline = time.monotonic() + PATIENCE
        heard = b""
        while until not in heard:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"ibsim did not say {until!r} within {PATIENCE:.0f} s: {heard[-500:]!r}"
            more = os.read(self._process.stdout.fileno(), 1 << 16)
            assert more, f"ibsim ended: {heard[-500:]!r}"
            heard += more
        return heard

    def wait_until_ready(self) -> None:
        """Wait for the console's first prompt."""
        heard = self._said(READY)
        if PROMPT not in heard.partition(READY)[2]:
            self._said(PROMPT)

    def cut(self, cable: Cable) -> None:
        """Take a cable away on ibsim's console."""
        self._tell(unlink(self._wiring, cable))

    def plug(self, cable: Cable) -> None:
        """Plug a cable in again."""
        self._tell(relink(self._wiring, cable))

    def _tell(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(command.encode())
        answer = self._said(PROMPT)
        assert b"#" not in answer, f"ibsim refused: {answer!r}"

    def _run(self, tool: str, *words: str) -> bytes:
        done = subprocess.run(
            [self._tools[tool], *words],
            env={**self._env, "LD_PRELOAD": self._preload},
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{tool}: {done.stdout[-500:]!r} {done.stderr[-500:]!r}"
        return done.stdout

    def assign_lids(self) -> None:
        """Let the real subnet manager sweep once."""
        self._run("opensm", "--once", "--log_file", str(self._folder / "opensm.log"))

    def discover(self, *words: str) -> bytes:
        """What the real ibnetdiscover prints."""
        return self._run("ibnetdiscover", *words)

    def stop(self) -> None:
        """End ibsim, whatever state it is in."""
        self._process.kill()
        self._process.wait(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@contextlib.contextmanager
def simulated(folder: Path, wiring: Wiring) -> Iterator[Stack]:
    """A running stack on this wiring, ended in any case."""
    stack = Stack(folder, wiring)
    try:
        stack.wait_until_ready()
        yield stack
    finally:
        stack.stop()
