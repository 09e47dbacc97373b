"""Measuring by turns: ours, the baseline, ours, … in one run, so that a busy machine slows both alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

Call = Callable[[Any], Awaitable[Any]]
"""One call with one of the cases."""

_clock = time.perf_counter


def use_cpu_clock() -> None:
    """Measure the time this process spends on a processor, in all its threads, instead of what a clock shows.

    For what happens in this process alone (SQLite), on a machine that is busy with something else.
    """
    global _clock
    _clock = time.process_time


def clock() -> float:
    """Seconds since some moment."""
    return _clock()


@dataclass(frozen=True)
class Effort:
    """How often something is measured: `rounds` times `calls` calls of each side, after `warming` calls of each."""

    rounds: int = 5
    calls: int = 60
    warming: int = 20


@dataclass(frozen=True)
class Timings:
    """What calls took, in milliseconds."""

    calls: int
    median: float
    p95: float


@dataclass(frozen=True)
class Comparison:
    """Both sides of one run. The ratio is the median of the rounds' ratios of medians."""

    ours: Timings
    base: Timings
    ratio: float
    lowest: float
    highest: float


def timings(seconds: Sequence[float]) -> Timings:
    """The median and the 95th percentile."""
    ordered = sorted(seconds)
    last = min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))
    return Timings(len(ordered), median(ordered) * 1000, ordered[last] * 1000)


async def timed(call: Call, case: Any) -> float:
    """The seconds one call takes."""
    began = clock()
    await call(case)
    return clock() - began


async def measure(call: Call, cases: Sequence[Any], effort: Effort) -> Timings:
    """One side alone."""
    for turn in range(effort.warming):
        await call(cases[turn % len(cases)])
    return timings(
        [await timed(call, cases[turn % len(cases)]) for turn in range(effort.rounds * effort.calls)]
    )


async def compare(
    ours: Call, base: Call, cases: Sequence[Any], effort: Effort, base_cases: Sequence[Any] | None = None
) -> Comparison:
    """Both sides by turns over the same cases (or the baseline over its own), each going first every other turn."""
    gc.collect()
    gc.freeze()  # what the benchmark itself holds is not gone through again and again
    base_cases = cases if base_cases is None else base_cases
    sides: tuple[tuple[Call, Sequence[Any]], ...] = ((ours, cases), (base, base_cases))
    for turn in range(effort.warming):
        for call, its in sides:
            await call(its[turn % len(its)])
    all_seconds: tuple[list[float], list[float]] = ([], [])
    ratios = []
    turn = 0
    for _ in range(effort.rounds):
        seconds: tuple[list[float], list[float]] = ([], [])
        for _ in range(effort.calls):
            for side in (0, 1) if turn % 2 else (1, 0):
                call, its = sides[side]
                seconds[side].append(await timed(call, its[turn % len(its)]))
            turn += 1
        ratios.append(median(seconds[0]) / median(seconds[1]))
        for side in (0, 1):
            all_seconds[side].extend(seconds[side])
    return Comparison(
        timings(all_seconds[0]), timings(all_seconds[1]), median(ratios), min(ratios), max(ratios)
    )
