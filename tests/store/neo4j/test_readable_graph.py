"""Someone in a Neo4j console sees a graph they can read."""

from __future__ import annotations

import pytest

from memory_provider import Entity, Memory

from .conftest import Ask


@pytest.fixture
async def memory(anyio_backend: str, neo4j_server, scope: str):
    async with Memory.open(neo4j_server.uri, scope=scope) as opened:
        await opened.define_predicate(
            "lives_in", cardinality="one", object="entity", label="lives in", inverse_label="home of"
        )
        said = await opened.add_episode(
            "We moved to Lyon!", occurred_at="2026-05-02T18:00:00Z", speaker="Alice", session="s1"
        )
        await opened.assert_fact("Alice", "lives_in", Entity("Paris"), valid_from="2020-01-01T00:00:00Z")
        await opened.assert_fact(
            "Alice", "lives_in", Entity("Lyon"), valid_from="2026-04-01T00:00:00Z", episode=said.episode_id
        )
        await opened.assert_fact("Alice", "rides with", Entity("Bob"), valid_from="2021-01-01T00:00:00Z")
        await opened.assert_fact("Alice", "age", 41, valid_from="2026-01-01T00:00:00Z")
        yield opened


async def test_relations_are_edges_with_names_and_dates(memory: Memory, ask: Ask) -> None:
    found = await ask(
        """
        MATCH (who:Entity {scope: $scope, name: 'Alice'})-[r]->(other:Entity)
        WHERE r.superseded_at > timestamp() * 1000
        RETURN who.name, type(r), r.label, other.name, r.since, r.until, r.says ORDER BY r.since
        """,
        scope=memory.scope,
    )
    assert [tuple(row.values()) for row in found] == [
        ("Alice", "LIVES_IN", "lives in", "Paris", "2020-01-01", "2026-04-01", "Alice lives in Paris"),
        ("Alice", "RELATED_TO", "rides with", "Bob", "2021-01-01", None, "Alice rides with Bob"),
        ("Alice", "LIVES_IN", "lives in", "Lyon", "2026-04-01", None, "Alice lives in Lyon"),
    ]


async def test_facts_lead_to_their_entities_sources_and_what_they_replaced(memory: Memory, ask: Ask) -> None:
    (told,) = await ask(
        """
        MATCH (f:Fact)-[:ABOUT]->(who:Entity {scope: $scope, name: 'Alice'}),
              (f)-[:OBJECT]->(where:Entity {name: 'Lyon'}),
              (f)-[:SUPPORTED_BY]->(s:Source)-[:FROM]->(e:Episode)-[:HAS_CHUNK]->(:Chunk),
              (e)-[:SPOKEN_BY]->(who)
        RETURN f.statement AS statement, e.text AS text, s.method AS method
        """,
        scope=memory.scope,
    )
    assert told == {"statement": "Alice lives in Lyon", "text": "We moved to Lyon!", "method": "stated"}
    replaced = await ask(
        """
        MATCH (new:Fact {scope: $scope})-[:SUPERSEDES]->(old:Fact)
        RETURN new.statement AS new, new.since AS since, old.statement AS old, old.until AS until ORDER BY since
        """,
        scope=memory.scope,
    )
    assert [tuple(row.values()) for row in replaced] == [
        ("Alice lives in Paris", "2020-01-01", "Alice lives in Paris", None),
        ("Alice lives in Lyon", "2026-04-01", "Alice lives in Paris", None),
    ]


async def test_an_edge_ends_with_its_fact(memory: Memory, ask: Ask) -> None:
    before = await ask(EDGES, scope=memory.scope, name="Bob")
    assert before == [{"stands": True, "agrees": True}]
    await memory.retract_fact("Alice", "rides with", Entity("Bob"), valid_from=None)
    assert await ask(EDGES, scope=memory.scope, name="Bob") == [{"stands": False, "agrees": True}]
    assert list(await memory.store.inspect(memory.scope)) == []


EDGES = """
MATCH (:Entity {scope: $scope})-[r]->(:Entity {name: $name})
MATCH (f:Fact {scope: $scope, id: r.fact_id, recorded_at: r.recorded_at})
RETURN r.superseded_at = 4611686018427387904 AS stands, r.superseded_at = f.superseded_at AS agrees
"""


async def test_a_strangers_words_become_no_relationship_type(memory: Memory, ask: Ask) -> None:
    await memory.assert_fact("Alice", "zzz made up word", Entity("Bob"), valid_from=None)
    types = await ask("CALL db.relationshipTypes() YIELD relationshipType AS type RETURN type")
    assert not [row for row in types if "ZZZ" in row["type"].upper()]
