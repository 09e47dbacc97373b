"""What a memory's writes come to, as the rows it hands its store: so that the same rows can be written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from memory_provider import Memory
from memory_provider.store.contract import Changes, Loaded, Needs, Plan


@contextmanager
def captured(memory: Memory) -> Iterator[list[Changes]]:
    """The changes of every transaction, in order."""
    kept: list[Changes] = []
    write = memory.store.write

    async def watched(scope: str, needs: Needs, plan: Plan) -> None:
        last: list[Changes] = []

        def noted(loaded: Loaded) -> Changes:
            last[:] = [plan(loaded)]
            return last[0]

        await write(scope, needs, noted)
        kept.extend(last)

    with mock.patch.object(memory.store, "write", watched):
        yield kept
