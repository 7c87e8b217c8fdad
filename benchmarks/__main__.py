"""``python -m benchmarks``: from ibnetdiscover text to the tree, as whole processes and step by step."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import CommandFailed, Runs, run_often

HYPERNODE = (sys.executable, "-m", "hypernode")
SIZES = ("1024x1", "1024x4", "1024x8", "10240x1", "10240x4", "10240x8")
QUICK = ("1024x1", "1024x8")
COLUMNS = ("fabric", "MB", "median s", "min", "max", "CPU s", "peak MB", "parse s", "join s", "infer s", "placed")


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured on one simulated fabric."""

    name: str
    hosts: int
    megabytes: float
    whole: Runs
    steps: dict[str, Any]

    @property
    def in_steps(self) -> float:
        """Seconds of parse, join and infer together."""
        return float(sum(self.steps[step] for step in ("parse", "join", "infer")))

    def row(self) -> tuple[str, ...]:
        steps = [f"{self.steps[step]:.3f}" for step in ("parse", "join", "infer")]
        whole = self.whole
        times = [f"{seconds:.3f}" for seconds in (whole.median, whole.fastest, whole.slowest, whole.cpu)]
        placed = f"{self.steps['placed']:,}"
        return (self.name, f"{self.megabytes:.1f}", *times, f"{whole.peak_mb:.0f}", *steps, placed)

    def as_json(self) -> dict[str, Any]:
        runs = [{"wall": run.wall, "cpu": run.cpu, "peakMB": run.peak_mb} for run in self.whole.runs]
        return {"fabric": self.name, "megabytes": self.megabytes, "runs": runs, "steps": self.steps}


def measure(kind: str, size: str, faults: Sequence[str], runs: int, folder: Path) -> Result:
    """Draw a fabric in a process of its own, then measure the whole command and its steps on it."""
    hosts, rails = (int(number) for number in size.split("x"))
    name = " ".join([kind, size, *faults])
    out = folder / name.replace(" ", "-")
    drawing = [*HYPERNODE, "simulate", kind, "--hosts", str(hosts), "--rails", str(rails), "--out", str(out)]
    for fault in faults:
        drawing += ["--fault", fault]
    subprocess.run(drawing, check=True)
    texts = [out] if out.is_file() else sorted(out.glob("*.txt"))
    whole = run_often([*HYPERNODE, "discover", "--from", *map(str, texts), "-o", "json"], runs)
    inside = [sys.executable, "-m", "benchmarks.inside", str(min(runs, 5)), *map(str, texts)]
    steps = json.loads(subprocess.run(inside, check=True, capture_output=True).stdout)
    return Result(name, hosts, sum(path.stat().st_size for path in texts) / 1e6, whole, steps)


def table(results: Sequence[Result]) -> str:
    rows = [COLUMNS, *(result.row() for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells))
    return "\n".join(lines)


def growth(results: Sequence[Result], start_up: float) -> list[str]:
    """How the cost grows from the smallest to the largest fabric of the same rails, start-up aside.

    The smallest take hardly longer than the start-up, so the process's factor is mostly noise; the steps' is not.
    """
    lines = []
    by_rails: dict[str, list[Result]] = {}
    for result in results:
        kind, size, *faults = result.name.split()
        if not faults:
            by_rails.setdefault(f"{kind} x{size.split('x')[1]}", []).append(result)
    for rails, same in by_rails.items():
        small, large = min(same, key=lambda one: one.hosts), max(same, key=lambda one: one.hosts)
        if small.hosts < large.hosts and small.whole.median > start_up:
            factor = (large.whole.median - start_up) / (small.whole.median - start_up)
            steps = large.in_steps / small.in_steps
            hosts = f"{rails}: {large.hosts / small.hosts:.0f} times the hosts cost"
            lines.append(f"{hosts} {steps:.1f} times the time in parse, join and infer, {factor:.1f} in the process")
    return lines


def size_list(text: str) -> tuple[str, ...]:
    """HOSTSxRAILS, comma-separated."""
    sizes = tuple(text.split(","))
    for size in sizes:
        hosts, _, rails = size.partition("x")
        if not (hosts.isdecimal() and rails.isdecimal()):
            raise argparse.ArgumentTypeError(f"{size!r} is no HOSTSxRAILS such as 1024x8")
    return sizes


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--sizes", type=size_list, default=SIZES, help=f"HOSTSxRAILS, comma-separated (default: {','.join(SIZES)})"
    )
    parser.add_argument("--kind", default="rail", help="kind of fabric (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=7, help="measured runs of each command (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}, three runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured to a file too")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    sizes = QUICK if args.quick else args.sizes
    runs = 3 if args.quick else max(1, args.runs)
    results: list[Result] = []
    try:
        with tempfile.TemporaryDirectory(prefix="hypernode-benchmarks-") as folder:
            start_up = measure(args.kind, "4x1", (), runs, Path(folder)).whole.median
            # The last size is measured once more on a fabric that has lost one cable in a hundred.
            for size, faults in [*((size, ()) for size in sizes), (sizes[-1], ("link-loss=1",))]:
                results.append(measure(args.kind, size, faults, runs, Path(folder)))
                print(f"measured {results[-1].name}", file=sys.stderr)
    except (CommandFailed, subprocess.CalledProcessError) as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    python = f"Python {platform.python_version()}, {os.cpu_count()} cores, median of {runs} runs"
    print(f"hypernode discover --from FILE -o json, whole process ({python})\n\n{table(results)}\n")
    print("\n".join([f"start-up, on four hosts: {start_up:.3f} s", *growth(results, start_up)]))
    if args.json:
        measured = {"python": python, "startUp": start_up, "results": [result.as_json() for result in results]}
        args.json.write_text(json.dumps(measured, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
