"""What a write answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ClosedFact:
    """A fact that a write cut or ended."""

    id: str
    statement: str
    valid_from: datetime | None
    valid_to: datetime | None
    """Its validity before the write; None is an unbounded side."""
    ended: bool
    """Whether nothing of this line stands any more."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a write did. It has returned only when it is durable."""

    recorded_at: datetime
    """The transaction's recorded time, UTC; of a duplicate, that of the first write."""
    episode_id: str | None = None
    """Of the episode added, if it was one operation or one episode."""
    episode_ids: tuple[str, ...] = ()
    fact_ids: tuple[str, ...] = ()
    """Ids of the facts the write stated, new or standing."""
    superseded_ids: tuple[str, ...] = ()
    """Ids of the facts whose validity the write changed or ended."""
    closed: tuple[ClosedFact, ...] = ()
    """The same facts in words."""
    warnings: tuple[str, ...] = ()
    duplicate: bool = False
    """Nothing was written: the same operation had been done under its idempotency key."""
    erased: bool = False
    """Nothing was written: what the key had written was erased since."""

    @property
    def fact_id(self) -> str | None:
        """The fact stated, when it was one."""
        return self.fact_ids[0] if len(self.fact_ids) == 1 else None


@dataclass(frozen=True, slots=True)
class EraseReport:
    """What an erase took, or with `dry_run` would take. Ids only; contents are gone."""

    recorded_at: datetime
    fact_ids: tuple[str, ...]
    """Facts gone at every known_at."""
    trimmed_ids: tuple[str, ...]
    """Facts of which only what other sources still cover remains."""
    versions: int
    """How many versions were deleted or rewritten."""
    episode_ids: tuple[str, ...]
    entity: str | None
    """The entity's id, when one was erased."""
    source_links: int
    still_named_in: tuple[str, ...]
    """Episodes, and context records as `record:…`, that stay although their text names the erased entity or an alias;
    erase them too if they should go."""
    residue: str | None
    """What may linger outside the store's reach, and how long; None when nothing does."""
    dry_run: bool
    record_ids: tuple[str, ...] = ()
    """Context records gone at every known_at."""

    @property
    def empty(self) -> bool:
        """Whether nothing matched."""
        return not (self.fact_ids or self.trimmed_ids or self.episode_ids or self.entity or self.record_ids)
