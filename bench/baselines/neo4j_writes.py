"""The same nodes and relationships into Neo4j by hand: `UNWIND … CREATE`, in one managed write transaction."""

from __future__ import annotations

from typing import Any

import neo4j

from memory_provider.store.contract import Changes
from memory_provider.store.neo4j import encoding
from memory_provider.store.records import NewVersion, Predicate, SourceLink

from .neo4j_reads import cypher

Rows = list[tuple[str, list[dict[str, Any]]]]
"""Names of texts with their rows."""


class Neo4jRows:
    """Makes rows ready: plain maps of a scope's nodes and edges."""

    def __init__(self) -> None:
        self._predicates: dict[str, Predicate] = {}
        self._scope = ""

    def of(self, changes: Changes, scope: str) -> Rows:
        """The rows of one transaction of a scope."""
        self._scope = scope
        self._predicates.update((each.name, each) for each in changes.predicates)
        links = {each.fact_id: each for each in changes.links}
        facts = [each for each in changes.versions if not each.version.object.is_entity]
        relations = [each for each in changes.versions if each.version.object.is_entity]
        rows: Rows = [
            (
                "write-entities",
                [{"scope": self._scope} | encoding.entity_properties(each) for each in changes.entities],
            ),
            ("write-facts", [self._fact(each, links[each.version.id]) for each in facts]),
            ("write-relations", [self._relation(each, links[each.version.id]) for each in relations]),
            ("write-episodes", [self._episode(each) for each in changes.episodes]),
        ]
        return [(name, values) for name, values in rows if values]

    def _fact(self, new: NewVersion, link: SourceLink) -> dict[str, Any]:
        return {
            "fact": {"scope": self._scope} | encoding.fact_properties(self._scope, new),
            "source": {"scope": self._scope} | encoding.source_properties(link),
        }

    def _relation(self, new: NewVersion, link: SourceLink) -> dict[str, Any]:
        row = self._fact(new, link)
        predicate = self._predicates.get(new.version.predicate)
        fact = row["fact"]
        kept = ("since", "until", "valid_from", "valid_to", "recorded_at", "superseded_at")
        edge = {name: fact[name] for name in kept}
        edge |= {
            "label": predicate.label if predicate else "",
            "says": fact["statement"],
            "fact_id": fact["id"],
        }
        return row | {"edge": encoding.edge_type(predicate), "properties": edge}

    def _episode(self, episode: Any) -> dict[str, Any]:
        properties = encoding.episode_properties(self._scope, episode)
        chunk = properties.pop("chunks")[0]
        marks = properties.pop("marks")
        clocks = {name: properties[name] for name in ("occurred_at", "recorded_at")}
        return {
            "episode": {"scope": self._scope} | properties,
            "chunk": {"scope": self._scope, "episode_id": episode.id, "marks": marks} | chunk | clocks,
        }


class Neo4jWriter:
    """Writes rows of one scope."""

    def __init__(self, uri: str, auth: tuple[str, str] | None, scope: str) -> None:
        self._driver = neo4j.AsyncGraphDatabase.driver(
            uri, auth=auth, notifications_min_severity="OFF", telemetry_disabled=True
        )
        self._scope = scope

    async def write(self, rows: Rows) -> None:
        """One transaction; committed when this returns."""

        async def work(tx: neo4j.AsyncManagedTransaction) -> None:
            for name, values in rows:
                await (await tx.run(cypher(name), {"rows": values, "scope": self._scope})).consume()

        async with self._driver.session() as session:
            await session.execute_write(work)

    async def close(self) -> None:
        await self._driver.close()
