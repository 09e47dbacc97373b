"""Ids and URIs of frames, and what an anchor names."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

from ...temporal.instants import PAST, Instant

ENTITY_URI = "memory:entity/"
FRAME_URI = "memory:frame/"
EPISODE_URI = "memory:episode/"
RECORD_URI = "memory:record/"

LINEAGE = "lineage:"
"""What the id of a lineage's frame begins with."""

RECORD = "record:"
"""What a record's id begins with where it stands among those of facts and episodes."""
CONTENT_URI = "memory:content/"

_UNRESERVED = re.compile(r"[A-Za-z0-9_.~-]*")
"""What percent-encoding leaves alone: every id but that of a chunk."""


def entity_uri(name: str) -> str:
    """`memory:entity/` and the percent-encoded name."""
    return ENTITY_URI + _quoted(name)


def frame_uri(frame_id: str) -> str:
    """`memory:frame/` and the percent-encoded frame id."""
    return FRAME_URI + _quoted(frame_id)


def episode_uri(episode_id: str) -> str:
    """`memory:episode/` and the episode id."""
    return EPISODE_URI + _quoted(episode_id)


class ContentKey(NamedTuple):
    """What a handle to a content says: whose, which, and as known when."""

    frame_id: str
    digest: str
    known_at: Instant | None


def content_uri(frame_id: str, digest: str, known_at: Instant | None) -> str:
    """A handle to what a frame says: `memory:content/`, the percent-encoded frame id and the digest.

    Without `known_at` it leads to what the frame says in the latest knowledge, and to nothing once that is another.
    """
    known = "" if known_at is None else f"&known_at={known_at}"
    return f"{CONTENT_URI}{_quoted(frame_id)}?digest={digest}{known}"


def parse_content_uri(uri: str) -> ContentKey | None:
    """What a handle says; None for what is no handle of this product."""
    match = _CONTENT.fullmatch(uri)
    if match is None:
        return None
    known_at = match["known_at"]
    return ContentKey(unquote(match["id"]), match["digest"], None if known_at is None else int(known_at))


_CONTENT = re.compile(
    re.escape(CONTENT_URI)
    + r"(?P<id>[A-Za-z0-9_.~%-]+)\?digest=(?P<digest>sha256:[0-9a-f]{64})(?:&known_at=(?P<known_at>-?[0-9]{1,18}))?"
)


def _quoted(text: str) -> str:
    return text if _UNRESERVED.fullmatch(text) else _encoded(text)


@lru_cache(maxsize=4096)
def _encoded(text: str) -> str:
    return quote(text, safe="")


class GraphId(NamedTuple):
    """A graph frame: an entity, a part of its neighbourhood, and the start of the window it describes."""

    entity: str
    part: str
    start: Instant

    def __str__(self) -> str:
        start = "past" if self.start == PAST else str(self.start)
        return f"graph:{self.entity}:{self.part}:{start}"


class FrameKey(NamedTuple):
    """What a frame id names: exactly one of the four."""

    fact: str | None = None
    chunk: tuple[str, int] | None = None
    graph: GraphId | None = None
    lineage: str | None = None

    @property
    def is_text(self) -> bool:
        """Whether it names something told at length, of which an extract may be served. A fact is a sentence, and a
        neighbourhood a list."""
        return self.chunk is not None or self.lineage is not None


def chunk_frame_id(episode_id: str, number: int) -> str:
    """The episode's id, with `#n` for a chunk of a long one."""
    return f"{episode_id}#{number}" if number else episode_id


def lineage_frame_id(lineage: str) -> str:
    """`lineage:` and the lineage's id, which a client chose and which might be spelled as any other id is."""
    return LINEAGE + lineage


def record_uri(record_id: str) -> str:
    """`memory:record/` and the percent-encoded record id."""
    return RECORD_URI + _quoted(record_id)


def parse_record(given: str) -> str | None:
    """The record that an id names which `changes` tells, or a record's URI; None when it names none."""
    if given.startswith(RECORD_URI):
        return unquote(given[len(RECORD_URI) :])
    return given[len(RECORD) :] if given.startswith(RECORD) and given != RECORD else None


def parse_frame_id(frame_id: str) -> FrameKey | None:
    """What an id names by its form; None when no frame of this product has such an id."""
    if frame_id.startswith("fact_"):
        return FrameKey(fact=frame_id)
    if frame_id.startswith("ep_"):
        episode, hash_sign, number = frame_id.partition("#")
        if not hash_sign:
            return FrameKey(chunk=(episode, 0))
        plain = number.isascii() and number.isdigit() and len(number) < 10
        return FrameKey(chunk=(episode, int(number))) if plain else None
    if frame_id.startswith(LINEAGE) and frame_id != LINEAGE:
        return FrameKey(lineage=frame_id[len(LINEAGE) :])
    kind, _, rest = frame_id.partition(":")
    parts = rest.rsplit(":", 1) if kind == "graph" else []
    if len(parts) == 2 and (start := _instant(parts[1])) is not None:
        entity, _, part = parts[0].partition(":")
        if entity and part:
            return FrameKey(graph=GraphId(entity, part, start))
    return None


class Anchors(NamedTuple):
    """Anchors sorted by what they name."""

    entities: list[str]
    ids: list[str]
    """Fact ids, and episode ids without chunk numbers."""
    graphs: list[GraphId]
    lineages: list[str]


def parse_anchors(anchors: list[str] | tuple[str, ...]) -> Anchors:
    """Entity URIs, frame and episode URIs, frame ids, or plain names; what names nothing is kept as a name."""
    found = Anchors([], [], [], [])
    for anchor in anchors:
        if anchor.startswith(ENTITY_URI):
            found.entities.append(unquote(anchor[len(ENTITY_URI) :]))
            continue
        for prefix in (FRAME_URI, EPISODE_URI):
            if anchor.startswith(prefix):
                anchor = unquote(anchor[len(prefix) :])
        key = parse_frame_id(anchor)
        if key is None:
            if anchor.strip():
                found.entities.append(anchor)
        elif key.graph:
            found.graphs.append(key.graph)
        elif key.lineage:
            found.lineages.append(key.lineage)
        else:
            found.ids.append(key.chunk[0] if key.chunk else key.fact or "")
    return found


def _instant(text: str) -> Instant | None:
    if text == "past":
        return PAST
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None
