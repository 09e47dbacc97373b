"""Context records: immutable documents kept verbatim beside facts and episodes, corrected along their lineage.

What a record's document must look like is not this room's concern: it comes checked, with what the memory needs to
know of it beside it. A `knowledge` record is served as a frame of kind `fact` and a `memory` record as a frame of kind
`memory`, both under the id of their lineage; other kinds are kept and read, and served as no frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ..writing.operations import When

FRAME_KINDS = {"knowledge": "fact", "memory": "memory"}
"""The kind of frame that each kind of record is served as; other kinds are served as none."""

STATUSES = ("active", "retracted", "archived")

BODY_BYTES = 1_048_576
"""The longest body of a record, in UTF-8 bytes."""

STATEMENT_BYTES = 65_536
"""The longest statement of a record, in UTF-8 bytes."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long a record is kept: the name of a class and, if it ends, after how long."""

    name: str
    lifetime: timedelta | None = None
    """From its recorded time on. Afterwards the record is read and served no more, at any `known_at`."""


@dataclass(frozen=True, slots=True)
class NewContextRecord:
    """A record to append. Ids, kind and status are the document's own; `body` is kept byte for byte."""

    record_id: str
    lineage_id: str
    kind: str
    """One of the twelve record kinds, as the document says it."""
    status: str
    """`active`, `retracted` or `archived`; only what is active is served as a frame."""
    observed_at: When
    sharing_scope: str
    digest: str
    """The record's own hash, `sha256:…`: the same id with another digest is a conflict."""
    body: str
    """The whole document, verbatim."""
    statement: str | None = None
    """What it says, for kinds that say something; the content of its frame."""
    valid_from: When | None = None
    valid_to: When | None = None
    """When it held in the world; None is an unbounded side."""
    subject_scope: Mapping[str, str] = field(default_factory=dict)
    """Whom or what it is about (`user_id`, `repository_id`, …)."""
    retention: Retention | None = None
    by: str | None = None
    """Who made it, as a person would cite it."""


@dataclass(frozen=True, slots=True)
class RecordReceipt:
    """What became of one record of a batch."""

    record_id: str
    lineage_id: str
    status: str
    """`accepted`, `duplicate` (it was there: nothing was written) or `rejected`."""
    recorded_at: datetime | None = None
    """When it was recorded; of a duplicate, the first time; None for a rejected one."""
    code: str | None = None
    """Why it was rejected: `invalid_record`, `record_identity_conflict`, `scope_denied` (its lineage is somebody
    else's), `idempotency_conflict` or `idempotency_expired`."""
    message: str | None = None
    """The same for people: what, and what to do."""
    superseded_id: str | None = None
    """The record of the same lineage whose place an accepted one took."""
    expires_at: datetime | None = None
    """When its retention ends."""
    erased: bool = False
    """Rejected because a record of this id was erased."""


@dataclass(frozen=True, slots=True)
class ContextRecord:
    """A record as it is kept. Instants are UTC; None is an unbounded side, or an end that has not come."""

    record_id: str
    lineage_id: str
    kind: str
    status: str
    statement: str | None
    body: str
    digest: str
    observed_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    """When the next record of its lineage was recorded; None where none was known at the view's `known_at`."""
    sharing_scope: str
    subject_scope: Mapping[str, str]
    retention: str | None
    expires_at: datetime | None
    client: str
    by: str | None
    original_recorded_at: datetime | None = None
    """When the memory it was imported from had recorded it, if the import restamped it."""


@dataclass(frozen=True, slots=True)
class RecordLookup:
    """What one asked id names."""

    record_id: str
    status: str
    """`found`; `unknown`: this scope never had it, or not yet at `known_at`; `erased`; `expired`."""
    record: ContextRecord | None = None
    """Only when found."""


def served_as(kind: str, status: str) -> str | None:
    """The kind of frame that a record is served as; None for what is not served."""
    return FRAME_KINDS.get(kind) if status == "active" else None
