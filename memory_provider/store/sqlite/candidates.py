"""Everything a recall needs, in one read transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from ..arms import timed
from ..contract import SPOKEN, Answer, Candidates, Moment, Probe, Scored
from ..records import CitedFact, Entity, EpisodeChunk, IndexedRecord, Predicate
from .holding import episodes_of
from .reading import IN_VIEW, with_citations
from .rows import (
    EPISODE,
    PREDICATE,
    RECORD,
    VERSION,
    chunk_of,
    episode_of,
    predicate_of,
    record_of,
    version_of,
)
from .search import Hits, record_in_view, search_chunks, search_facts, search_records
from .sql import among, column, for_each, known
from .views import View, view_at

SAID = "e.occurred_at <= :as_of AND e.recorded_at <= :known"
"""The episodes in view."""


def candidates(
    connection: sqlite3.Connection, scope: str, moment: Moment, probe: Probe
) -> Answer[Candidates]:
    """All arms of a recall."""
    view = view_at(connection, scope, moment)
    if not view.scope:
        return view.answer(Candidates((), (), (), (), (), (), (), (), (), (), 0))
    facts = timed("facts", search_facts, connection, view, probe.terms, probe.facts)
    said = timed("episodes", search_chunks, connection, view, probe.terms, probe.episodes)
    records = timed("records", _records, connection, view, probe)
    entities = timed("entities", _entities, connection, view, probe)
    relations, more_relations = timed("relations", _relations, connection, view, entities, probe.relations)
    anchored, more_anchored = timed("anchored_facts", _anchored, connection, view, probe)
    found = {hit.row_id: CitedFact(version_of(hit.columns), (), hit.terms) for hit, _ in facts.rows}
    shown = with_citations(connection, view, [*found.values(), *relations, *anchored])
    chunks = _chunks(connection, said)
    return view.answer(
        Candidates(
            facts=_scored(facts, {row_id: shown[each.version.id] for row_id, each in found.items()}),
            episodes=_scored(said, chunks),
            entities=entities,
            relations=[shown[each.version.id] for each in relations],
            anchored_facts=[shown[each.version.id] for each in anchored],
            anchored_episodes=timed("anchored_episodes", _anchored_chunks, connection, view, probe.ids),
            spoken_episodes=timed("spoken_episodes", _spoken_chunks, connection, view, entities)
            if probe.episodes
            else (),
            predicates=_predicates(connection, view, relations),
            more=facts.more + said.more + records.more + more_relations + more_anchored,
            records=[
                Scored(IndexedRecord(record_of(hit.columns), hit.terms), score) for hit, score in records.rows
            ],
            anchored_records=timed("anchored_records", _anchored_records, connection, view, probe)
            if probe.lineages
            else (),
        )
    )


def _scored(hits: Hits, found: dict[int, Any]) -> list[Scored[Any]]:
    return [Scored(found[document.row_id], score) for document, score in hits.rows]


def _entities(connection: sqlite3.Connection, view: View, probe: Probe) -> list[Entity]:
    """Entities of the exact names, then those whose name or alias is asked for, in the order asked."""
    exact = among(
        connection,
        "SELECT id, name FROM entities WHERE scope = :scope AND name IN (:given)",
        probe.entities,
        view.arguments(),
    )
    anchors = {name: place for place, name in enumerate(dict.fromkeys(probe.entities))}
    found = {row[0]: Entity(*row) for row in sorted(exact, key=lambda row: anchors[row[1]])}
    alias = known(
        "SELECT e.id, e.name, f.alias FROM facts f JOIN entities e ON e.scope = f.scope AND e.name = f.subject"
        f" WHERE f.scope = :scope AND f.alias IN (:given) AND {IN_VIEW} AND {{known}}",
        view.past,
    )
    asked = {name: place for place, name in enumerate(dict.fromkeys(filter(None, probe.names)))}
    named = among(
        connection,
        f"SELECT id, name, normalised FROM entities WHERE scope = :scope AND normalised IN (:given) UNION ALL {alias}",
        asked,
        view.arguments(),
    )
    for row in sorted(named, key=lambda row: asked[row[2]]):
        found.setdefault(row[0], Entity(*row[:2]))
    return list(found.values())


def _relations(
    connection: sqlite3.Connection, view: View, entities: Sequence[Entity], limit: int
) -> tuple[list[CitedFact], int]:
    """Relations of the entities, whenever valid, each once; the newest, where there are more than the limit."""
    found: dict[str, CitedFact] = {}
    if not limit or not entities:
        return [], 0
    for end in ("subject", "object_text"):
        statement = known(
            f"SELECT {VERSION}, f.terms FROM facts f WHERE f.scope = :scope AND f.{end} = :a"
            " AND f.object_type = 'entity' AND {known}",
            view.past,
        )
        rows = for_each(
            connection,
            f"{statement} ORDER BY recorded_at DESC, valid_from DESC, id LIMIT :limit",
            column(each.name for each in entities),
            view.arguments(limit=limit + 1),
        )
        found.update((row[0], _fact_of(row)) for row in rows)
    newest = sorted(found.values(), key=_newest_first)
    return newest[:limit], len(newest[limit:])


def _anchored(connection: sqlite3.Connection, view: View, probe: Probe) -> tuple[list[CitedFact], int]:
    """Facts named by id, and the newest facts about the anchored entities: as many as the search may return."""
    if not probe.ids and not probe.entities:
        return [], 0
    by_id = for_each(
        connection,
        known(
            f"SELECT {VERSION}, f.terms FROM facts f WHERE f.scope = :scope AND f.id = :a AND {IN_VIEW} AND {{known}}",
            view.past,
        ),
        column(probe.ids),
        view.arguments(),
    )
    named = {row[0]: _fact_of(row) for row in by_id}
    about: dict[str, CitedFact] = {}
    for condition in ("f.subject = :a", "f.object_text = :a AND f.object_type = 'entity'"):
        statement = known(
            f"SELECT {VERSION}, f.terms FROM facts f WHERE f.scope = :scope AND {condition}"
            f" AND {IN_VIEW} AND {{known}}",
            view.past,
        )
        rows = for_each(
            connection,
            f"{statement} ORDER BY recorded_at DESC, valid_from DESC, id LIMIT :limit",
            column(probe.entities),
            view.arguments(limit=probe.facts + 1),
        )
        about.update((row[0], _fact_of(row)) for row in rows)
    newest = sorted(about.values(), key=_newest_first)
    kept = {**named, **{each.version.id: each for each in newest[: probe.facts]}}
    return sorted(kept.values(), key=_newest_first), len(newest[probe.facts :])


def _records(connection: sqlite3.Connection, view: View, probe: Probe) -> Hits:
    if not view.records and not view.past:  # most scopes have none
        return Hits([], 0)
    return search_records(connection, view, probe.terms, probe.records, probe.frames)


def _anchored_records(connection: sqlite3.Connection, view: View, probe: Probe) -> list[IndexedRecord]:
    rows = for_each(
        connection,
        f"SELECT {RECORD}, r.terms FROM context_records r WHERE r.scope = :scope AND r.lineage = :a"
        f" AND {record_in_view(probe.frames)}",
        column(probe.lineages if probe.frames else ()),
        view.arguments(),
    )
    return [IndexedRecord(record_of(row), row[22]) for row in rows]


def _fact_of(row: Any) -> CitedFact:
    """A fact of which it is not known yet who says so, from a row of `VERSION` and its terms."""
    return CitedFact(version_of(row), (), row[14])


def _newest_first(fact: CitedFact) -> tuple[int, int, str]:
    version = fact.version
    return -version.recorded_at, -version.valid_from, version.id


def _chunks(connection: sqlite3.Connection, hits: Hits) -> dict[int, EpisodeChunk]:
    """What was found, with its episodes. A chunk of number 0 is all its episode has."""
    found = {document.row_id: document.columns for document, _ in hits.rows}
    long = among(
        connection,
        f"SELECT {EPISODE}, e.row_id FROM episodes e WHERE e.row_id IN (:given)",
        (row[10] for row in found.values() if row[11]),
        {},
    )
    whole = episodes_of(connection, long)
    return {
        row_id: _piece(whole.get(row[0]) or episode_of(row, (chunk_of(row[11:]),)), chunk_of(row[11:]))
        for row_id, row in found.items()
    }


def _anchored_chunks(connection: sqlite3.Connection, view: View, ids: Sequence[str]) -> list[EpisodeChunk]:
    rows = for_each(
        connection,
        f"SELECT {EPISODE}, e.row_id FROM episodes e WHERE e.scope = :scope AND e.id = :a AND {SAID}",
        column(ids),
        view.arguments(),
    )
    return _pieces(connection, rows)


def _spoken_chunks(
    connection: sqlite3.Connection, view: View, entities: Sequence[Entity]
) -> list[EpisodeChunk]:
    rows = for_each(
        connection,
        f"SELECT {EPISODE}, e.row_id FROM episodes e WHERE e.scope = :scope AND e.speaker = :a AND {SAID}"
        " ORDER BY e.occurred_at DESC, e.id LIMIT :limit",
        column(entity.name for entity in entities),
        view.arguments(limit=SPOKEN),
    )
    return _pieces(connection, rows)


def _pieces(connection: sqlite3.Connection, rows: Iterable[Any]) -> list[EpisodeChunk]:
    return [
        _piece(episode, chunk)
        for episode in episodes_of(connection, rows).values()
        for chunk in episode.chunks
    ]


def _piece(episode: Any, chunk: Any) -> EpisodeChunk:
    if not chunk.number:
        return EpisodeChunk(episode, chunk, episode.text)
    return EpisodeChunk(episode, chunk, episode.text.encode()[chunk.start : chunk.end].decode())


def _predicates(
    connection: sqlite3.Connection, view: View, relations: Iterable[CitedFact]
) -> list[Predicate]:
    rows = among(
        connection,
        f"SELECT {PREDICATE} FROM predicates p WHERE p.scope = :scope AND p.name IN (:given)",
        (each.version.predicate for each in relations),
        view.arguments(),
    )
    return [predicate_of(row) for row in rows]
