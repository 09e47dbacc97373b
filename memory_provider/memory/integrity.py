"""What a single row must hold to be true to itself: windows, clocks, and digests that match their content.

Pure; shared by what carries rows from one store to another and by what checks them where they are. Faults name ids and
recorded instants, never contents.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..store.records import Episode, SourceLink, Version
from ..temporal.instants import FIRST, LAST, OPEN, PAST, Instant, to_text
from .rendering import digest, fact_content


class Fault(NamedTuple):
    """Something wrong with one row."""

    check: str
    """`window`, `clock`, `digest` or `chunks`."""
    what: str
    """Which row, by its ids, and what is wrong with it."""


def version_faults(version: Version) -> Iterator[Fault]:
    """What is wrong with a version on its own."""
    name = f"fact {version.id} as recorded at {told(version.recorded_at)}"
    windowed = (
        _begins(version.valid_from) and _ends(version.valid_to) and version.valid_from < version.valid_to
    )
    if not windowed:
        yield Fault("window", f"{name} holds from {told(version.valid_from)} to {told(version.valid_to)}")
    elif digest(fact_content(version.statement, version.window)) != version.digest:
        yield Fault("digest", f"{name} does not say what its digest covers")
    if not _dated(version.recorded_at) or not _ends(version.superseded_at):
        yield Fault("clock", f"{name} has a recorded time outside years 1 to 9999")
    elif version.recorded_at >= version.superseded_at:
        yield Fault("clock", f"{name} was superseded at {told(version.superseded_at)}, not later")
    if version.stands is not (version.ended_by is None):
        state = "stands" if version.stands else "was superseded"
        yield Fault("clock", f"{name} {state}, and says that it was ended by {version.ended_by or 'nothing'}")


def link_faults(link: SourceLink) -> Iterator[Fault]:
    """What is wrong with a source link on its own."""
    name = f"source link {link.id} of fact {link.fact_id}"
    for which, start, end in (
        ("speaks for", link.spoke_from, link.spoke_to),
        ("covers", link.covers_from, link.covers_to),
    ):
        if not (_begins(start) and _ends(end) and start < end):
            yield Fault("window", f"{name} {which} {told(start)} to {told(end)}")
    if not _dated(link.recorded_at) or not _dated(link.attached_at) or not _ends(link.detached_at):
        yield Fault("clock", f"{name} has a recorded time outside years 1 to 9999")
        return
    if link.attached_at < link.recorded_at:
        yield Fault("clock", f"{name} was attached at {told(link.attached_at)}, before it was recorded")
    if link.attached_at >= link.detached_at:
        yield Fault("clock", f"{name} was detached at {told(link.detached_at)}, not after it was attached")


def episode_faults(episode: Episode) -> Iterator[Fault]:
    """What is wrong with an episode and its chunks."""
    name = f"episode {episode.id}"
    if not _dated(episode.occurred_at) or not _dated(episode.recorded_at):
        yield Fault("clock", f"{name} has an instant outside years 1 to 9999")
    data = episode.text.encode()
    chunks = episode.chunks
    numbers = [chunk.number for chunk in chunks]
    ends = [0, *(chunk.end for chunk in chunks)]
    if numbers != ([0] if len(chunks) == 1 else list(range(1, len(chunks) + 1))) or not chunks:
        yield Fault("chunks", f"{name} has its chunks numbered {numbers}")
    elif [chunk.start for chunk in chunks] != ends[:-1] or ends[-1] != len(data):
        yield Fault("chunks", f"{name} is not covered by its chunks")
    else:
        for chunk in chunks:
            said = data[chunk.start : chunk.end].decode(errors="replace")
            if digest(said) != chunk.digest:
                yield Fault("digest", f"{name}, chunk {chunk.number}, does not say what its digest covers")


def told(instant: Instant) -> str:
    """An instant for a message, also one that no calendar has."""
    if instant in (PAST, OPEN):
        return "the unbounded past" if instant == PAST else "an open end"
    return to_text(instant) if _dated(instant) else f"{instant} µs"


def _dated(instant: Instant) -> bool:
    return FIRST <= instant <= LAST


def _begins(instant: Instant) -> bool:
    return instant == PAST or _dated(instant)


def _ends(instant: Instant) -> bool:
    return instant == OPEN or _dated(instant)
