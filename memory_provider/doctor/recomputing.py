"""Comparing what a store answers with what its rows say, by the slow and obvious way of looking at each."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, NamedTuple

from ..memory.integrity import told
from ..store.contract import Moment, Pattern, Probe, Slice, Store
from ..store.records import SourceLink, Version
from ..temporal.instants import FIRST, LAST, Instant, now
from .samples import COMMON, Holder, KeyRows, Samples, TermRows

INSTANTS = 3
"""How many instants of each clock each name of a sample is asked at."""


class _Shown(NamedTuple):
    """What a view shows of a fact."""

    recorded_at: Instant
    window: tuple[Instant, Instant]
    digest: str
    links: frozenset[str]


async def answer_faults(
    store: Store, scope: str, samples: Samples, clock: Instant, seed: int
) -> AsyncIterator[tuple[str, str]]:
    """Where the store's answers differ from a recomputation; `clock` is the scope's when its rows were read."""
    chance = random.Random(seed)
    for _, rows in samples.keys:
        async for fault in _facts(store, scope, rows, clock, chance):
            yield fault
    for term, holders in samples.terms:
        if not holders.common:
            async for fault in _search(store, scope, term, holders, clock, chance):
                yield fault


async def _facts(
    store: Store, scope: str, rows: KeyRows, clock: Instant, chance: random.Random
) -> AsyncIterator[tuple[str, str]]:
    recorded = [edge for each in rows.versions for edge in (each.recorded_at, each.superseded_at)]
    recorded += [edge for each in rows.links for edge in (each.attached_at, each.detached_at)]
    valid = [clock, *(edge for each in rows.versions for edge in each.window)]
    pattern = Pattern(rows.key.subject, rows.key.predicate)
    page = Slice(len(rows.versions) + 1)
    for known_at in [clock, *_some(recorded, clock, chance)]:
        known = {each.id: each for each in rows.versions if each.recorded_at <= known_at < each.superseded_at}
        moment = Moment(LAST, known_at, now())
        answer = await store.standing(scope, moment, rows.key)
        found = {each.id: (each.recorded_at, each.window) for each in answer.found}
        expected = {each.id: (each.recorded_at, each.window) for each in known.values()}
        for fault in _differences(expected, found, f"all facts of the key, known at {told(known_at)}"):
            yield fault
        for as_of in _some(valid, LAST, chance):
            here = [each for each in known.values() if each.window.contains(as_of)]
            answered = await store.facts(scope, Moment(as_of, known_at, now()), pattern, page)
            asked = f"facts as of {told(as_of)}, known at {told(known_at)}"
            for fault in _differences(
                {each.id: _shown(each, _attached(rows.links, each, known_at)) for each in here},
                {row.version.id: _shown(row.version, row.sources) for row in answered.found},
                asked,
            ):
                yield fault


def _attached(links: Iterable[SourceLink], version: Version, known_at: Instant) -> list[SourceLink]:
    return [
        link
        for link in links
        if link.fact_id == version.id
        and link.attached_at <= known_at < link.detached_at
        and link.covers.overlaps(version.window)
    ]


def _shown(version: Version, links: Iterable[SourceLink]) -> _Shown:
    return _Shown(version.recorded_at, version.window, version.digest, frozenset(link.id for link in links))


async def _search(
    store: Store, scope: str, term: str, rows: TermRows, clock: Instant, chance: random.Random
) -> AsyncIterator[tuple[str, str]]:
    holders = [*rows.facts, *rows.chunks]
    probe = Probe((term,), (), (), (), facts=COMMON, episodes=COMMON, relations=0)
    recorded = [edge for each in holders for edge in (each.known_from, each.known_to)]
    valid = [clock, *(edge for each in holders for edge in (each.since, each.until))]
    for known_at in [clock, *_some(recorded, clock, chance)]:
        for as_of in _some(valid, LAST, chance):
            answer = await store.candidates(scope, Moment(as_of, known_at, now()), probe)
            asked = f"a search as of {told(as_of)}, known at {told(known_at)}"
            facts = {(hit.hit.version.id, hit.hit.version.recorded_at): None for hit in answer.found.facts}
            for fault in _differences(_seen(rows.facts, as_of, known_at), facts, asked):
                yield fault
            chunks = {(hit.hit.episode.id, hit.hit.chunk.number): None for hit in answer.found.episodes}
            for fault in _differences(_seen(rows.chunks, as_of, known_at), chunks, asked):
                yield fault


def _seen(holders: Iterable[Holder], as_of: Instant, known_at: Instant) -> dict[tuple[str, Instant], None]:
    return {
        (each.id, each.place): None
        for each in holders
        if each.since <= as_of < each.until and each.known_from <= known_at < each.known_to
    }


def _differences(
    expected: Mapping[Any, object], found: Mapping[Any, object], asked: str
) -> list[tuple[str, str]]:
    missing = [f"{asked}: {_name(each)} is missing" for each in expected if each not in found]
    wrong = [f"{asked}: {_name(each)} should not be there" for each in found if each not in expected]
    other = [
        f"{asked}: {_name(each)} is there otherwise than its rows say"
        for each in expected
        if each in found and expected[each] != found[each]
    ]
    return [("answers that differ from what is stored", what) for what in [*missing, *wrong, *other]]


def _name(each: str | tuple[str, Instant]) -> str:
    return each if isinstance(each, str) else f"{each[0]} ({each[1]})"


def _some(edges: Iterable[Instant], last: Instant, chance: random.Random) -> list[Instant]:
    """A few instants where an answer may change, or just before."""
    places = {near for edge in edges for near in (edge, edge - 1) if FIRST <= near <= last}
    return sorted(chance.sample(sorted(places), min(INSTANTS, len(places))))
