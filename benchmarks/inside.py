"""Times the steps within one process: ``python -m benchmarks.inside RUNS FILE…`` prints medians as JSON."""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from discovery.identities import Witness
from discovery.join import join
from discovery.probes.ibnetdiscover import parse
from hypernode.infer import infer

T = TypeVar("T")


def timed(step: Callable[[], T], times: int) -> tuple[T, float]:
    """The result of a step and the median of its seconds."""
    seconds = []
    for _ in range(times):
        gc.collect()
        start = time.perf_counter()
        result = step()
        seconds.append(time.perf_counter() - start)
    return result, statistics.median(seconds)


def main() -> None:
    times, texts = int(sys.argv[1]), {name: Path(name).read_bytes() for name in sys.argv[2:]}
    sweeps, parsing = timed(
        lambda: [parse(text, Witness("ibnetdiscover", name)) for name, text in texts.items()], times
    )
    fabric, joining = timed(lambda: join(sweeps), times)
    inference, inferring = timed(lambda: infer(fabric), times)
    placed = sum(len(group.nodes) for group in inference.groups)
    print(json.dumps({"parse": parsing, "join": joining, "infer": inferring, "placed": placed}))


if __name__ == "__main__":
    main()
