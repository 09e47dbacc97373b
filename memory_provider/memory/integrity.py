"""What a single row must hold to be true to itself: windows, clocks, and digests that match their content.

Pure; shared by what carries rows from one store to another and by what checks them where they are. Faults name ids and
recorded instants, never contents.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..store.records import ContextRecord, Episode, SourceLink, Version
from ..temporal.instants import FIRST, LAST, OPEN, PAST, Instant, to_text
from .records.context_records import served_as
from .rendering import digest, fact_content


class Fault(NamedTuple):
    """Something wrong with one row."""

    check: str
    """What is wrong, in words."""
    what: str
    """With which row: its ids and instants."""

    def __str__(self) -> str:
        return f"{self.check}: {self.what}"


UNDATED = "instant outside years 1 to 9999"


def version_faults(version: Version) -> Iterator[Fault]:
    """What is wrong with a version on its own."""
    name = f"{version.id} recorded at {told(version.recorded_at)}"
    if not _is_window(version.valid_from, version.valid_to):
        yield Fault("inverted window", f"{name}: {told(version.valid_from)} to {told(version.valid_to)}")
    elif digest(fact_content(version.statement, version.window)) != version.digest:
        yield Fault("digest that does not match", name)
    if not _dated(version.recorded_at) or not _ends(version.superseded_at):
        yield Fault(UNDATED, name)
    elif version.recorded_at >= version.superseded_at:
        yield Fault("inverted recorded time", f"{name}, superseded at {told(version.superseded_at)}")
    if version.stands is not (version.ended_by is None):
        yield Fault(
            "end that no operation made, or an operation that made none",
            f"{name}, superseded at {told(version.superseded_at)}, ended by {version.ended_by or 'nothing'}",
        )


def link_faults(link: SourceLink) -> Iterator[Fault]:
    """What is wrong with a source link on its own."""
    name = f"{link.id} of {link.fact_id}"
    if not _is_window(link.covers_from, link.covers_to):
        yield Fault("source link that covers nothing", name)
    if not _is_window(link.spoke_from, link.spoke_to):
        yield Fault("source link that speaks for nothing", name)
    if not _dated(link.recorded_at) or not _dated(link.attached_at) or not _ends(link.detached_at):
        yield Fault(UNDATED, name)
        return
    if link.attached_at < link.recorded_at:
        yield Fault("source link attached before it was recorded", f"{name}: {told(link.attached_at)}")
    if link.attached_at >= link.detached_at:
        yield Fault("source link that covers nothing", f"{name}, detached at {told(link.detached_at)}")


def record_faults(record: ContextRecord) -> Iterator[Fault]:
    """What is wrong with a context record on its own."""
    if not _is_window(record.valid_from, record.valid_to):
        yield Fault("context record with an inverted window", record.id)
    dated = (record.observed_at, record.recorded_at, record.original_recorded_at)
    ends = _ends(record.superseded_at) and _ends(record.expires_at)
    if not ends or not all(each is None or _dated(each) for each in dated):
        yield Fault(UNDATED, record.id)
    elif record.recorded_at > record.superseded_at:
        yield Fault(
            "context record with inverted recorded time",
            f"{record.id}, superseded at {told(record.superseded_at)}",
        )
    if record.frame != served_as(record.kind, record.status):
        yield Fault("context record served as what it is not", f"{record.id}: as {record.frame or 'nothing'}")
    if record.frame_digest != (digest(record.statement or "") if record.frame else None):
        yield Fault("digest that does not match", record.id)


def episode_faults(episode: Episode) -> Iterator[Fault]:
    """What is wrong with an episode and its chunks."""
    if not _dated(episode.occurred_at) or not _dated(episode.recorded_at):
        yield Fault(UNDATED, episode.id)
    data = episode.text.encode()
    chunks = episode.chunks
    numbers = [chunk.number for chunk in chunks]
    ends = [0, *(chunk.end for chunk in chunks)]
    if not chunks:
        yield Fault("episode without chunks", episode.id)
    elif numbers != ([0] if len(chunks) == 1 else list(range(1, len(chunks) + 1))):
        yield Fault("chunks that are not those of their episode", f"{episode.id}: numbered {numbers}")
    elif [chunk.start for chunk in chunks] != ends[:-1] or ends[-1] != len(data):
        yield Fault(
            "chunks that are not those of their episode", f"{episode.id}: other ranges than its text has"
        )
    else:
        for chunk in chunks:
            said = data[chunk.start : chunk.end].decode(errors="replace")
            if digest(said) != chunk.digest:
                yield Fault("digest that does not match", f"{episode.id}#{chunk.number}")


def told(instant: Instant) -> str:
    """An instant for a message, also one that no calendar has."""
    if instant in (PAST, OPEN):
        return "the unbounded past" if instant == PAST else "an open end"
    return to_text(instant) if _dated(instant) else f"{instant} µs"


def _dated(instant: Instant) -> bool:
    return FIRST <= instant <= LAST


def _is_window(start: Instant, end: Instant) -> bool:
    return (start == PAST or _dated(start)) and _ends(end) and start < end


def _ends(instant: Instant) -> bool:
    return instant == OPEN or _dated(instant)
