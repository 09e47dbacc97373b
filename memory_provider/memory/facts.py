"""Facts, sources, episodes and changes as callers see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Generic, TypeVar

from ..store import records
from ..store.records import SourceLink, StandingFact
from ..temporal.instants import Instant, to_datetime
from .rendering import fact_content
from .times import moment_or_none
from .values import Object, from_object_value
from .writing.operations import File


@dataclass(frozen=True, slots=True)
class Source:
    """Who says so: one assertion that backs a fact."""

    episode_id: str | None
    file: File | None
    by: str | None
    method: str
    """`stated`, `corrected` or `imported`."""
    confidence: float | None
    valid_from: datetime | None
    valid_to: datetime | None
    """The window the assertion spoke for; None is an unbounded side."""
    recorded_at: datetime
    original_recorded_at: datetime | None = None
    """When the memory it was imported from had recorded it, if the import restamped it."""


@dataclass(frozen=True)
class Fact:
    """One version of a fact. Windows are half-open; None is an unbounded past or an open end; instants are UTC."""

    id: str
    subject: str
    predicate: str
    object: Object
    statement: str
    """In words, without the validity."""
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    """When the store stopped believing this version; None while it does."""
    digest: str
    row: StandingFact
    """The stored row behind it."""

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Who says so, oldest assertion first."""
        return sources_of(self.row.sources)

    @property
    def content(self) -> str:
        """Statement and validity in words: what its frame says and its digest covers."""
        return fact_content(self.statement, self.row.version.window)

    @property
    def cause(self) -> str:
        """The operation that made this version: `assert`, `correct`, `retract` or `erase`."""
        return self.row.version.cause

    @property
    def ended_by(self) -> str | None:
        """The operation that superseded this version, or None while it stands."""
        return self.row.version.ended_by


@dataclass(frozen=True, slots=True)
class Episode:
    """Something that happened or was said, verbatim."""

    id: str
    text: str
    occurred_at: datetime
    recorded_at: datetime
    source: str | None
    speaker: str | None
    session: str | None
    position: int | None
    """Its order in its session, from 1."""
    original_recorded_at: datetime | None = None
    """When the memory it was imported from had recorded it, if the import restamped it."""


Item = TypeVar("Item")


class Page(list[Item], Generic[Item]):
    """A list that knows how to go on: `cursor` is None on the last page, else what to pass as `after`."""

    cursor: str | None = None


def fact_of(row: StandingFact) -> Fact:
    """A stored row as a fact."""
    version = row.version
    return Fact(
        version.id,
        version.subject,
        version.predicate,
        from_object_value(version.object),
        version.statement,
        moment_or_none(version.valid_from),
        moment_or_none(version.valid_to),
        to_datetime(version.recorded_at),
        moment_or_none(version.superseded_at),
        version.digest,
        row,
    )


def sources_of(links: tuple[SourceLink, ...]) -> tuple[Source, ...]:
    """The assertions behind a fact, each once (a claim may back several stretches of a line), oldest first."""
    claims = {link.claim: link for link in links}
    return tuple(
        Source(
            link.episode_id,
            File(link.file_uri, link.file_digest or "", link.file_range) if link.file_uri else None,
            link.by,
            link.method,
            link.confidence,
            moment_or_none(link.spoke_from),
            moment_or_none(link.spoke_to),
            to_datetime(link.recorded_at),
            _moment_if_any(link.original_recorded_at),
        )
        for link in sorted(claims.values(), key=lambda link: (link.recorded_at, link.claim))
    )


def episode_of(row: records.Episode) -> Episode:
    """A stored row as an episode."""
    return Episode(
        row.id,
        row.text,
        to_datetime(row.occurred_at),
        to_datetime(row.recorded_at),
        row.source,
        row.speaker,
        row.session,
        row.position,
        _moment_if_any(row.original_recorded_at),
    )


def _moment_if_any(instant: Instant | None) -> datetime | None:
    return None if instant is None else to_datetime(instant)
