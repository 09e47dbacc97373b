"""The ways in which a search finds candidates, by name, and what each of them brought."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from .contract import Candidates, Probe


@dataclass(frozen=True, slots=True)
class SearchArm:
    """One way of finding candidates."""

    name: str
    """`facts`, `episodes` and `records` (full text), `entities` (names, aliases and anchors), `relations` (around the
    entities), `anchored_facts`, `anchored_episodes`, `anchored_records`, `spoken_episodes` (the newest that an entity
    spoke): the lists of `Candidates`."""
    hits: int
    limit: int | None
    """How many it brings at the most; None where that depends on what is there."""


def search_arms(probe: Probe, found: Candidates) -> Iterator[SearchArm]:
    """The arms that a probe asked for, and how many hits each brought."""
    if probe.facts:
        yield SearchArm("facts", len(found.facts), probe.facts)
    if probe.episodes:
        yield SearchArm("episodes", len(found.episodes), probe.episodes)
    yield SearchArm("entities", len(found.entities), None)
    if probe.relations:
        yield SearchArm("relations", len(found.relations), probe.relations)
    if probe.ids or probe.entities:
        yield SearchArm("anchored_facts", len(found.anchored_facts), probe.facts + len(probe.ids))
    if probe.records:
        yield SearchArm("records", len(found.records), probe.records)
    if probe.lineages:
        yield SearchArm("anchored_records", len(found.anchored_records), len(probe.lineages))
    if probe.ids:
        yield SearchArm("anchored_episodes", len(found.anchored_episodes), None)
    if probe.episodes:
        yield SearchArm("spoken_episodes", len(found.spoken_episodes), None)


Parameters = ParamSpec("Parameters")
Found = TypeVar("Found")
Times = dict[str, tuple[int, int]]
"""By the name of an arm: its beginning and its end, in nanoseconds since 1970."""

_TIMES: ContextVar[Times | None] = ContextVar("times of search arms", default=None)


@contextmanager
def recorded_times() -> Iterator[Times]:
    """Fills in how long each arm of the searches inside takes, in whichever thread, as far as the store tells."""
    times: Times = {}
    before = _TIMES.set(times)
    try:
        yield times
    finally:
        _TIMES.reset(before)


def timed(
    arm: str,
    search: Callable[Parameters, Found],
    *arguments: Parameters.args,
    **named: Parameters.kwargs,
) -> Found:
    """What an arm finds; the time it takes is noted for who wants to know."""
    times = _TIMES.get()
    if times is None:
        return search(*arguments, **named)
    started = time.time_ns()
    try:
        return search(*arguments, **named)
    finally:
        times[arm] = started, time.time_ns()
