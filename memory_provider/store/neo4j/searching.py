"""Everything a recall needs in one statement; more only when a search looked too shallow.

The index restricts by scope and by the days of the clocks; what it finds, up to a depth, is restricted by the clocks
themselves. When an arm met its depth and kept too few, what is in view may lie deeper: it is asked again, deeper each
time, until it has enough or has seen everything. So nothing starves, and the common case is one statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ...temporal.instants import OPEN
from ..contract import SPOKEN, Answer, Candidates, Moment, Probe, Scored
from ..ranking import Document, ranked, rarities_among
from ..records import CitedFact, Episode, EpisodeChunk, IndexedRecord
from . import decoding, encoding, lucene
from .connection import rows
from .marks import day
from .queries import query
from .reading import at
from .settling import Seen, Settling

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction

Hit = TypeVar("Hit")

DEPTH = 100
"""How many matches of a scope an arm looks at, at the least."""

BREADTH = 3
"""How many it looks at for each hit that is wanted."""

DEEPER = 8
"""How much deeper each further attempt looks."""

REMEMBERED = 10_000
"""Of how many scopes it is remembered that they have context records."""


class _Found(NamedTuple):
    """A record of `recall`."""

    clock: int
    clock_after: int
    as_of: int
    known_at: int
    facts: list[Any]
    facts_matched: int
    facts_depth_hit: bool
    chunks: list[Any]
    said: list[Any]
    """The episodes of those chunks."""
    chunks_matched: int
    chunks_depth_hit: bool
    entities: list[Any]
    relations: list[Any]
    predicates: list[Any]
    anchored: list[Any]
    whole: list[Any]
    """Episodes that are anchored or spoken, with all their chunks."""
    spoken: list[str]
    """Ids of the newest episodes that the entities spoke."""
    has_records: bool
    """Whether the scope has any context records."""
    records: Sequence[Any] = ()
    records_matched: int = 0
    records_depth_hit: bool = False
    anchored_records: Sequence[Any] = ()


class Searching:
    """Searches, and remembers which scopes have context records: others are not searched for any."""

    def __init__(self, settling: Settling) -> None:
        self._settling = settling
        self._with_records: set[str] = set()

    async def candidates(self, scope: str, moment: Moment, probe: Probe) -> Answer[Candidates]:
        """What a recall found, arm by arm."""
        terms = [term for term in probe.terms if term]
        wanted = bool(probe.frames)

        async def search(tx: AsyncManagedTransaction) -> Seen[Answer[Candidates]]:
            known = wanted and scope in self._with_records
            found = await _ask(tx, scope, moment, probe, terms, records=known)
            if wanted and found.has_records and not known:  # once, in the life of a store
                if len(self._with_records) >= REMEMBERED:
                    self._with_records.clear()
                self._with_records.add(scope)
                found = await _ask(tx, scope, moment, probe, terms, records=True)
            return await _deeper(tx, scope, moment, probe, terms, found)

        return await self._settling.read(scope, search)


async def _deeper(
    tx: AsyncManagedTransaction,
    scope: str,
    moment: Moment,
    probe: Probe,
    terms: list[str],
    found: _Found,
) -> Seen[Answer[Candidates]]:
    """What was found, once each arm has looked deep enough."""
    found = await _deeper_facts(tx, scope, probe, terms, found)
    found = await _deeper_chunks(tx, scope, probe, terms, found)
    found = await _deeper_records(tx, scope, moment, probe, terms, found)
    answer = Answer(found.as_of, found.known_at, _decoded(found, probe))
    return Seen(found.clock, found.clock_after, answer)


async def _ask(
    tx: AsyncManagedTransaction,
    scope: str,
    moment: Moment,
    probe: Probe,
    terms: list[str],
    *,
    records: bool = False,
    **changed: Any,
) -> _Found:
    valid, said = _days(moment)
    parameters: dict[str, Any] = {
        "scope": scope,
        **at(moment),
        "facts": probe.facts if terms else 0,
        "facts_query": lucene.facts_query(scope, terms, valid._replace(superseded_after=None)),
        "superseded_query": lucene.facts_query(scope, terms, valid),
        "facts_depth": _depth(probe.facts),
        "episodes": probe.episodes if terms else 0,
        "episodes_query": lucene.chunks_query(scope, terms, said),
        "episodes_depth": _depth(probe.episodes),
        "relations": probe.relations,
        "names": [encoding.name_key(name) for name in dict.fromkeys(probe.names) if name],
        "entities": list(dict.fromkeys(probe.entities)),
        "anchored": probe.facts,
        "ids": list(dict.fromkeys(probe.ids)),
        "episodes_spoken": SPOKEN if probe.episodes else 0,
        "retained_at": moment.now,
        "records": probe.records if terms and probe.frames else 0,
        "records_query": lucene.records_query(
            scope, probe.frames, terms, valid._replace(superseded_after=None)
        ),
        "superseded_records_query": lucene.records_query(scope, probe.frames, terms, valid),
        "records_depth": _depth(probe.records),
        "frames": list(probe.frames),
        "lineages": list(dict.fromkeys(probe.lineages)),
    }
    (row,) = await rows(tx, query("recall", records=records), **(parameters | changed))
    return _Found(*row)


def _days(moment: Moment) -> tuple[lucene.Days, lucene.Days]:
    """By which days facts and chunks are restricted inside the index.

    Most of what is recorded lies before today, so a clause that keeps it is left out when the view is of today.
    """
    as_of, known_at = moment.as_of, moment.known_at
    today = day(moment.now)
    by = as_of if as_of is not None and day(as_of) < today else None
    recorded_by = known_at if known_at is not None and day(known_at) < today else None
    after = moment.now if as_of is None else as_of
    return lucene.Days(by, after, recorded_by, known_at), lucene.Days(by, None, recorded_by)


async def _deeper_facts(
    tx: AsyncManagedTransaction, scope: str, probe: Probe, terms: list[str], found: _Found
) -> _Found:
    depth = _depth(probe.facts)
    alone = Probe(terms, (), (), (), probe.facts, 0, 0)
    while found.facts_depth_hit and len(found.facts) < probe.facts:
        depth *= DEEPER
        deeper = await _ask(tx, scope, _fixed(found), alone, terms, facts_depth=depth)
        found = found._replace(
            clock_after=deeper.clock_after,
            facts=deeper.facts,
            facts_matched=deeper.facts_matched,
            facts_depth_hit=deeper.facts_depth_hit,
        )
    return found


async def _deeper_chunks(
    tx: AsyncManagedTransaction, scope: str, probe: Probe, terms: list[str], found: _Found
) -> _Found:
    depth = _depth(probe.episodes)
    alone = Probe(terms, (), (), (), 0, probe.episodes, 0)
    while found.chunks_depth_hit and len(found.chunks) < probe.episodes:
        depth *= DEEPER
        deeper = await _ask(tx, scope, _fixed(found), alone, terms, episodes_depth=depth)
        found = found._replace(
            clock_after=deeper.clock_after,
            chunks=deeper.chunks,
            said=deeper.said,
            chunks_matched=deeper.chunks_matched,
            chunks_depth_hit=deeper.chunks_depth_hit,
        )
    return found


async def _deeper_records(
    tx: AsyncManagedTransaction, scope: str, moment: Moment, probe: Probe, terms: list[str], found: _Found
) -> _Found:
    depth = _depth(probe.records)
    alone = Probe(terms, (), (), (), 0, 0, 0, probe.records, probe.frames)
    while found.records_depth_hit and len(found.records) < probe.records:
        depth *= DEEPER
        deeper = await _ask(
            tx, scope, _fixed(found), alone, terms, records=True, records_depth=depth, retained_at=moment.now
        )
        found = found._replace(
            clock_after=deeper.clock_after,
            records=deeper.records,
            records_matched=deeper.records_matched,
            records_depth_hit=deeper.records_depth_hit,
        )
    return found


def _fixed(found: _Found) -> Moment:
    """The same instants again, all of them restricting by day."""
    return Moment(found.as_of, found.known_at, OPEN)


def _depth(wanted: int) -> int:
    return max(DEPTH, BREADTH * wanted)


def _decoded(found: _Found, probe: Probe) -> Candidates:
    more = max(0, found.facts_matched - len(found.facts)) + max(0, found.chunks_matched - len(found.chunks))
    more += max(0, found.records_matched - len(found.records))
    more += max(0, len(found.relations) - probe.relations)
    about = [row for row in found.anchored if row[2]]
    more += max(0, len(about) - probe.facts)
    left_out = about[probe.facts :]
    whole = {row[0]: decoding.episode(row) for row in found.whole}
    return Candidates(
        _facts(found, probe.terms),
        _chunks(found, probe.terms),
        [decoding.entity(row) for row in found.entities],
        [decoding.cited_fact(*row) for row in found.relations[: probe.relations]],
        [
            decoding.cited_fact(fact, sources)
            for fact, sources, _ in found.anchored
            if not _in(left_out, fact)
        ],
        _pieces(probe.ids, whole),
        _pieces(found.spoken, whole),
        [decoding.predicate(row) for row in found.predicates],
        _records(found, probe.terms),
        [IndexedRecord(decoding.record(row), terms) for row, terms in found.anchored_records],
        more,
    )


def _facts(found: _Found, terms: Iterable[str]) -> list[Scored[CitedFact]]:
    facts = [decoding.cited_fact(fact, sources) for fact, sources, _ in found.facts]
    facts.sort(key=lambda each: (-each.version.recorded_at, each.version.id))
    return _scored(facts, [Document(-place, each.terms) for place, each in enumerate(facts)], terms)


def _chunks(found: _Found, terms: Iterable[str]) -> list[Scored[EpisodeChunk]]:
    said = {row[0]: row for row in found.said}
    chunks = [decoding.pieces(decoding.episode([*said[id], [chunk]]))[0] for id, chunk, _ in found.chunks]
    chunks.sort(key=lambda each: (-each.episode.occurred_at, each.episode.id, each.chunk.number))
    documents = [Document(-place, each.chunk.terms, each.chunk.context) for place, each in enumerate(chunks)]
    return _scored(chunks, documents, terms)


def _records(found: _Found, terms: Iterable[str]) -> list[Scored[IndexedRecord]]:
    records = [IndexedRecord(decoding.record(row), stored) for row, stored, _ in found.records]
    records.sort(key=lambda each: (-each.record.recorded_at, each.record.id))
    return _scored(records, [Document(-place, each.terms) for place, each in enumerate(records)], terms)


def _scored(hits: Sequence[Hit], documents: Sequence[Document], terms: Iterable[str]) -> list[Scored[Hit]]:
    """Hits by the words of their own scope. The index counts words over all scopes, and a score by its count would
    tell how common a word is elsewhere."""
    rarities = rarities_among(documents, terms)
    return [Scored(hits[-document.row_id], score) for document, score in ranked(documents, rarities)]


def _pieces(ids: Iterable[str], episodes: dict[str, Episode]) -> list[EpisodeChunk]:
    found = [episodes[id] for id in dict.fromkeys(ids) if id in episodes]
    return [piece for episode in found for piece in decoding.pieces(episode)]


def _in(rows: list[Any], fact: Any) -> bool:
    return any(row[0] is fact for row in rows)
