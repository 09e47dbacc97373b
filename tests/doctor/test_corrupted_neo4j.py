"""Whatever is wrong in a graph is found, and named by ids."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import neo4j
import pytest

from memory_provider import Entity, Memory
from memory_provider.doctor import examine
from memory_provider.temporal.instants import OPEN
from tests.conftest import RunningNeo4j
from tests.support.appending import append_record

pytestmark = pytest.mark.neo4j

SECRET = "zanzibar"


@dataclass
class Story:
    """A small history in a scope of its own, and the ids in it."""

    memory: Memory
    driver: neo4j.Driver
    ids: dict[str, str]

    def change(self, statement: str) -> None:
        """Change the graph behind the store's back; `$scope` and the names of ids are parameters."""
        summary = self.driver.execute_query(
            neo4j.Query(statement), scope=self.memory.scope, open=OPEN, **self.ids
        ).summary
        assert summary.counters.contains_updates, f"nothing changed by {statement}"


@pytest.fixture
async def story(anyio_backend: str, neo4j_server: RunningNeo4j, scope: str) -> AsyncIterator[Story]:
    """The story, written through the memory."""
    async with Memory.open(neo4j_server.uri, scope=scope) as memory:
        await memory.define_predicate("lives_in", cardinality="one", object="entity")
        first = await memory.add_episode(f"I moved to {SECRET}.", speaker="Ann", session="t")
        second = await memory.add_episode(f"And I like {SECRET}.", speaker="Ann", session="t")
        lyon = await memory.assert_fact(
            "Ann",
            "lives_in",
            Entity(f"Lyon {SECRET}"),
            valid_from="2026-01-01T00:00:00Z",
            episode=first.episode_id,
        )
        paris = await memory.assert_fact(
            "Ann", "lives_in", Entity(f"Paris {SECRET}"), valid_from="2026-03-01T00:00:00Z", by="user"
        )
        tea = await memory.assert_fact("Ann", "likes", f"tea {SECRET}", valid_from=None)
        milk = await memory.assert_fact("Ann", "likes", f"milk {SECRET}", valid_from="2026-01-01T00:00:00Z")
        for record in ("rec_1", "rec_2"):
            await append_record(memory, record, f"{record} says {SECRET}")
        receipts: dict[str, Any] = {"lyon": lyon, "paris": paris, "tea": tea, "milk": milk}
        ids = {name: receipt.fact_ids[0] for name, receipt in receipts.items()}
        ids |= {"first": first.episode_id or "", "second": second.episode_id or ""}
        with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as driver:
            yield Story(memory, driver, ids)
        await memory.store.erase_scope(scope)


FACT = "MATCH (f:Fact {{scope: $scope, id: ${0}}}) WHERE f.superseded_at = $open "
RECORD = "MATCH (r:ContextRecord {{scope: $scope, id: '{0}'}}) "
LINK = "MATCH (s:Source {{scope: $scope, fact_id: ${0}}}) "
EDGE = "MATCH (:Entity {{scope: $scope}})-[edge {{fact_id: ${0}}}]->() WHERE edge.superseded_at = $open "

