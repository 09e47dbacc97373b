"""A seeded sample of keys and of search terms, with all their rows, taken in one pass over a scope."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Generic, NamedTuple, TypeVar

from ..store.contract import Dump
from ..store.records import Key, SourceLink, Version
from ..temporal.instants import OPEN, Instant

Rows = TypeVar("Rows")

COMMON = 100
"""A term that more documents hold, over all time, is too common to be checked one by one."""


class Sample(Generic[Rows]):
    """The `size` names with the smallest hashes of all that were offered.

    Which they are depends on the seed and the names alone. A name of the final sample was in it since it was first
    offered, so that all of its rows were kept.
    """

    def __init__(self, size: int, seed: int, rows: Callable[[], Rows]) -> None:
        self._size = size
        self._rows = rows
        self._kept: dict[str, Rows] = {}
        self._largest: list[tuple[int, str]] = []
        salt = str(seed).encode()[:16]

        @lru_cache(maxsize=65_536)
        def place(name: str) -> int:
            data = name.encode(errors="surrogatepass")
            return int.from_bytes(blake2b(data, digest_size=8, salt=salt).digest())

        self._place = place

    def of(self, name: str) -> Rows | None:
        """Where to keep a row of a name; None when the name is not in the sample."""
        kept = self._kept.get(name)
        if kept is not None or not self._size:
            return kept
        place = self._place(name)
        if len(self._kept) >= self._size:
            if -place <= self._largest[0][0]:
                return None
            _, gone = heapq.heapreplace(self._largest, (-place, name))
            del self._kept[gone]
        else:
            heapq.heappush(self._largest, (-place, name))
        self._kept[name] = rows = self._rows()
        return rows

    def __iter__(self) -> Iterator[tuple[str, Rows]]:
        return iter(sorted(self._kept.items()))


class KeyRows:
    """Everything ever recorded of one key."""

    def __init__(self) -> None:
        self.key = Key("", "")
        self.versions: list[Version] = []
        self.links: list[SourceLink] = []


class Holder(NamedTuple):
    """A document that holds a term: a version of a fact, or a chunk."""

    id: str
    place: Instant
    """When the version was recorded; the chunk's number."""
    since: Instant
    until: Instant
    """When it holds: a fact's window; a chunk since it occurred."""
    known_from: Instant
    known_to: Instant


class TermRows:
    """The documents that hold one term."""

    def __init__(self) -> None:
        self.facts: list[Holder] = []
        self.chunks: list[Holder] = []
        self.common = False

    def add(self, arm: list[Holder], holder: Holder) -> None:
        """Keep a document, unless there are too many."""
        if len(arm) >= COMMON:
            self.common = True
        else:
            arm.append(holder)


class Samples:
    """The samples of one scope."""

    def __init__(self, size: int, seed: int) -> None:
        self.keys: Sample[KeyRows] = Sample(size, seed, KeyRows)
        self.terms: Sample[TermRows] = Sample(size, seed, TermRows)
        self._lines: dict[str, str] = {}

    def add(self, batch: Dump) -> None:
        """Keep of a batch what belongs to the samples."""
        for new in batch.versions:
            version = new.version
            name = f"{len(version.subject)} {version.subject} {version.predicate}"
            rows = self.keys.of(name)
            if rows is not None:
                rows.key = version.key
                rows.versions.append(version)
                self._lines[version.id] = name
            for term in set(new.terms.split()):
                if holders := self.terms.of(term):
                    holders.add(holders.facts, Holder(version.id, version.recorded_at, *_clocks(version)))
        for link in batch.links:
            line = self._lines.get(link.fact_id)
            rows = self.keys.of(line) if line is not None else None
            if rows is not None:
                rows.links.append(link)
        for episode in batch.episodes:
            for chunk in episode.chunks:
                for term in {*chunk.terms.split(), *chunk.context.split()}:
                    if holders := self.terms.of(term):
                        holders.add(
                            holders.chunks,
                            Holder(
                                episode.id, chunk.number, episode.occurred_at, OPEN, episode.recorded_at, OPEN
                            ),
                        )


def _clocks(version: Version) -> tuple[Instant, Instant, Instant, Instant]:
    return version.valid_from, version.valid_to, version.recorded_at, version.superseded_at
