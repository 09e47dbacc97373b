"""Rows of an archive in batches of bounded size, read in a worker thread."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import BinaryIO

import anyio.to_thread

from ..store.records import Episode, IndexedRecord, NewVersion
from .dumping import BATCH
from .progress import Progress
from .reading import ArchiveReader
from .reports import Manifest
from .rows import Numbered

BATCH_BYTES = 8 * 1024 * 1024
"""How much text a batch holds, unless a single row has more."""


async def batches(rows: Iterator[Numbered]) -> AsyncIterator[list[Numbered]]:
    """Rows, a batch at a time."""
    while batch := await anyio.to_thread.run_sync(_take, rows):
        yield batch


def _take(rows: Iterator[Numbered]) -> list[Numbered]:
    batch: list[Numbered] = []
    size = 0
    while len(batch) < BATCH and size < BATCH_BYTES and (each := next(rows, None)):
        batch.append(each)
        size += _size(each)
    return batch


def _size(each: Numbered) -> int:
    match each.row:
        case Episode():
            return len(each.row.text)
        case NewVersion(version):
            return len(version.statement) + len(version.object.text)
        case IndexedRecord(record):
            return len(record.body) + len(record.statement or "")
    return 0


async def checked(file: BinaryIO, progress: Progress) -> Manifest:
    """Read a whole archive and check everything that can be checked. Raises `ArchiveDamaged`, `ArchiveTooNew`."""
    reader = await anyio.to_thread.run_sync(ArchiveReader, file)
    done = 0
    async for batch in batches(reader.rows()):
        done += len(batch)
        progress("checking", done, None)
    assert reader.footer is not None
    return reader.footer.manifest(reader.header)
