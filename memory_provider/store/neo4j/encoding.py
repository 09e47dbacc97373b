"""From records to the properties of nodes and relationships.

What people read beside what statements filter by: `since` and `until` are a window's ends as text, left out where a
side is unbounded.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

from ...temporal.instants import OPEN, PAST, Instant, is_midnight, to_datetime, to_text
from ..names import normalise_name
from ..records import (
    Entity,
    Episode,
    IdempotencyRecord,
    IndexedRecord,
    NewVersion,
    ObjectValue,
    Predicate,
    SourceLink,
    Tombstone,
)
from .marks import chunk_marks, fact_marks, record_marks

Properties = dict[str, Any]

INDEXABLE = 2_000
"""The longest text in UTF-8 bytes that goes into an index as it is. Neo4j refuses values of more than about 8,100
bytes, and several of them share that."""

UNDECLARED_EDGE = "RELATED_TO"
"""The relationship type of predicates that nobody declared: types are never forgotten by a database, so a stranger's
words must not become one."""

_NOT_WORD = re.compile(r"\W+")


def indexable(text: str) -> str:
    """The text itself, or a digest of it where it is too long for an index."""
    raw = text.encode()
    return text if len(raw) <= INDEXABLE else "sha256:" + sha256(raw).hexdigest()


def object_key(value: ObjectValue) -> str:
    """An object as one text under an index: `entity:Lyon`, `integer:7`."""
    return f"{value.type}:{indexable(value.text)}"


def object_keys(value: ObjectValue | None) -> list[str] | None:
    """The keys of the objects that an object asked for may be: a text is also the entity of that name."""
    if value is None:
        return None
    keys = [object_key(value)]
    return [*keys, object_key(ObjectValue("entity", value.text))] if value.type == "text" else keys


def name_key(normalised: str) -> str:
    """A normalised name as it is kept under an index."""
    return indexable(normalised)


def edge_type(predicate: Predicate | None) -> str:
    """The relationship type of a predicate: `lives_in` is LIVES_IN; `RELATED_TO` while it is undeclared."""
    if predicate is None or not predicate.declared:
        return UNDECLARED_EDGE
    name = _NOT_WORD.sub("_", predicate.name).strip("_").upper()
    return name or UNDECLARED_EDGE


def entity_properties(entity: Entity) -> Properties:
    """An `Entity` node's."""
    return {"id": entity.id, "name": entity.name, "name_norm": name_key(normalise_name(entity.name))}


def predicate_properties(predicate: Predicate) -> Properties:
    """A `Predicate` node's."""
    return predicate._asdict()


def fact_properties(scope: str, new: NewVersion) -> Properties:
    """A `Fact` node's."""
    version = new.version
    return {
        "id": version.id,
        "subject": version.subject,
        "predicate": version.predicate,
        "object_type": version.object.type,
        "object_text": version.object.text,
        "object_key": object_key(version.object),
        "statement": version.statement,
        "since": readable(version.valid_from),
        "until": readable(version.valid_to),
        "valid_from": version.valid_from,
        "valid_to": version.valid_to,
        "recorded_at": version.recorded_at,
        "superseded_at": version.superseded_at,
        "digest": version.digest,
        "cause": version.cause,
        "ended_by": version.ended_by,
        "absorbed_by": version.absorbed_by,
        "terms": new.terms,
        "marks": fact_marks(
            scope, version.valid_from, version.valid_to, version.recorded_at, version.superseded_at
        ),
        "alias": None if new.alias is None else name_key(new.alias),
    }


def replacement_properties(
    id: str, recorded_at: Instant, old_id: str, old_recorded_at: Instant
) -> Properties:
    """Which version took the place of which."""
    return {"id": id, "recorded_at": recorded_at, "old_id": old_id, "old_recorded_at": old_recorded_at}


def source_properties(link: SourceLink) -> Properties:
    """A `Source` node's."""
    return link._asdict()


def episode_properties(scope: str, episode: Episode) -> Properties:
    """An `Episode` node's, with those of its chunks."""
    properties = episode._asdict()
    properties["when"] = readable(episode.occurred_at)
    properties["chunks"] = [chunk._asdict() for chunk in episode.chunks]
    properties["marks"] = chunk_marks(scope, episode.occurred_at, episode.recorded_at)
    return properties


def tombstone_properties(tombstone: Tombstone) -> Properties:
    """A `Tombstone` node's."""
    return tombstone._asdict()


def idempotency_properties(record: IdempotencyRecord) -> Properties:
    """An `Idempotency` node's."""
    properties = record._asdict()
    properties["fact_ids"] = list(record.fact_ids)
    properties["superseded_ids"] = list(record.superseded_ids)
    properties["record_ids"] = list(record.record_ids)
    return properties


def record_properties(scope: str, new: IndexedRecord) -> Properties:
    """A `ContextRecord` node's, and `label`: which index of served records it belongs to."""
    record = new.record
    properties = record._asdict()
    properties["subjects"] = [f"{name}={value}" for name, value in record.subjects]
    properties["since"] = readable(record.valid_from)
    properties["until"] = readable(record.valid_to)
    properties["terms"] = new.terms
    properties["marks"] = properties["label"] = None
    if record.frame is not None:
        properties["label"] = "StandingRecord" if record.stands else "SupersededRecord"
        properties["marks"] = record_marks(
            scope, record.frame, *record.window, record.recorded_at, record.superseded_at
        )
    return properties


def readable(instant: Instant) -> str | None:
    """An instant for a person: a date at midnight UTC, else ISO text; None where a side is unbounded."""
    if instant <= PAST or instant >= OPEN:
        return None
    return to_datetime(instant).date().isoformat() if is_midnight(instant) else to_text(instant)
