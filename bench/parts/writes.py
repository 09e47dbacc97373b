"""Writing in transactions of a thousand, and one at a time, beside the same rows by hand."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from statistics import median
from typing import Any

import anyio

from memory_provider import Memory
from memory_provider.store.contract import Changes

from ..capturing import captured
from ..corpus import Corpus
from ..loading import TRANSACTION, add_claims, add_episodes, declare, in_batches, progress
from ..measuring import Comparison, Effort, clock, timings
from ..results import Row, shown
from ..stores import Measured, auth

PART = "Writing in transactions of 1,000"
SINGLE = "Single durable writes"
BATCHES = 20
WRITERS = 8


@dataclass
class Bench:
    """Where both sides write: data like the measured one beneath, and nothing of it changed."""

    name: str
    url: str
    token: str
    target: float
    open_writer: Callable[[str], Awaitable[Any]]
    rows: Any
    """Makes the rows of a transaction ready for a writer."""

    def scope(self, name: str) -> str:
        return f"bench/{name}-{self.token}"


async def run(measured: Measured, effort: Effort) -> AsyncIterator[Row]:
    """Transactions of a thousand facts, and of a thousand episodes."""
    count = min(BATCHES, max(1, measured.corpus.facts // 5000))
    corpus = Corpus(min(count * TRANSACTION, measured.corpus.facts), seed=measured.corpus.seed + 1)
    async with _bench(measured) as bench, Memory.open(bench.url, scope=bench.scope("ours")) as memory:
        by_hand = bench.scope("by-hand")
        writer = await bench.open_writer(by_hand)
        with captured(memory) as declared:
            await declare(memory)
        for each in declared:
            await writer.write(bench.rows.of(each, by_hand))
        ids: list[str] = []

        async def ours_episodes(said: Any) -> None:
            ids.extend(await add_episodes(memory, said))

        async def ours_facts(claims: Any) -> None:
            await add_claims(memory, claims, ids)

        async def by_turns(ours: Any, batches: Sequence[Any]) -> Comparison:
            seconds: tuple[list[float], list[float]] = ([], [])
            gc.collect()
            gc.freeze()
            for batch in batches:
                with captured(memory) as changes:
                    began = clock()
                    await ours(batch)
                    seconds[0].append(clock() - began)
                ready = bench.rows.of(changes[-1], by_hand)
                began = clock()
                await writer.write(ready)
                seconds[1].append(clock() - began)
                progress(f"{measured.name}: {sum(seconds[0]):.1f} s and {sum(seconds[1]):.1f} s")
            each = [base / ours for ours, base in zip(*seconds, strict=True)]
            ratio = median(seconds[1]) / median(seconds[0])
            return Comparison(timings(seconds[0]), timings(seconds[1]), ratio, min(each), max(each))

        said = list(in_batches(corpus.said()))
        claims = list(in_batches(corpus.claims()))
        for what, ours, batches in (
            ("episodes", ours_episodes, said),
            ("facts with sources", ours_facts, claims),
        ):
            found = await by_turns(ours, batches)
            size = len(batches[0])
            yield Row(
                PART,
                measured.name,
                f"{size:,} {what}",
                f"{shown(found.ours)}, {size / found.ours.median * 1000:,.0f} a second",
                f"{shown(found.base)}, {size / found.base.median * 1000:,.0f} a second",
                found.ratio,
                "of by hand",
                f"{found.lowest:.2f}–{found.highest:.2f}",
                f">= {bench.target}",
                f"{len(batches)} transactions",
            )
        await _close(writer)


async def run_single(measured: Measured, effort: Effort) -> AsyncIterator[Row]:
    """A fact a transaction: one writer; eight on one scope; eight on a scope each."""
    each = max(2, effort.calls // WRITERS)
    async with _bench(measured) as bench:
        for name, writers, scopes in (
            ("one writer", 1, 1),
            ("eight, one scope", 8, 1),
            ("eight, eight scopes", 8, 8),
        ):
            ours, theirs = [], []
            for number in range(max(1, effort.rounds // 2) + 1):
                label = f"{name.replace(', ', '-').replace(' ', '-')}-{number}"
                rate, changes = await _ours(bench, label, writers, scopes, each * WRITERS // writers)
                base = await _by_hand(bench, label, changes, scopes)
                if number:  # the first warms both
                    ours.append(rate)
                    theirs.append(base)
                progress(f"{measured.name}: {name}: {rate:.0f} and {base:.0f} a second")
            yield Row(
                SINGLE,
                measured.name,
                name,
                f"{median(ours):,.0f} a second",
                f"{median(theirs):,.0f} a second",
                median(ours) / median(theirs),
                "of by hand",
            )


async def _ours(
    bench: Bench, label: str, writers: int, scopes: int, each: int
) -> tuple[float, list[list[Changes]]]:
    """Facts a second, and what every writer wrote."""
    async with AsyncExitStack() as stack:
        memories = [
            await stack.enter_async_context(
                Memory.open(bench.url, scope=bench.scope(f"{label}-{i % scopes}"))
            )
            for i in range(writers)
        ]
        for memory in memories[:scopes]:
            await memory.define_predicate("state", cardinality="one", object="text", label="is")
            await memory.add_episode("The first word.", speaker="Nobody")

        async def work(number: int, memory: Memory) -> None:
            for turn in range(each):
                await memory.assert_fact(f"Thing {number}.{turn}", "state", "as it should be", by="bench")

        kept = [stack.enter_context(captured(memory)) for memory in memories]
        began = clock()
        async with anyio.create_task_group() as group:
            for number, memory in enumerate(memories):
                group.start_soon(work, number, memory)
        return writers * each / (clock() - began), kept


async def _by_hand(bench: Bench, label: str, changes: list[list[Changes]], scopes: int) -> float:
    """The same rows a second, each transaction of its own, by as many writers."""
    names = [bench.scope(f"by-hand-{label}-{i}") for i in range(scopes)]
    ready = [[bench.rows.of(each, names[i % scopes]) for each in its] for i, its in enumerate(changes)]
    writers = [await bench.open_writer(names[i % scopes]) for i in range(len(changes))]

    async def work(writer: Any, its: list[Any]) -> None:
        for each in its:
            await writer.write(each)

    began = clock()
    async with anyio.create_task_group() as group:
        for writer, its in zip(writers, ready, strict=True):
            group.start_soon(work, writer, its)
    took = clock() - began
    for writer in writers:
        await _close(writer)
    return sum(map(len, ready)) / took


@asynccontextmanager
async def _bench(measured: Measured) -> AsyncIterator[Bench]:
    token = token_hex(4)
    if measured.path:
        from ..baselines.sqlite_writes import SqliteRows, SqliteWriter

        ours, raw = (measured.path.with_name(f"{side}-{token}.db") for side in ("ours", "raw"))
        for copy in (ours, raw):
            _copy(measured.path, copy)

        async def open_file(scope: str) -> SqliteWriter:
            return SqliteWriter(raw)

        try:
            yield Bench(
                measured.name,
                f"sqlite:///{ours}",
                token,
                0.3,
                open_file,
                SqliteRows(raw),
            )
        finally:
            for copy in (ours, raw):
                for suffix in ("", "-wal", "-shm"):
                    copy.with_name(copy.name + suffix).unlink(missing_ok=True)
    else:
        from ..baselines.neo4j_writes import Neo4jRows, Neo4jWriter

        async def open_driver(scope: str) -> Neo4jWriter:
            writer = Neo4jWriter(measured.url, auth(), scope)
            await writer.write([])
            return writer

        try:
            yield Bench(measured.name, measured.url, token, 0.5, open_driver, Neo4jRows())
        finally:
            for scope in await measured.memory.store.scopes():
                if scope.name.endswith(token) or f"-{token}" in scope.name:
                    await measured.memory.store.erase_scope(scope.name)


def _copy(source: Path, target: Path) -> None:
    import sqlite3

    with sqlite3.connect(source) as memory, sqlite3.connect(target) as copy:
        memory.backup(copy)


async def _close(writer: Any) -> None:
    closing = writer.close()
    if closing is not None:
        await closing
