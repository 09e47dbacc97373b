"""Rows to write: small facts and episodes, with everything a store is owed."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from ...temporal.instants import OPEN, PAST, Instant
from ..contract import Changes, Loaded, Moment, Needs, Probe, Store
from ..names import normalise_name
from ..records import (
    Chunk,
    ContextRecord,
    Entity,
    Episode,
    IdempotencyRecord,
    IndexedRecord,
    NewVersion,
    ObjectValue,
    Predicate,
    SourceLink,
    Supersession,
    Version,
    VersionRef,
)

SECOND = 1_000_000

NOW: Instant = 1_900_000_000 * SECOND
"""The wall clock of every check: later than anything they record."""

LATEST = Moment(None, None, NOW)
"""What is known now, valid now."""


def second(number: int) -> Instant:
    """An instant, `number` seconds after a beginning."""
    return 1_700_000_000 * SECOND + number * SECOND


def view(as_of: Instant | None = None, known_at: Instant | None = None) -> Moment:
    """A moment; what is left out is open."""
    return Moment(as_of, known_at, NOW)


def fresh(prefix: str) -> str:
    """A new random id."""
    return f"{prefix}_{secrets.token_hex(10)}"


def terms_of(text: str) -> str:
    """Search terms: the words, folded."""
    return normalise_name(text)


def text(value: str) -> ObjectValue:
    """A text object."""
    return ObjectValue("text", value)


def entity(name: str) -> ObjectValue:
    """An entity as object."""
    return ObjectValue("entity", name)


def fact(
    subject: str,
    predicate: str,
    what: ObjectValue,
    at: Instant,
    *,
    start: Instant = PAST,
    end: Instant = OPEN,
    id: str | None = None,
    statement: str | None = None,
    alias: str | None = None,
    replaces: Sequence[Version] = (),
    superseded_at: Instant = OPEN,
    cause: str = "assert",
) -> NewVersion:
    """A version recorded `at`, valid from `start` to `end`."""
    says = f"{subject} {predicate} {what.text}" if statement is None else statement
    version = Version(
        id or fresh("fact"),
        subject,
        predicate,
        what,
        start,
        end,
        at,
        superseded_at,
        says,
        "sha256:" + sha256(f"{says} {start} {end}".encode()).hexdigest(),
        cause,
        None if superseded_at == OPEN else "correct",
    )
    refs = tuple(VersionRef(each.id, each.recorded_at) for each in replaces)
    return NewVersion(version, terms_of(says), alias, refs)


def link(new: NewVersion, **changed: Any) -> SourceLink:
    """A source of a version, from the time it was recorded."""
    version = new.version
    made = SourceLink(
        id=fresh("src"),
        claim=fresh("clm"),
        fact_id=version.id,
        episode_id=None,
        file_uri=None,
        file_digest=None,
        file_range=None,
        by="a check",
        method="stated",
        confidence=None,
        spoke_from=version.valid_from,
        spoke_to=version.valid_to,
        covers_from=version.valid_from,
        covers_to=version.valid_to,
        recorded_at=version.recorded_at,
        attached_at=version.recorded_at,
    )
    return made._replace(**changed)


def episode(said: str, at: Instant, **changed: Any) -> Episode:
    """An episode of one chunk, said and recorded `at`."""
    size = len(said.encode())
    digest = "sha256:" + sha256(said.encode()).hexdigest()
    made = Episode(
        id=fresh("ep"),
        text=said,
        occurred_at=at,
        recorded_at=at,
        source=None,
        speaker=None,
        session=None,
        position=None,
        previous=None,
        chunks=(Chunk(0, 0, size, digest, terms_of(said), ""),),
    )
    return made._replace(**changed)


def in_context(said: Episode, context: str) -> Episode:
    """The episode with the terms of the turn before it."""
    return said._replace(chunks=(said.chunks[0]._replace(context=terms_of(context)), *said.chunks[1:]))


def record(says: str, at: Instant, *, lineage: str | None = None, **changed: Any) -> IndexedRecord:
    """A context record of kind memory that says something, recorded `at`, and served as a frame of that kind."""
    id = fresh("rec")
    body = json.dumps({"record_id": id, "statement": says}, ensure_ascii=False)
    made = ContextRecord(
        id=id,
        lineage=lineage or fresh("lin"),
        kind="memory",
        status="active",
        statement=says,
        body=body,
        digest="sha256:" + sha256(body.encode()).hexdigest(),
        observed_at=at,
        valid_from=PAST,
        valid_to=OPEN,
        recorded_at=at,
        superseded_at=OPEN,
        expires_at=OPEN,
        position=0,
        frame="memory",
        frame_digest="sha256:" + sha256(says.encode()).hexdigest(),
        sharing="user",
        subjects=(),
        retention=None,
        client="a check",
        by=None,
    )._replace(**changed)
    return IndexedRecord(made, terms_of(says) if made.frame is not None else "")


def unserved(says: str, at: Instant, **changed: Any) -> IndexedRecord:
    """A context record that is served as no frame."""
    return record(says, at, **{"kind": "observation", "frame": None, "frame_digest": None, **changed})


def without_body(new: IndexedRecord) -> ContextRecord:
    """The record as reads give it that leave out bodies."""
    return new.record._replace(body="")


def ended(new: NewVersion, at: Instant, by: str = "correct", absorbed_by: str | None = None) -> NewVersion:
    """The version as it is once superseded."""
    return new._replace(version=new.version._replace(superseded_at=at, ended_by=by, absorbed_by=absorbed_by))


def ending(new: NewVersion, by: str = "correct", absorbed_by: str | None = None) -> Supersession:
    """What supersedes a version."""
    return Supersession(new.version.id, new.version.recorded_at, by, absorbed_by)


async def put(
    store: Store,
    scope: str,
    at: Instant | None,
    *versions: NewVersion,
    entities: Sequence[Entity] = (),
    predicates: Sequence[Predicate] = (),
    superseded: Sequence[Supersession] = (),
    detached: Sequence[str] = (),
    links: Sequence[SourceLink] | None = None,
    episodes: Sequence[Episode] = (),
    idempotency: Sequence[IdempotencyRecord] = (),
    records: Sequence[IndexedRecord] = (),
    superseded_records: Sequence[str] = (),
) -> Loaded:
    """One transaction, with the entities and predicates that are not there yet, and a source for each version.

    Links that end are looked up by the keys of the versions and supersessions' facts given here.
    """
    names = {each.version.subject for each in versions}
    names |= {each.version.object.text for each in versions if each.version.object.is_entity}
    names |= {each.speaker for each in episodes if each.speaker}
    named = {each.version.predicate: each.version.object.type for each in versions}
    seen: list[Loaded] = []

    def plan(loaded: Loaded) -> Changes:
        seen.append(loaded)
        known = {each.name for each in entities} | loaded.entities.keys()
        declared = {each.name for each in predicates} | loaded.predicates.keys()
        return Changes(
            recorded_at=at,
            entities=[*entities, *(Entity(fresh("ent"), name) for name in sorted(names - known))],
            predicates=[
                *predicates,
                *(undeclared(name, kind) for name, kind in named.items() if name not in declared),
            ],
            superseded=superseded,
            versions=versions,
            detached=detached,
            links=[link(each) for each in versions] if links is None else links,
            episodes=episodes,
            idempotency=idempotency,
            superseded_records=superseded_records,
            records=records,
        )

    needs = Needs(
        keys={each.version.key for each in versions}, predicates=set(named), entities=names - {None}
    )
    await store.write(scope, needs, plan)
    return seen[-1]


def undeclared(name: str, object_type: str | None = None) -> Predicate:
    """A predicate as its first use makes it."""
    return Predicate(fresh("prd"), name, "many", object_type, name, None, False)


def declared(name: str, cardinality: str = "one", object_type: str | None = None) -> Predicate:
    """A declared predicate."""
    return Predicate(fresh("prd"), name, cardinality, object_type, f"is {name} of", f"has {name}", True)


def probe(*terms: str, **changed: Any) -> Probe:
    """A recall for words, with room for everything a check writes."""
    return Probe(terms, (), (), (), 100, 100, 100)._replace(**changed)


def record_probe(*terms: str, **changed: Any) -> Probe:
    """A recall for words in context records alone, served as any kind."""
    nothing = Probe(terms, (), (), (), 0, 0, 0)
    return nothing._replace(**{"records": 100, "frames": ("fact", "memory"), **changed})


async def load(store: Store, scope: str, needs: Needs) -> Loaded:
    """What a plan would be told, without writing."""
    seen: list[Loaded] = []

    def plan(loaded: Loaded) -> Changes:
        seen.append(loaded)
        return Changes(recorded_at=None)

    await store.write(scope, needs, plan)
    return seen[-1]
