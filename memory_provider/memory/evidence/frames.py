"""Frames: pieces of evidence with identity, content, validity and provenance.

What a full frame says depends on the store, the view's two instants and its id; never on the question or the budget.
`representing` makes frames of it that carry less.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ...store.records import Citation, CitedFact, ContextRecord, EpisodeChunk
from ...temporal.instants import OPEN, Instant
from ...temporal.windows import Window
from ..rendering import day_text, fact_content, token_cost
from ..text.tokenizing import TokenCount
from ..times import moment_or_none
from .addressing import chunk_frame_id, entity_uri, episode_uri, frame_uri, lineage_frame_id, record_uri
from .neighbourhoods import Part

KINDS = ("fact", "episode", "graph", "memory")
"""The kinds of frame this memory serves."""


Representation = Literal["full", "compact", "reference"]
"""How a frame carries its content: all of it, an extract of it, or none and a handle."""


@dataclass(frozen=True, slots=True)
class Canonical:
    """The whole content that a compact or reference frame stands for."""

    uri: str
    """The handle that `Memory.resolve` takes."""
    digest: str
    """`sha256:…` over its UTF-8 bytes: the digest of the full frame."""
    cost: TokenCount | None
    """How long it is for a model; None where no tokenizer is at hand."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """One link of the chain behind a frame."""

    type: str
    """`episode`, `file`, `record`, `agent` (somebody said so) or `derived`."""
    uri: str | None = None
    digest: str | None = None
    range: str | None = None
    method: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """A named pointer from a frame to an entity or an episode."""

    rel: str
    target_uri: str
    display_name: str


@dataclass(frozen=True, slots=True)
class Frame:
    """One piece of evidence. Instants are UTC; None is an unbounded side."""

    id: str
    kind: str
    """`fact`, `episode`, `graph` or `memory`."""
    title: str
    content: str
    """Empty in a reference frame."""
    digest: str
    """`sha256:…` over the content's UTF-8 bytes; of a reference frame, over those of what it refers to."""
    uri: str
    score: float
    """From 0 to 1; comparable only within one recall."""
    token_cost: int
    """UTF-8 bytes of the content divided by four, rounded up."""
    window: Window
    recorded: Instant | None
    citation_label: str
    provenance: tuple[Provenance, ...] = ()
    relations: tuple[Relation, ...] = ()
    representation: Representation = "full"
    canonical: Canonical | None = None
    """What a compact or reference frame stands for; None of a full one."""

    @property
    def valid_from(self) -> datetime | None:
        return moment_or_none(self.window.start)

    @property
    def valid_to(self) -> datetime | None:
        return moment_or_none(self.window.end)

    @property
    def recorded_at(self) -> datetime | None:
        return None if self.recorded is None else moment_or_none(self.recorded)


def fact_frame(row: CitedFact, score: float) -> Frame:
    """The frame of a fact version."""
    version = row.version
    content = fact_content(version.statement, version.window)
    relations = [Relation("memory:subject", entity_uri(version.subject), version.subject)]
    if version.object.is_entity:
        relations.append(
            Relation(_rel(version.predicate), entity_uri(version.object.text), version.object.text)
        )
    return Frame(
        version.id,
        "fact",
        _clip(version.statement),
        content,
        version.digest,
        frame_uri(version.id),
        score,
        token_cost(content),
        version.window,
        version.recorded_at,
        _fact_citation(row),
        tuple(map(_provenance_of, row.citations)),
        tuple(relations),
    )


def episode_frame(hit: EpisodeChunk, score: float) -> Frame:
    """The frame of an episode, or of one chunk of a long one."""
    episode, chunk = hit.episode, hit.chunk
    day = day_text(episode.occurred_at)
    who = episode.speaker or episode.source
    label = f"{who}, {day}" if who else f"Episode of {day}"
    title = f"{who} on {day}" if who else f"Episode of {day}"
    if chunk.number:
        label, title = f"{label}, part {chunk.number}", f"{title} (part {chunk.number})"
    relations = []
    if episode.speaker:
        relations.append(Relation("memory:spoken_by", entity_uri(episode.speaker), episode.speaker))
    frame_id = chunk_frame_id(episode.id, chunk.number)
    return Frame(
        frame_id,
        "episode",
        _clip(title),
        hit.text,
        chunk.digest,
        episode_uri(frame_id),
        score,
        token_cost(hit.text),
        Window(episode.occurred_at, OPEN),
        episode.recorded_at,
        _clip(label),
        (Provenance("episode", episode_uri(episode.id), method="verbatim", by=_clip(who) if who else None),),
        tuple(relations),
    )


def graph_frame(name: str, part: Part, score: float) -> Frame:
    """The frame of one part of an entity's neighbourhood."""
    relations = {}
    for version in part.relations:
        other = version.object.text if version.subject == name else version.subject
        relations[entity_uri(other), version.predicate] = Relation(
            _rel(version.predicate), entity_uri(other), other
        )
    return Frame(
        str(part.id),
        "graph",
        _clip(f"Relations of {name}"),
        part.content,
        part.digest,
        entity_uri(name),
        score,
        token_cost(part.content),
        part.window,
        max(version.recorded_at for version in part.relations),
        _clip(f"Relations of {name}"),
        tuple(
            Provenance("derived", frame_uri(version.id), version.digest, method="graph")
            for version in part.relations
        ),
        tuple(relations.values()),
    )


def record_frame(row: ContextRecord, score: float) -> Frame:
    """The frame of the record that stands for a lineage: its statement, verbatim, under the lineage's id."""
    assert row.frame is not None and row.statement is not None and row.frame_digest is not None
    frame_id = lineage_frame_id(row.lineage)
    who = row.by or row.client
    return Frame(
        frame_id,
        row.frame,
        _clip(row.statement),
        row.statement,
        row.frame_digest,
        frame_uri(frame_id),
        score,
        token_cost(row.statement),
        row.window,
        row.recorded_at,
        _record_citation(row.statement, day_text(row.observed_at), who),
        (Provenance("record", record_uri(row.id), row.digest, method=row.kind, by=_clip(who)),),
    )


def _record_citation(statement: str, day: str, who: str) -> str:
    """The statement as far as there is room, and never without who recorded it and when it was observed."""
    told = _clip(f"observed {day}, by {who}", 100)
    return f"{_clip(statement, 197 - len(told))} ({told})"


def _provenance_of(cited: Citation) -> Provenance:
    if cited.episode_id:
        return Provenance("episode", episode_uri(cited.episode_id), method=cited.method, by=cited.by)
    if cited.file_uri:
        return Provenance("file", cited.file_uri, cited.file_digest, cited.file_range, cited.method, cited.by)
    return Provenance("agent", method=cited.method, by=cited.by)


def _fact_citation(row: CitedFact) -> str:
    said_by = next((each.by for each in row.citations if each.by), None)
    day = day_text(row.version.recorded_at)
    label = f"{row.version.statement} (recorded {day}{f', by {said_by}' if said_by else ''})"
    return _clip(label)


def _rel(predicate: str) -> str:
    return f"memory:{predicate}"


def _clip(text: str, limit: int = 200) -> str:
    text = " ".join(text.split()) or "untitled"
    return text if len(text) <= limit else text[: limit - 1] + "…"
