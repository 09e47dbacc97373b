"""Whether what a provider answered keeps to the rules, looked at before any of it is used (COMP7)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..protocol import (
    FULL,
    REFERENCE,
    ContextFrame,
    ContextQuery,
    ContextQueryResult,
    TimestampError,
    breaches,
    parse_timestamp,
    token_cost,
)
from ..protocol.digests import EXPECTED, digest, is_digest
from .composition.fence import attribute, label
from .errors import peer_text
from .line_ranges import EXPECTED as EXPECTED_RANGE
from .line_ranges import is_range
from .offers import Offered
from .outcomes import BudgetLie, FrameFlood, Quarantined

LONGEST_ATTRIBUTES: Final = 1024
"""How many bytes a frame's id, kind and label may take as they are quoted. They cost nothing that its provider has to
declare, and yet take room in a prompt; the protocol sets no limit."""
_TIMES: Final = ("valid_from", "valid_to", "recorded_at")


class Finding(NamedTuple):
    """A rule that a frame breaks."""

    rule: str
    """Its name, like `D1`."""
    detail: str

    def __str__(self) -> str:
        return f"{self.detail} ({self.rule})"


class Audited(NamedTuple):
    """The frames of an answer, each in one of two places."""

    frames: tuple[Offered, ...]
    quarantined: tuple[Quarantined, ...]
    reports: tuple[str, ...]
    """What is wrong with frames that may be used all the same."""


def audit_limits(
    provider_id: str, query: ContextQuery, result: ContextQueryResult
) -> BudgetLie | FrameFlood | None:
    """How the answer as a whole exceeds what was asked for; None if it does not (B1, B4).

    A frame counts as what it declares, or as what its content costs if that is more: who declares less than there is
    would otherwise get more room than others.
    """
    cost = sum(max(frame.token_cost, token_cost(frame.content)) for frame in result.frames)
    if cost > query.max_tokens:
        return BudgetLie(provider_id, cost, query.max_tokens, len(result.frames))
    if len(result.frames) > query.max_frames:
        return FrameFlood(provider_id, len(result.frames), query.max_frames)
    return None


def audit_frames(
    provider_id: str, query: ContextQuery, result: ContextQueryResult, *, strict: bool = False
) -> Audited:
    """Set aside the frames that break rules. With `strict` also those that only declare a wrong cost: composition
    counts for itself, so by default that is noted and the frame is used."""
    frames: list[Offered] = []
    quarantined: list[Quarantined] = []
    reports: list[str] = []
    for frame in result.frames:
        offered = Offered(provider_id, frame)
        serious = tuple(map(str, findings(frame, query)))
        slight = tuple(map(str, notes(frame)))
        if serious or (strict and slight):
            quarantined.append(Quarantined(offered, serious + slight))
            continue
        frames.append(offered)
        reports += (f"frame {peer_text(frame.id)}: {each}" for each in slight)
    return Audited(tuple(frames), tuple(quarantined), tuple(reports))


def notes(frame: ContextFrame) -> Iterator[Finding]:
    """What is wrong with a frame and misleads nobody here."""
    for breach in breaches(frame):
        if _is_slight(breach.member, frame):
            rule = "B3" if breach.member == "token_cost" else breach.rule
            yield Finding(rule, f"{breach.member}: expected {breach.expected}")


def findings(frame: ContextFrame, query: ContextQuery) -> Iterator[Finding]:
    """What is wrong with a frame as an answer to `query`, other than `notes`."""
    if not (math.isfinite(frame.score) and 0 <= frame.score <= 1):
        yield Finding("F1", f"score: expected a number from 0 to 1, got {frame.score!r}")
    if not (frame.citation_label or "").strip():
        yield Finding("F3", "citation_label: expected a label that a person would write, got none")
    if (
        sum(len(attribute(text).encode()) for text in (frame.id, frame.kind, label(frame)))
        > LONGEST_ATTRIBUTES
    ):
        yield Finding(
            "R4",
            f"id, kind and citation_label: they take more than {LONGEST_ATTRIBUTES} bytes of everybody's room",
        )
    yield from _digest(frame)
    yield from _links(frame)
    for breach in breaches(frame):
        if not _is_slight(breach.member, frame):
            yield Finding(breach.rule, f"{breach.member}: expected {breach.expected}")
    representation = frame.representation or FULL
    if representation not in (query.representation_preferences or (FULL,)):
        yield Finding("P5", f"representation: {representation} was not asked for")
    for position, relation in enumerate(frame.relations):
        name = (relation.display_name or "").strip()
        if not name or name == relation.target_uri:
            yield Finding("G1", f"relations[{position}]: expected a display_name for people")
    if query.kinds and frame.kind not in query.kinds:
        yield Finding("Q1", "kind: expected one of those that were asked for")
    yield from _window(frame, query)


def _is_slight(member: str, frame: ContextFrame) -> bool:
    """Of a full frame, also a hash of what is there anyway: some peers send it."""
    return (
        member == "token_cost"
        or (member == "canonical_content_hash" and (frame.representation or FULL) == FULL)
        or (member == "representation" and frame.representation == FULL)
    )


def _digest(frame: ContextFrame) -> Iterator[Finding]:
    declared = frame.content_digest
    if declared is None or frame.representation == REFERENCE:
        return
    if not is_digest(declared):
        yield Finding("D1", f"content_digest: expected {EXPECTED}")
    elif frame.content is not None and declared != digest(frame.content.encode()):
        yield Finding("D1", "content_digest: it is that of other content")


def _links(frame: ContextFrame) -> Iterator[Finding]:
    for position, link in enumerate(frame.provenance):
        where = f"provenance[{position}]"
        if link.type != "file":
            continue
        if link.digest is None or not is_digest(link.digest):
            yield Finding("F5", f"{where}.digest: expected {EXPECTED} of the file")
        if link.range is not None and not is_range(link.range):
            yield Finding("F17", f"{where}.range: expected {EXPECTED_RANGE}")


def _window(frame: ContextFrame, query: ContextQuery) -> Iterator[Finding]:
    instants: dict[str, int] = {}
    for member in _TIMES:
        text = getattr(frame, member)
        if text is None:
            continue
        try:
            instants[member] = parse_timestamp(text)
        except TimestampError as error:
            yield Finding("F4", f"{member}: {error}")
    begins, ends = instants.get("valid_from"), instants.get("valid_to")
    if begins is not None and ends is not None and ends <= begins:
        yield Finding("F4", "valid_to: expected an instant after valid_from")
    as_of = query.as_of_microseconds
    if as_of is None:
        return
    if begins is not None and begins > as_of:
        yield Finding("Q2", f"valid_from: it begins to hold after {query.as_of}, as of which was asked")
    if ends is not None and ends <= as_of:
        yield Finding("Q2", f"valid_to: it no longer holds at {query.as_of}, as of which was asked")
