"""Runs a command several times as a whole process and keeps wall time, CPU time and peak memory of each run."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

KIB_PER_MB = 1000 / 1.024
"""Linux counts ru_maxrss in KiB, people count memory in MB."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: seconds on the wall, seconds of CPU of all its processes, MB at the peak."""

    wall: float
    cpu: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Runs:
    """All runs of one command."""

    runs: tuple[Run, ...]

    @property
    def median(self) -> float:
        return statistics.median(run.wall for run in self.runs)

    @property
    def fastest(self) -> float:
        return min(run.wall for run in self.runs)

    @property
    def slowest(self) -> float:
        return max(run.wall for run in self.runs)

    @property
    def cpu(self) -> float:
        return statistics.median(run.cpu for run in self.runs)

    @property
    def peak_mb(self) -> float:
        return max(run.peak_mb for run in self.runs)


class CommandFailed(Exception):
    """A measured command did not do its work, so its time means nothing."""


def run_once(command: Sequence[str]) -> Run:
    """Run a command to its end. The measuring process stays small: a child's peak starts at its parent's size."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        reason = said[-500:].decode(errors="replace")
        raise CommandFailed(f"{' '.join(command)} ended with {process.returncode}: {reason}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / KIB_PER_MB)


def run_often(command: Sequence[str], times: int) -> Runs:
    """Run a command once unmeasured, so that files and byte code are in the cache, then as often as asked."""
    run_once(command)
    return Runs(tuple(run_once(command) for _ in range(times)))
