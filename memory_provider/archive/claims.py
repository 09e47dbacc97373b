"""What a standing fact of an archive says anew: one claim for each source link that backs it."""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..memory.ids import mint
from ..memory.records.checking import AppendRecord
from ..memory.writing.operations import AddEpisode, ChangeFact, File, SourceOfClaim
from ..store.records import ContextRecord, Episode, SourceLink, Version
from ..temporal.windows import Window, coalesce


class Renewal:
    """Turns rows of an archive into operations of the memory, each under an idempotency key of its own.

    The same row gives the same key, and the same episode the same new id, whenever and from whichever archive of its
    scope it is imported.
    """

    def __init__(self, secret: bytes, scope: str) -> None:
        self._secret = secret
        self._scope = scope

    def episode_id(self, old: str) -> str:
        """The id that an episode gets here: random, as the old one was, and not to be guessed from it."""
        made = hmac.new(self._secret, f"restamp\0{self._scope}\0{old}".encode(), "sha256").digest()
        return f"ep_{b32encode(made[:15]).decode().lower()}"

    def episode(self, old: Episode) -> AddEpisode:
        """An episode, as it was."""
        return AddEpisode(
            id=self.episode_id(old.id),
            text=old.text,
            occurred_at=old.occurred_at,
            source=old.source,
            speaker=old.speaker,
            session=old.session,
            idempotency_key=f"restamp {old.id}",
            original_recorded_at=_first(old.original_recorded_at, old.recorded_at),
        )

    def claims(self, version: Version, links: Sequence[SourceLink]) -> Iterator[ChangeFact]:
        """What backs a standing version, each link over the part of it that it covers; what none covers, by nobody."""
        for link in links:
            over = link.covers.intersection(version.window)
            if over:
                yield self._claim(version, over, link.id, self._source(link))
        for over in _uncovered(version.window, [link.covers for link in links]):
            recorded = SourceOfClaim(original_recorded_at=version.recorded_at)
            yield self._claim(version, over, version.id, recorded)

    def _claim(self, version: Version, over: Window, row: str, source: SourceOfClaim) -> ChangeFact:
        return ChangeFact(
            kind="assert",
            claim=mint("clm"),
            subject=version.subject,
            predicate=version.predicate,
            object=version.object,
            valid_from=over.start,
            valid_to=over.end,
            replaces=None,
            source=source,
            # What is left of a link is said again when it shrinks, but never twice over one window.
            idempotency_key=f"restamp {row} {over.start} {over.end}",
        )

    def _source(self, link: SourceLink) -> SourceOfClaim:
        file = File(link.file_uri, link.file_digest or "", link.file_range) if link.file_uri else None
        return SourceOfClaim(
            episode=self.episode_id(link.episode_id) if link.episode_id else None,
            file=file,
            by=link.by,
            confidence=link.confidence,
            original_recorded_at=_first(link.original_recorded_at, link.recorded_at),
        )


class Backed(NamedTuple):
    """A standing version and the links that back it, as they are found."""

    version: Version
    links: list[SourceLink]


def renewed(old: ContextRecord) -> AppendRecord:
    """A context record as it is appended anew: its retention ends when it would have ended."""
    return AppendRecord(
        id=old.id,
        lineage=old.lineage,
        kind=old.kind,
        status=old.status,
        statement=old.statement,
        body=old.body,
        digest=old.digest,
        observed_at=old.observed_at,
        valid_from=old.valid_from,
        valid_to=old.valid_to,
        sharing=old.sharing,
        subjects=old.subjects,
        retention=old.retention,
        lifetime=None,
        by=old.by,
        client=old.client,
        expires_at=old.expires_at,
        original_recorded_at=_first(old.original_recorded_at, old.recorded_at),
    )


def _first(original: int | None, recorded: int) -> int:
    return recorded if original is None else original


def _uncovered(window: Window, covers: Sequence[Window]) -> list[Window]:
    left = [window]
    for each in coalesce(covers):
        left = [rest for piece in left for rest in piece.minus(each)]
    return left
