"""Import of what an archive holds as it stood, written anew now through the memory's own rules."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import BinaryIO

import anyio.to_thread

from ..memory.errors import PredicateConflict
from ..memory.records.checking import AppendRecord
from ..memory.records.planning import AppendPlan
from ..memory.writing.operations import AddEpisode, ChangeFact, Operation
from ..memory.writing.predicates import RESERVED, Declaration
from ..memory.writing.transaction import combine, commit
from ..store.contract import Store
from ..store.records import Episode, IndexedRecord, NewVersion, Predicate, SourceLink
from ..temporal.instants import OPEN, now
from .batching import BATCH_BYTES, batches
from .claims import Backed, Renewal, renewed
from .progress import Progress
from .reading import ArchiveReader
from .reports import ImportReport, Manifest

GROUP = 20_000
"""How many standing facts are held at a time while their source links are gathered: one pass over the file each."""

TRANSACTION = 500
"""How many operations are written in one transaction, unless one fact has more sources."""

LISTED = 1000
"""How many ids of closed facts, and how many warnings, a report lists."""


async def restamped(
    store: Store, scope: str, file: BinaryIO, manifest: Manifest, progress: Progress
) -> ImportReport:
    """Write the facts and context records that stood, and all episodes, of a checked archive."""
    run = _Restamp(store, scope, file, progress, Renewal(await store.secret(), scope))
    await run.declare()
    await run.episodes()
    await run.facts()
    await run.records()
    return ImportReport(
        scope,
        manifest,
        {kind: count for kind, count in run.written.items() if count},
        run.already_there,
        left_out=manifest.rows.get("idempotency", 0),
        restamped=True,
        closed=tuple(run.closed),
        warnings=tuple(run.warnings),
    )


class _Restamp:
    def __init__(
        self, store: Store, scope: str, file: BinaryIO, progress: Progress, renewal: Renewal
    ) -> None:
        self._store = store
        self._scope = scope
        self._known: dict[str, Predicate] = {}
        self._file = file
        self._progress = progress
        self._renewal = renewal
        self.written = {"predicate": 0, "episode": 0, "claim": 0, "record": 0}
        self.already_there = 0
        self.closed: dict[str, None] = {}
        self.warnings: dict[str, None] = {}

    async def declare(self) -> None:
        """Declare the archive's predicates that this scope does not have; refuse those that it has otherwise."""
        known = {each.name: each for each in await self._store.predicates(self._scope)}
        new: list[Predicate] = []
        clashes: list[str] = []
        async for row in self._rows("predicate"):
            assert isinstance(row, Predicate)
            if row.name in known:
                clashes.extend(_clash(row, known[row.name]))
            elif row.declared and row.name not in RESERVED:
                new.append(row)
        if clashes:
            raise PredicateConflict(
                f"the scope {self._scope!r} and the archive declare predicates differently: {'; '.join(clashes)}. "
                "Nothing was written; import into another scope"
            )
        for each in new:
            declaration = Declaration(
                each.name, each.cardinality, each.object_type, each.label, each.inverse_label
            )
            await self._store.write(self._scope, declaration.needs(), declaration)
            self.written["predicate"] += 1

    async def episodes(self) -> None:
        """Write the episodes, the turns of a session in their order."""
        batch: list[Operation] = []
        size = 0
        async for row in self._rows("episode"):
            assert isinstance(row, Episode)
            batch.append(self._renewal.episode(row))
            size += len(row.text)
            if len(batch) >= TRANSACTION or size >= BATCH_BYTES:
                await self._commit(batch)
                batch, size = [], 0
        await self._commit(batch)

    async def facts(self) -> None:
        """Write the standing facts, each with all that backs it in one transaction."""
        group: dict[str, Backed] = {}
        async for row in self._rows("version"):
            assert isinstance(row, NewVersion)
            if row.version.stands:
                group[row.version.id] = Backed(row.version, [])
                if len(group) >= GROUP:
                    await self._write(group)
                    group = {}
        await self._write(group)

    async def records(self) -> None:
        """Append the context records that stood, under the ids they have: they are the clients' own."""
        batch: list[AppendRecord] = []
        size = 0
        wall = now()
        async for row in self._rows("record"):
            assert isinstance(row, IndexedRecord)
            if row.record.stands and row.record.expires_at > wall:
                batch.append(renewed(row.record))
                size += len(row.record.body)
            if len(batch) >= TRANSACTION or size >= BATCH_BYTES:
                await self._append(batch)
                batch, size = [], 0
        await self._append(batch)

    async def _append(self, batch: Sequence[AppendRecord]) -> None:
        if not batch:
            return
        plan = AppendPlan(batch, None, None)
        await self._store.write(self._scope, plan.needs(), plan)
        for receipt in plan.receipts:
            if receipt.status == "accepted":
                self.written["record"] += 1
            elif receipt.status == "duplicate" or receipt.erased:
                self.already_there += 1
            elif len(self.warnings) < LISTED:
                self.warnings[f"left out: {receipt.message}"] = None
        self._progress("writing", sum(self.written.values()) + self.already_there, None)

    async def _write(self, group: dict[str, Backed]) -> None:
        if not group:
            return
        async for row in self._rows("source"):
            assert isinstance(row, SourceLink)
            if row.detached_at == OPEN and row.fact_id in group:
                group[row.fact_id].links.append(row)
        batch: list[Operation] = []
        for backed in group.values():
            batch.extend(self._renewal.claims(*backed))
            if len(batch) >= TRANSACTION:
                await self._commit(await self._still_cited(batch))
                batch = []
        await self._commit(await self._still_cited(batch))

    async def _still_cited(self, batch: Sequence[Operation]) -> list[Operation]:
        """Without claims from episodes that an earlier import wrote and that were erased since."""
        cited = {each.source.episode for each in batch if isinstance(each, ChangeFact)} - {None}
        stones = await self._store.tombstones(self._scope, [each for each in cited if each]) if cited else ()
        gone = {stone.id for stone in stones}
        return [each for each in batch if not (isinstance(each, ChangeFact) and each.source.episode in gone)]

    async def _commit(self, batch: Sequence[Operation]) -> None:
        if not batch:
            return
        receipts = await commit(self._store, self._scope, batch, None, self._known)
        for operation, receipt in zip(batch, receipts, strict=True):
            if receipt.duplicate:
                self.already_there += 1
            else:
                self.written["episode" if isinstance(operation, AddEpisode) else "claim"] += 1
        whole = combine(receipts)
        for closed in whole.closed if len(self.closed) < LISTED else ():
            self.closed[closed.id] = None
        for warning in whole.warnings if len(self.warnings) < LISTED else ():
            self.warnings[warning] = None
        self._progress("writing", sum(self.written.values()) + self.already_there, None)

    async def _rows(self, kind: str) -> AsyncIterator[object]:
        reader = await anyio.to_thread.run_sync(ArchiveReader, self._file)
        async for batch in batches(reader.rows([kind], check=False)):
            for each in batch:
                yield each.row


def _clash(theirs: Predicate, ours: Predicate) -> list[str]:
    """Why facts written under one declaration cannot be written anew under the other."""
    if theirs.object_type and ours.object_type and theirs.object_type != ours.object_type:
        return [f"{ours.name!r} takes {ours.object_type} here and {theirs.object_type} there"]
    if ours.cardinality == "one" and theirs.cardinality == "many":
        return [f"{ours.name!r} holds one object here and many there"]
    return []
