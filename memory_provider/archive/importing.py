"""Import: an archive into an empty scope as it was, or into any scope restamped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

import anyio.to_thread

from ..memory.api import Memory
from ..store.contract import Dump, Store
from ..store.errors import ScopeNotEmpty
from ..store.records import (
    Entity,
    Episode,
    IdempotencyRecord,
    IndexedRecord,
    NewVersion,
    Predicate,
    SourceLink,
    Tombstone,
)
from ..temporal.instants import PAST, Instant
from .batching import batches, checked
from .census import Census, census_of
from .errors import ArchiveError
from .files import PathOrFile, readable
from .header import Header, database_mark
from .progress import Progress, silent
from .reading import ArchiveReader
from .reports import ImportReport, Manifest
from .restamping import restamped
from .rows import Numbered
from .terms import Turns, indexed, with_terms


async def import_archive(
    memory: Memory, source: PathOrFile, *, restamp: bool = False, progress: Progress = silent
) -> ImportReport:
    """Bring an archive into an open memory's scope, which may be named differently from the one exported.

    The whole archive is read and checked before anything is written. Into an empty scope it goes as it was: the same
    ids, digests and both clocks. Begun before and interrupted, it goes on where it stopped; done before, it changes
    nothing. Whoever reads meanwhile sees the part that is there; nobody should write meanwhile, and it is an error if
    somebody did.

    With `restamp`, into any scope: the facts and context records that stood at the export, and all episodes, are
    written anew now, by the rules of this scope, facts and episodes under new ids; each source and each record keeps
    when it was first recorded. What had been superseded, and what was erased, stays behind. An interrupted import may
    be repeated: what was written is not written again.

    Raises `ArchiveDamaged`, `ArchiveTooNew`, `ScopeNotEmpty` (the scope holds other history), and with `restamp`
    `PredicateConflict`.
    """
    store, scope = memory.store, memory.scope
    with readable(source) as file:
        manifest = await checked(file, progress)
        if restamp:
            return await restamped(store, scope, file, manifest, progress)
        return await _Import(store, scope, file, manifest, progress).run()


class _Import:
    def __init__(
        self, store: Store, scope: str, file: BinaryIO, manifest: Manifest, progress: Progress
    ) -> None:
        self._store = store
        self._scope = scope
        self._file = file
        self._manifest = manifest
        self._progress = progress

    async def run(self) -> ImportReport:
        reader = await anyio.to_thread.run_sync(ArchiveReader, self._file)
        left_out = await self._records_left_out(reader.header)
        total = sum(self._manifest.rows.values()) - left_out
        there = await census_of(self._store, self._scope, total, self._progress)
        if there.count > total:
            raise self._other_history()
        rows = _Counted(reader.rows(check=False), carry=not left_out)
        if there.count:
            await anyio.to_thread.run_sync(rows.skip, there.count)
            if rows.census != there:
                raise self._other_history()
        written = await self._write(rows, reader.header.clock, there.count, total)
        found = await census_of(self._store, self._scope, total, self._progress)
        if found != rows.census:
            raise ArchiveError(
                f"the scope {self._scope!r} does not hold what the archive does after its import; somebody wrote "
                "to it meanwhile, or the store lost rows: erase the scope, and import again while nobody writes"
            )
        return ImportReport(self._scope, self._manifest, dict(written), there.count, left_out)

    async def _records_left_out(self, header: Header) -> int:
        """How many idempotency records stay behind: keys are hashed with the database's secret and the scope's name."""
        here = database_mark(await self._store.secret())
        if (here, self._scope) == (header.database, header.scope):
            return 0
        return self._manifest.rows.get("idempotency", 0)

    async def _write(self, rows: _Counted, clock: Instant, done: int, total: int) -> Counter[str]:
        written: Counter[str] = Counter()
        turns = Turns(self._store, self._scope)
        async for batch in batches(rows):
            episodes = [each.row for each in batch if isinstance(each.row, Episode)]
            analysed = await turns.with_terms(episodes) if episodes else []
            dump = await anyio.to_thread.run_sync(_dump, clock, batch, analysed)
            await self._store.restore(self._scope, dump, first=done == 0)
            written.update(each.kind for each in batch)
            done += len(batch)
            self._progress("writing", done, total)
        if not done and clock != PAST:  # a history of which nothing is left but its clock
            await self._store.restore(self._scope, Dump(clock), first=True)
        return written

    def _other_history(self) -> ScopeNotEmpty:
        return ScopeNotEmpty(
            f"the scope {self._scope!r} holds history that is not a beginning of this archive; import it into an "
            "empty scope, or restamp it: then its facts are written anew, now"
        )


class _Counted(Iterator[Numbered]):
    """The rows of an archive that are to be written, counted as they pass."""

    def __init__(self, rows: Iterator[Numbered], carry: bool) -> None:
        self._rows = rows
        self._carry = carry
        self.census = Census()

    def __next__(self) -> Numbered:
        each = next(self._rows)
        while each.kind == "idempotency" and not self._carry:
            each = next(self._rows)
        self.census.add(each.kind, each.row)
        return each

    def skip(self, count: int) -> None:
        """Pass over the first rows."""
        for _ in range(count):
            next(self)


def _dump(clock: Instant, batch: list[Numbered], episodes: list[Episode]) -> Dump:
    rows = [each.row for each in batch]
    return Dump(
        clock,
        entities=[row for row in rows if isinstance(row, Entity)],
        predicates=[row for row in rows if isinstance(row, Predicate)],
        episodes=episodes,
        versions=[with_terms(row) for row in rows if isinstance(row, NewVersion)],
        links=[row for row in rows if isinstance(row, SourceLink)],
        tombstones=[row for row in rows if isinstance(row, Tombstone)],
        idempotency=[row for row in rows if isinstance(row, IdempotencyRecord)],
        records=[indexed(row) for row in rows if isinstance(row, IndexedRecord)],
    )