CORRUPTIONS: dict[str, tuple[str, str, str]] = {
    "overlap of a `one` predicate": (
        "overlapping facts of a predicate of one",
        "paris",
        FACT.format("lyon") + "SET f.valid_to = f.valid_to + 60",
    ),
    "inverted window": ("inverted window", "milk", FACT.format("milk") + "SET f.valid_to = f.valid_from - 1"),
    "superseded too early": (
        "inverted recorded time",
        "lyon",
        "MATCH (f:SupersededFact {scope: $scope, id: $lyon}) SET f.superseded_at = f.recorded_at - 1",
    ),
    "clock behind its rows": (
        "recorded after the clock",
        "rec_2",
        "MATCH (s:Scope {name: $scope}) SET s.clock = s.clock - 1",
    ),
    "statement": (
        "digest that does not match",
        "tea",
        FACT.format("tea") + "SET f.statement = 'Ann likes wine'",
    ),
    "text": (
        "digest that does not match",
        "second",
        "MATCH (e:Episode {scope: $scope, id: $second}) SET e.text = reverse(e.text)",
    ),
    "terms": ("search terms of another text", "tea", FACT.format("tea") + "SET f.terms = 'wine'"),
    "context": (
        "context of another turn",
        "second",
        "MATCH (c:Chunk {scope: $scope, episode_id: $second}) SET c.context = 'wine'",
    ),
    "lost link": ("fact that its sources do not cover", "milk", LINK.format("milk") + "DETACH DELETE s"),
    "link to no episode": (
        "source link to an episode that is not there",
        "ep_none",
        LINK.format("milk") + "SET s.episode_id = 'ep_none'",
    ),
    "link without its episode": (
        "source link to an episode that is not there",
        "",
        LINK.format("lyon") + "MATCH (s)-[r:FROM]->() DELETE r",
    ),
    "absorbed by nobody": (
        "absorbed by a fact that was never there",
        "fact_none",
        "MATCH (f:SupersededFact {scope: $scope, id: $lyon}) SET f.absorbed_by = 'fact_none'",
    ),
    "lost entity": (
        "episode without its speaker",
        "first",
        "MATCH (e:Entity {scope: $scope, name: 'Ann'}) DETACH DELETE e",
    ),
    "lost predicate": (
        "fact without its predicate",
        "lyon",
        "MATCH (p:Predicate {scope: $scope, name: 'lives_in'}) DELETE p",
    ),
    "lines that should be one": (
        "lines that should be one",
        "milk",
        "MATCH (t:Fact {scope: $scope, id: $tea}) MATCH (f:Fact {scope: $scope, id: $milk})"
        " SET f.object_text = t.object_text",
    ),
    "fact without its edge": ("fact without its edge", "paris", EDGE.format("paris") + "DELETE edge"),
    "edge with another clock": (
        "edge with other clocks than its fact",
        "paris",
        EDGE.format("paris") + "SET edge.valid_to = 0",
    ),
    "edge without its fact": (
        "edge without its fact",
        "fact_none",
        "MATCH (a:Entity {scope: $scope, name: 'Ann'}), (b:Entity {scope: $scope}) WHERE b.name <> 'Ann'"
        " WITH a, b LIMIT 1 CREATE (a)-[:LIVES_IN {fact_id: 'fact_none', recorded_at: 0}]->(b)",
    ),
    "fact in the wrong index": (
        "fact in the wrong full-text index",
        "tea",
        FACT.format("tea") + "REMOVE f:StandingFact SET f:SupersededFact",
    ),
    "two records of a lineage": (
        "context records believed at once",
        "rec_1",
        RECORD.format("rec_1") + "SET r.superseded_at = $open",
    ),
    "record in the wrong index": (
        "context record in the wrong full-text index",
        "rec_2",
        RECORD.format("rec_2") + "REMOVE r:StandingRecord",
    ),
    "scope without its records": (
        "scope that does not know of its context records",
        "recall",
        "MATCH (s:Scope {name: $scope}) REMOVE s.records",
    ),
    "statement of a record": (
        "digest that does not match",
        "rec_2",
        RECORD.format("rec_2") + "SET r.statement = 'wine'",
    ),
    "lost record": (
        "idempotency record of a context record that is not there",
        "rec_2",
        RECORD.format("rec_2") + "DETACH DELETE r",
    ),
    "fact that search does not find": (
        "answers that differ from what is stored",
        "tea",
        FACT.format("tea") + "SET f.marks = ''",
    ),
}


@pytest.mark.parametrize("what", CORRUPTIONS)
async def test_found_and_named(story: Story, what: str) -> None:
    check, names, statement = CORRUPTIONS[what]
    assert await examine(story.memory.store, story.memory.scope) == []
    story.change(statement)
    findings = await examine(story.memory.store, story.memory.scope)
    named = story.ids.get(names, names)
    assert any(each.check == check and named in each.what for each in findings), findings
    for finding in findings:
        assert SECRET not in finding.what.lower()
        assert finding.scope in (story.memory.scope, None)


async def test_it_only_reads(story: Story) -> None:
    def state() -> list[Any]:
        records = story.driver.execute_query(
            "MATCH (n) WHERE $scope IN [n.scope, n.name] OPTIONAL MATCH (n)-[r]->()"
            " RETURN elementId(n) AS id, properties(n) AS n, labels(n) AS labels, collect(properties(r)) AS r"
            " ORDER BY id",
            scope=story.memory.scope,
        ).records
        return [record.data() for record in records]

    before = state()
    await examine(story.memory.store, story.memory.scope)
    assert state() == before


async def test_a_lost_index(story: Story) -> None:
    (record,) = story.driver.execute_query(
        "SHOW INDEXES YIELD name, createStatement WHERE name = 'memory_fact_alias' RETURN createStatement"
    ).records
    story.driver.execute_query("DROP INDEX memory_fact_alias")
    try:
        findings = await examine(story.memory.store, story.memory.scope)
    finally:
        story.driver.execute_query(neo4j.Query(record["createStatement"]))
        story.driver.execute_query("CALL db.awaitIndexes(60)")
    assert any("memory_fact_alias" in each.what for each in findings), findings
    assert await examine(story.memory.store, story.memory.scope) == []
