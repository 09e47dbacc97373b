"""The rules that a frame keeps, in whatever answer it comes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...protocol import COMPACT, FULL, REFERENCE, ContextFrame, ContextQuery, token_cost
from ..auditing import findings, notes
from ..errors import peer_text
from ..source_files import SourceStatus, check_sources
from .answers import Answer
from .observations import Exchange, Observations
from .requirements import BY_ID

_BY_REPRESENTATION: Final = {FULL: "P1", COMPACT: "P2", REFERENCE: "P3"}
_OTHER_NAMES: Final = {"P5": "P5p"}
"""Rules that are called otherwise on the provider's side."""
_HOSTS_RANGE: Final = r"L[0-9]+-L[0-9]+"
"""What a host reads, and a provider had better not write."""


class Identities:
    """Which bytes were served under which identity (D1b)."""

    def __init__(self) -> None:
        self._contents: dict[tuple[str, str], str] = {}
        self._digests: dict[tuple[str, str], str] = {}

    def judge(self, observations: Observations, frame: ContextFrame, exchange: Exchange) -> None:
        """Compare a frame with what came under its name before."""
        if frame.content is None or frame.content_digest is None:
            return
        by_digest, by_content = (frame.id, frame.content_digest), (frame.id, frame.content)
        if by_digest in self._contents:
            observations.holds(
                "D1b",
                self._contents[by_digest] == frame.content,
                "what was served again under one identity had the same bytes",
                f"frame {peer_text(frame.id)} was served with other bytes under one digest",
                exchange,
            )
        elif by_content in self._digests:
            observations.broken(
                "D1b", f"frame {peer_text(frame.id)} was served with two digests of one content", exchange
            )
        self._contents.setdefault(by_digest, frame.content)
        self._digests.setdefault(by_content, frame.content_digest)


def judge_frames(
    observations: Observations,
    answer: Answer,
    query: ContextQuery,
    identities: Identities,
    *,
    is_local: bool,
) -> None:
    """Look at every frame of an answer that can be read."""
    exchange = answer.exchange
    for frame in answer.frames:
        name = f"frame {peer_text(frame.id)}"
        breaches = [
            (_OTHER_NAMES.get(each.rule, each.rule), str(each))
            for each in findings(frame, query)
            if not (
                each.rule == "P5" and (frame.representation or FULL) == FULL
            )  # what P5p lets it fall back to
        ]
        breaches += [(each.rule, str(each)) for each in notes(frame)]
        breaches += _others(frame, is_local)
        breaches = [each for each in breaches if each[0] in BY_ID]  # others are this host's own limits
        wrong = {rule for rule, _ in breaches}
        for rule, what in breaches:
            observations.broken(rule, f"{name}: {what}", exchange)
        for rule in _concerned(frame, query):
            if rule not in wrong:
                observations.met(rule, "in every frame that was served", exchange)
        identities.judge(observations, frame, exchange)


def _concerned(frame: ContextFrame, query: ContextQuery) -> Iterator[str]:
    """The rules that the frame could break."""
    yield from ("F1", "F2", "F3", "P4", "B3", _BY_REPRESENTATION[frame.representation or FULL])
    if frame.valid_from or frame.valid_to or frame.recorded_at:
        yield "F4"
    if any(link.type == "file" for link in frame.provenance):
        yield "F5"
    if any(link.type == "file" and link.range is not None for link in frame.provenance):
        yield "F17"
    if frame.content_digest is not None:
        yield "D1"
    if frame.relations:
        yield from ("G1", "G2", "U3")
    if query.kinds:
        yield "Q1"
    if query.as_of is not None and (frame.valid_from or frame.valid_to):
        yield "Q2"


def _others(frame: ContextFrame, is_local: bool) -> Iterator[tuple[str, str]]:
    """Breaches that no host sets a frame aside for."""
    label = (frame.citation_label or "").strip()
    if not frame.title.strip():
        yield "F2", "title: it is blank"
    if label and label == frame.id.strip():
        yield "F3", "citation_label: it is the frame's id, and nothing for people"
    if frame.token_cost != token_cost(frame.content):
        yield (
            "P4",
            f"token_cost: it is {frame.token_cost}, and what is inline costs {token_cost(frame.content)}",
        )
    for relation in frame.relations:
        if not relation.target_uri.strip():
            yield "G2", "relations: a target_uri is blank"
        vendor, colon, name = relation.rel.partition(":")
        if not relation.rel.strip() or (colon and not (vendor.strip() and name.strip())):
            yield "U3", f"relations: the rel {peer_text(relation.rel)} is neither a name nor vendor:name"
    for link in frame.provenance:
        if link.type == "file" and re.fullmatch(_HOSTS_RANGE, link.range or ""):
            yield "F17", f"provenance: the range {peer_text(link.range or '')} has a second L"
    if is_local:
        for source in check_sources(frame, under="/"):
            if source.status is SourceStatus.OTHER:
                yield "F5", f"provenance: {peer_text(source.link.uri or '')}: {source.detail}"
