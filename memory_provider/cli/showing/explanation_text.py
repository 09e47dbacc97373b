"""An explanation told in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .output import clip
from .shapes import instant_text, moment_text, window_text

if TYPE_CHECKING:
    from ...memory.evidence.explaining import Explanation
    from ...memory.facts import Episode, Fact, Source
    from ...memory.records.context_records import ContextRecord

ENDED = {
    "assert": "a newer statement took its place",
    "correct": "a correction took its place",
    "retract": "it was retracted",
    "erase": "part of what supported it was erased",
}


def explanation_text(told: Explanation) -> list[str]:
    """Who said so and when, what it replaced, and what became of it."""
    if told.erased:
        by = f", by {told.erased.by}" if told.erased.by else ""
        return [
            f"This {told.kind} was erased at {instant_text(told.erased.at)}{by}.",
            f"Reason: {told.erased.reason}",
            "Nothing else of it is kept.",
        ]
    if told.kind == "episode":
        return [line for each in told.episodes for line in _episode(each)]
    if told.records:
        return [line for each in told.records for line in _record(each)]
    if told.kind == "graph":
        return [
            "It is put together from these facts:",
            *(f"  {each.content}  {each.id}" for each in told.versions),
        ]
    return [*_fact(told)]


def _fact(told: Explanation) -> Iterator[str]:
    episodes = {each.id: each for each in told.episodes}
    said: set[Source] = set()
    for place, version in enumerate(told.versions):
        yield version.content if place == 0 else f"then: {version.content}"
        yield f"  believed since {instant_text(version.recorded_at)}{_until(version)}"
        for source in version.sources:
            if source not in said:
                said.add(source)
                yield from _source(source, episodes)
    if told.absorbed_by:
        yield f"it was merged into {told.absorbed_by}, which says the same over a longer time"
    for heading, facts in (
        ("it took the place of", told.replaced),
        ("its place was taken by", told.replaced_by),
    ):
        for each in facts:
            yield f"{heading}: {each.content}"
            yield f"  {_how(each)}  {each.id}"


def _until(version: Fact) -> str:
    if version.superseded_at is None:
        return ", and it still stands"
    how = ENDED.get(version.ended_by or "", "it was superseded")
    return f" until {instant_text(version.superseded_at)}, when {how}"


def _how(fact: Fact) -> str:
    until = f" until {instant_text(fact.superseded_at)}" if fact.superseded_at else ""
    return f"believed since {instant_text(fact.recorded_at)}{until}"


def _source(source: Source, episodes: dict[str, Episode]) -> Iterator[str]:
    who = f" by {source.by}" if source.by else ""
    sure = f", confidence {source.confidence:g}" if source.confidence is not None else ""
    spoke = window_text(source.valid_from, source.valid_to)
    at = instant_text(source.original_recorded_at or source.recorded_at)
    yield f"  {source.method}{who} at {at}, {spoke}{sure}"
    episode = episodes.get(source.episode_id or "")
    if episode:
        yield f"    from {_heading(episode)}:"
        yield f"    “{clip(episode.text)}”"
    elif source.file:
        lines = f", {source.file.range}" if source.file.range else ""
        yield f"    from {source.file.uri}{lines} ({source.file.digest})"


def _record(record: ContextRecord) -> Iterator[str]:
    yield f"{record.kind}, {record.status}: {clip(record.statement or record.body)}"
    until = (
        f" until {instant_text(record.superseded_at)}" if record.superseded_at else ", and it still stands"
    )
    yield f"  recorded {instant_text(record.recorded_at)}{until}  {record.record_id}"
    by = f", made by {record.by}" if record.by else ""
    observed = instant_text(record.observed_at)
    yield f"  observed {observed}, appended by {record.client}{by} ({record.digest})"


def _episode(episode: Episode) -> Iterator[str]:
    yield f"{_heading(episode)}, recorded {instant_text(episode.recorded_at)}:"
    yield from (f"  {line}" for line in episode.text.splitlines())


def _heading(episode: Episode) -> str:
    day = moment_text(episode.occurred_at)
    said = f"what {episode.speaker} said on" if episode.speaker else f"{episode.source or 'an episode'} of"
    turn = f", turn {episode.position} of session {episode.session}" if episode.session else ""
    return f"{said} {day}{turn} ({episode.id})"
