"""The stores that are measured, each beside what one would write by hand on it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from memory_provider import Memory

from .corpus import Corpus
from .loading import load

SCOPE = "bench/main"


class ByHand(Protocol):
    """The reads of one scope, by hand. Instants are microseconds since 1970."""

    async def facts(
        self, subject: str, predicate: str, as_of: int
    ) -> Sequence[tuple[Any, Sequence[Any]]]: ...

    async def recall(self, question: str, as_of: int) -> Sequence[Any]: ...

    async def digests(self, ids: list[str]) -> dict[str, str]: ...


@dataclass
class Measured:
    """A store with the data in it."""

    name: str
    url: str
    corpus: Corpus
    memory: Memory
    by_hand: ByHand
    path: Path | None = None
    """The file, on SQLite."""
    java: str = ""
    """The Java, on a Neo4j started here."""
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack, repr=False)

    async def open(self, scope: str) -> Memory:
        """Another scope of the store, closed at the end."""
        return await self._stack.enter_async_context(Memory.open(self.url, scope=scope))


@asynccontextmanager
async def sqlite(directory: Path, corpus: Corpus) -> AsyncIterator[Measured]:
    """A file in `directory`, made if it is not there, and its copy for the baseline."""
    import sqlite3

    from .baselines.sqlite_reads import SqliteByHand, by_hand

    path = directory / f"memory-{corpus.facts}.db"
    copy = directory / f"by-hand-{corpus.facts}.db"
    url = f"sqlite:///{path}"
    async with AsyncExitStack() as stack:
        memory = await stack.enter_async_context(Memory.open(url, scope=SCOPE))
        await load(memory, corpus)
        by_hand(path, copy)
        baseline = SqliteByHand(copy, SCOPE)
        stack.callback(baseline.close)
        yield Measured(f"SQLite {sqlite3.sqlite_version}", url, corpus, memory, baseline, path, _stack=stack)


@asynccontextmanager
async def neo4j(
    version: str, directory: Path, corpus: Corpus, uri: str | None = None
) -> AsyncIterator[Measured]:
    """A server of its own on data in `directory`, or the server at `uri` with the credentials of the environment."""
    from scripts import neo4j_server

    from .baselines.neo4j_reads import Neo4jByHand

    async with AsyncExitStack() as stack:
        java = ""
        if uri is None:
            neo4j_server.prepare(version)
            settings = {"server.memory.pagecache.size": "512m"}
            server = neo4j_server.start(
                version, directory / f"neo4j-{version}-{corpus.facts}", heap="1g", settings=settings
            )
            stack.callback(server.stop)
            java = "" if neo4j_server.uses_docker() else f"Java {neo4j_server.java_for(version).major}"
            uri = server.uri
        memory = await stack.enter_async_context(Memory.open(uri, scope=SCOPE))
        await load(memory, corpus)
        by_hand = Neo4jByHand(uri, auth(), SCOPE)
        stack.push_async_callback(by_hand.close)
        name = (await memory.store.layout()).server.replace("/", " ")
        yield Measured(name, uri, corpus, memory, by_hand, java=java, _stack=stack)


def auth() -> tuple[str, str] | None:
    """The credentials of the environment."""
    password = os.environ.get("NEO4J_PASSWORD")
    return (os.environ.get("NEO4J_USERNAME", "neo4j"), password) if password else None
