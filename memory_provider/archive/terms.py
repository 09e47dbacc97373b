"""What search needs and an archive leaves out, computed again from what it holds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import anyio.to_thread

from ..memory.records.planning import record_terms
from ..memory.text.analysis import document_terms
from ..memory.text.chunking import turn_terms
from ..memory.writing.predicates import ALIAS
from ..store.contract import Store
from ..store.names import normalise_name
from ..store.records import Chunk, Episode, IndexedRecord, NewVersion

REMEMBERED = 16 * 1024 * 1024
"""How many characters of terms of recent turns are kept at hand."""


def with_terms(new: NewVersion) -> NewVersion:
    """A version with its search terms and, where it says another name, that name."""
    version = new.version
    alias = normalise_name(version.object.text) if version.predicate == ALIAS else None
    return NewVersion(version, document_terms(version.statement), alias, new.replaces)


def indexed(new: IndexedRecord) -> IndexedRecord:
    """A context record with its search terms."""
    return new._replace(terms=record_terms(new.record))


class Turns:
    """Gives each episode its terms and those of the turn before it, which stands earlier in the archive.

    Turns not long ago are remembered; others are looked up in the store, where they were written before.
    """

    def __init__(self, store: Store, scope: str) -> None:
        self._store = store
        self._scope = scope
        self._recent: OrderedDict[str, str] = OrderedDict()
        self._size = 0

    async def with_terms(self, episodes: list[Episode]) -> list[Episode]:
        """A batch of episodes, in the archive's order, with their terms."""
        coming = {each.id for each in episodes}
        before = {each.previous for each in episodes if each.previous and each.previous not in self._recent}
        missing = before - coming
        if missing:
            for each in await self._store.episodes(self._scope, missing):
                self._remember(each.id, turn_terms(each.chunks))
        return await anyio.to_thread.run_sync(self._analyse, episodes)

    def _analyse(self, episodes: Iterable[Episode]) -> list[Episode]:
        done = []
        for episode in episodes:
            context = self._recent.get(episode.previous, "") if episode.previous else ""
            data = episode.text.encode()
            chunks = tuple(
                Chunk(
                    chunk.number,
                    chunk.start,
                    chunk.end,
                    chunk.digest,
                    document_terms(data[chunk.start : chunk.end].decode()),
                    context if place == 0 else "",
                )
                for place, chunk in enumerate(episode.chunks)
            )
            self._remember(episode.id, turn_terms(chunks))
            done.append(episode._replace(chunks=chunks))
        self._forget()
        return done

    def _remember(self, episode_id: str, terms: str) -> None:
        self._recent[episode_id] = terms
        self._recent.move_to_end(episode_id)
        self._size += len(terms)

    def _forget(self) -> None:
        while self._size > REMEMBERED:
            _, terms = self._recent.popitem(last=False)
            self._size -= len(terms)
