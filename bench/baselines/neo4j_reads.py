"""The reads on Neo4j by hand: one Cypher text each, in a managed read transaction of the same driver."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import neo4j

from memory_provider.store.neo4j.marks import scope_mark

from .packing import OPEN, Shown, dated, names_in, pack, scaled, words_of


@cache
def cypher(name: str) -> str:
    """A text of this directory."""
    return Path(__file__).with_name(f"{name}.cypher").read_text(encoding="utf-8")


class Neo4jByHand:
    """Reads of one scope. Words reach the index as they are asked; the data's words are their own stems."""

    def __init__(self, uri: str, auth: tuple[str, str] | None, scope: str) -> None:
        self._driver = neo4j.AsyncGraphDatabase.driver(
            uri, auth=auth, notifications_min_severity="OFF", telemetry_disabled=True
        )
        self._bookmarks = neo4j.AsyncGraphDatabase.bookmark_manager()
        self._scope = scope

    async def close(self) -> None:
        await self._driver.close()

    async def facts(self, subject: str, predicate: str, as_of: int) -> list[tuple[Any, list[Any]]]:
        """Facts of a key in view, each with its sources."""
        rows = await self._read("facts", subject=subject, predicate=predicate, as_of=as_of)
        return [(row[:10], row[10]) for row in rows]

    async def recall(self, question: str, as_of: int) -> list[Shown]:
        """What answers a question best."""
        words = words_of(question)
        in_scope = f'+marks:"{scope_mark(self._scope)}"^0'
        ((facts, said, entities, relations),) = await self._read(
            "recall",
            as_of=as_of,
            facts_query=f"{in_scope} +({' '.join(f'terms:{word}' for word in words)})",
            episodes_query=f"{in_scope} +({' '.join(f'terms:{word} context:{word}^0.5' for word in words)})",
            names=names_in(question),
        )
        shown = [
            Shown(row[0], "fact", dated(row[8], row[5], row[6]), row[9], score, row[10])
            for row, score in scaled((row, row[11]) for row in facts)
        ]
        shown += [
            Shown(row[0], "episode", row[1], row[7], score)
            for row, score in scaled((row, row[8]) for row in said)
        ]
        for entity, name in entities:
            now = [row for row in relations if row[0] == entity and row[5] <= as_of < row[6]]
            lines = [f"{row[2]} {row[10]} {row[4]}" for row in now]
            shown.append(Shown(entity, "graph", "\n".join([name, *lines]), "", 1.0, [row[1] for row in now]))
            shown += [
                Shown(row[1], "fact", dated(row[8], row[5], row[6]), row[9], 0.5, row[12]) for row in now
            ]
        return pack(list({each.id: each for each in reversed(shown)}.values()))

    async def digests(self, ids: list[str]) -> dict[str, str]:
        """What facts say now."""
        return {row[0]: row[1] for row in await self._read("digests", ids=ids)}

    async def _read(self, name: str, **parameters: Any) -> list[list[Any]]:
        async def work(tx: neo4j.AsyncManagedTransaction) -> list[list[Any]]:
            result = await tx.run(cypher(name), parameters | {"scope": self._scope, "open": OPEN})
            return [list(record.values()) async for record in result]

        async with self._driver.session(bookmark_manager=self._bookmarks, fetch_size=-1) as session:
            return await session.execute_read(work)
