"""One frame for each piece of evidence, whoever offered it (COMP2, D2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple, TypeAlias

from ...protocol import ContextFrame, FrameId, ProvenanceLink, token_cost
from ...protocol.encoding import plain
from ..offers import Offered
from .fence import fenced


class Sameness(StrEnum):
    """Why two frames count as one."""

    IDENTITY = "identity"
    """The same provider, frame and digest: the same content, by the protocol's word (D2)."""
    CONTENT = "content"
    """The same inline bytes, which is what equal digests say. Digests themselves are not relied upon here."""
    SOURCE = "source"
    """Frames of different providers over the same range of the same file."""


class Candidate(NamedTuple):
    """A frame as it would be quoted, and what it stands for besides itself."""

    offered: Offered
    identity: FrameId
    block: str
    """The quotation, as `fenced` writes it."""
    cost: int
    """What the whole block costs, in budget tokens (COMP4)."""
    provenance: tuple[ProvenanceLink, ...]
    """Where it and its duplicates come from, each link once; its own links first."""
    duplicates: tuple[tuple[FrameId, Sameness], ...]
    """The frames it stands for besides itself, and why; its own identity again where that was offered repeatedly."""


def in_canonical_order(offers: Iterable[Offered]) -> list[tuple[FrameId, Offered]]:
    """The offers by identity (CR-D2). Those of equal identity are ordered by what they say, so that the order they
    arrived in decides nothing."""
    identified = [(offered.identity, offered) for offered in offers]
    keyed = sorted(((identity.sort_key, identity, offered) for identity, offered in identified), key=_key)
    ordered: list[tuple[FrameId, Offered]] = []
    for _, run in groupby(keyed, key=_key):
        same = [(identity, offered) for _, identity, offered in run]
        ordered += same if len(same) == 1 else sorted(same, key=_said)
    return ordered


def deduplicated(offers: Iterable[Offered]) -> list[Candidate]:
    """One candidate for each group of frames that are the same.

    In canonical order each frame joins the group that has its identity, else its content, else its source, or begins
    one. Its best frame stands for the group: one with inline content before one without, then the one with the highest
    score, then the canonically first. Scores of different providers cannot be compared in earnest (F10): here they
    choose which of two equal quotations is shown.
    """
    groups: list[_Group] = []
    by_identity: dict[FrameId, _Group] = {}
    by_content: dict[str, _Group] = {}
    by_source: dict[_Source, _Group] = {}
    for identity, offered in in_canonical_order(offers):
        if (known := by_identity.get(identity)) is not None:
            known.repeated(identity, offered)
            continue
        content = offered.frame.content
        sources = _sources(offered.frame)
        if content and (group := by_content.get(content)) is not None:
            group.join(identity, offered, Sameness.CONTENT)
        elif (group := _elsewhere(offered.provider_id, sources, by_source)) is not None:
            group.join(identity, offered, Sameness.SOURCE)
        else:
            groups.append(group := _Group(identity, offered))
        by_identity[identity] = group
        if content:
            by_content.setdefault(content, group)
        for source in sources:
            by_source.setdefault(source, group)
    return [group.candidate() for group in groups]


_Source: TypeAlias = tuple[str, str | None]
"""The address of a file, and which lines of it."""


class _Group:
    """Frames that are the same, in canonical order; the first of each identity stands for it."""

    __slots__ = ("members", "providers", "repetitions")

    def __init__(self, identity: FrameId, offered: Offered) -> None:
        self.members = [_Member(identity, offered, None)]
        self.providers = {offered.provider_id}
        self.repetitions: list[tuple[FrameId, Offered]] = []

    def join(self, identity: FrameId, offered: Offered, why: Sameness) -> None:
        self.members.append(_Member(identity, offered, why))
        self.providers.add(offered.provider_id)

    def repeated(self, identity: FrameId, offered: Offered) -> None:
        self.repetitions.append((identity, offered))

    def candidate(self) -> Candidate:
        best = max(self.members, key=lambda member: member.worth)  # the first of equals
        block = fenced(best.offered.provider_id, best.offered.frame)
        others = [member for member in self.members if member is not best]
        # The first began the group, so it is the same as the best for the reason that the best joined for.
        same = [(member.identity, member.why or best.why or Sameness.IDENTITY) for member in others]
        again = [(identity, Sameness.IDENTITY) for identity, _ in self.repetitions]
        told = [best.offered, *(each.offered for each in others), *(each for _, each in self.repetitions)]
        return Candidate(best.offered, best.identity, block, token_cost(block), _links(told), (*same, *again))


def _links(told: Sequence[Offered]) -> tuple[ProvenanceLink, ...]:
    """Every link once, in order."""
    links = [link for offered in told for link in offered.frame.provenance]
    return tuple(links if len(links) < 2 else dict.fromkeys(links))


class _Member(NamedTuple):
    identity: FrameId
    offered: Offered
    why: Sameness | None
    """None for the frame that began the group."""

    @property
    def worth(self) -> tuple[bool, float]:
        return bool(self.offered.frame.content), self.offered.frame.score


def _elsewhere(
    provider: str, sources: Iterable[_Source], by_source: Mapping[_Source, _Group]
) -> _Group | None:
    """The group over one of the sources that has no frame of this provider yet: what one provider tells apart stays
    apart."""
    for source in sources:
        group = by_source.get(source)
        if group is not None and provider not in group.providers:
            return group
    return None


def _sources(frame: ContextFrame) -> tuple[_Source, ...]:
    return tuple((link.uri, link.range) for link in frame.provenance if link.type == "file" and link.uri)


def _key(each: tuple[tuple[bytes, bytes, bool, bytes], FrameId, Offered]) -> tuple[bytes, bytes, bool, bytes]:
    return each[0]


def _said(each: tuple[FrameId, Offered]) -> tuple[bool, float, str]:
    """The best first; what else two frames of one identity differ in decides the rest."""
    frame = each[1].frame
    return not frame.content, -frame.score, json.dumps(plain(frame), sort_keys=True, default=repr)
