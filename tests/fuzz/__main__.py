"""The long profile: ``python -m tests.fuzz --count 1000000 --seed 1``. A failure says the number of its text."""

from __future__ import annotations

import argparse
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.fuzz.damage import damaged, seeds
from tests.fuzz.oracle import check, check_both_ways

BATCH = 2000
LIMIT_SECONDS = 5
"""Of processor time: a busy machine is no hang. A damaged text of a few kilobytes that takes longer is one."""
LIMIT_MEGABYTES = 400
BOTH_EVERY = 10
"""Both readers are compared on every tenth text."""


def try_batch(job: tuple[int, int, int]) -> tuple[int, int, list[str]]:
    """Check the texts of one batch: how many, how many were heard, and what failed."""
    run, first, count = job
    texts, heard, failures = seeds(), 0, []
    for number in range(first, first + count):
        text = damaged(texts, run, number)
        signal.setitimer(signal.ITIMER_PROF, LIMIT_SECONDS)
        try:
            was_heard = check(text)
            if number % BOTH_EVERY == 0:
                check_both_ways(text, 500 + number % 4000)
            heard += was_heard
        except BaseException:
            failures.append(f"text {number} of run {run}:\n{traceback.format_exc(limit=-3)}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if megabytes > LIMIT_MEGABYTES:
        failures.append(f"{megabytes} MB of memory by text {first + count} of run {run}")
    return count, heard, failures


def _hang(_signal: int, _frame: object) -> None:
    raise TimeoutError(f"more than {LIMIT_SECONDS} s of processor time")


def _begin() -> None:
    signal.signal(signal.SIGPROF, _hang)


def _jobs(run: int, first: int, count: int) -> Iterator[tuple[int, int, int]]:
    for start in range(first, first + count, BATCH):
        yield run, start, min(BATCH, first + count - start)


def main() -> int:
    """Run the profile and say how many texts were checked."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, help="how many damaged texts")
    parser.add_argument("--seed", type=int, default=1, help="which run; the same run has the same texts")
    parser.add_argument("--first", type=int, default=0, help="number of the first text, to see a failure again")
    parser.add_argument("--processes", type=int, default=2)
    words = parser.parse_args()
    done = heard = failed = 0
    began = time.monotonic()
    with ProcessPoolExecutor(words.processes, initializer=_begin) as pool:
        for count, some, failures in pool.map(try_batch, _jobs(words.seed, words.first, words.count)):
            done, heard, failed = done + count, heard + some, failed + len(failures)
            for failure in failures:
                print(failure, file=sys.stderr)
            rate = done / (time.monotonic() - began)
            if sys.stderr.isatty():
                print(f"\r{done:,} of {words.count:,} ({rate:,.0f} a second)", end="", file=sys.stderr)
    refused = done - heard - failed
    print(f"{done:,} damaged texts of run {words.seed}: {heard:,} heard, {refused:,} refused, {failed:,} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
