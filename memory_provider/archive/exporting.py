"""Export: every row of a scope, as one archive."""

from __future__ import annotations

import anyio.to_thread

from ..memory.api import Memory
from ..temporal.instants import PAST, Instant
from .dumping import check_nothing_was_erased, dumped
from .files import PathOrFile, written
from .header import Header, database_mark
from .progress import Progress, silent
from .reports import Manifest
from .writing import ArchiveWriter


async def export_scope(memory: Memory, target: PathOrFile, *, progress: Progress = silent) -> Manifest:
    """Write the whole history of an open memory's scope to one archive, and say what is in it.

    `target` is a path (ending in `.gz`, it is gzipped) or a file open for bytes; at a path, the archive appears whole
    or not at all. One state of the scope is exported, whatever is written meanwhile; the same state makes the same
    bytes from the same store. Raises `ArchiveError` when the file cannot be written, when something was erased
    meanwhile, or when a row is damaged: no archive is made that an import would refuse.
    """
    store, scope = memory.store, memory.scope
    mark = database_mark(await store.secret())
    writer: ArchiveWriter | None = None
    clock: Instant = PAST
    with written(target) as file:
        async for batch in dumped(store, scope):
            clock = batch.clock
            if writer is None:
                writer = ArchiveWriter(file, Header(scope, clock, mark))
            await anyio.to_thread.run_sync(writer.add, batch)
            progress("writing", writer.rows, None)
        if writer is None:
            writer = ArchiveWriter(file, Header(scope, PAST, mark))
        await check_nothing_was_erased(store, scope, clock)
        return await anyio.to_thread.run_sync(writer.finish)
