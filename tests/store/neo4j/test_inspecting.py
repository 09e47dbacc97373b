"""What someone broke by hand is found."""

from __future__ import annotations

import pytest

from memory_provider import Entity, Memory

from .conftest import Ask

BROKEN = [
    ("MATCH (a:Entity {scope: $scope})-[e:RELATED_TO]->() DELETE e", "fact without its edge"),
    (
        "MATCH (a:Entity {scope: $scope})-[e:RELATED_TO]->() SET e.valid_to = 7",
        "edge with other clocks than its fact",
    ),
    ("MATCH (a:Entity {scope: $scope})-[e:RELATED_TO]->() SET e.fact_id = 'x'", "edge without its fact"),
    ("MATCH (f:Fact {scope: $scope})-[r:ABOUT]->() DELETE r", "fact without its entity"),
    ("MATCH (p:Predicate {scope: $scope}) DELETE p", "fact without its predicate"),
    ("MATCH (f:Fact {scope: $scope}) SET f.valid_from = f.valid_to", "inverted window"),
    ("MATCH (f:Fact {scope: $scope}) SET f.superseded_at = f.recorded_at", "inverted recorded time"),
    ("MATCH (f:Fact {scope: $scope}) REMOVE f:StandingFact", "fact in the wrong full-text index"),
    ("MATCH (s:Source {scope: $scope}) DETACH DELETE s", "fact without a source"),
    ("MATCH (:Fact)-[r:SUPPORTED_BY]->(s:Source {scope: $scope}) DELETE r", "source link without its fact"),
    ("MATCH (s:Source {scope: $scope})-[r:FROM]->() DELETE r", "source link to an episode that is not there"),
    ("MATCH (s:Source {scope: $scope}) SET s.covers_to = s.covers_from", "source link that covers nothing"),
    ("MATCH (c:Chunk {scope: $scope}) DETACH DELETE c", "episode without chunks"),
    ("MATCH (c:Chunk {scope: $scope}) SET c.occurred_at = 7", "chunk whose clocks are not its episode's"),
    ("MATCH (s:Scope {name: $scope}) SET s.clock = 7", "recorded after the clock"),
    (
        "MATCH (f:Fact {scope: $scope})-[:ABOUT]->(e) CREATE (f2:Fact:StandingFact)-[:ABOUT]->(e) "
        "SET f2 = f {.*, recorded_at: f.recorded_at - 1}",
        "two standing versions",
    ),
    (
        "MATCH (f:Fact {scope: $scope, object_type: 'integer'})-[:ABOUT]->(e) "
        "CREATE (f2:Fact:StandingFact)-[:ABOUT]->(e) SET f2 = f {.*, id: 'other', object_text: '8'}",
        "overlapping facts of a predicate of one",
    ),
]


@pytest.mark.parametrize(("damage", "check"), BROKEN, ids=[check for _, check in BROKEN])
async def test_damage_is_found(neo4j_server, scope: str, ask: Ask, damage: str, check: str) -> None:
    async with Memory.open(neo4j_server.uri, scope=scope) as memory:
        await memory.define_predicate("age", cardinality="one", object="integer")
        said = await memory.add_episode("hello", speaker="Ann")
        await memory.assert_fact("Ann", "knows", Entity("Bob"), valid_from=None, episode=said.episode_id)
        await memory.assert_fact("Ann", "age", 7, valid_from=None, episode=said.episode_id)
        assert list(await memory.store.inspect(scope)) == []
        await ask(damage, scope=scope)
        found = await memory.store.inspect(scope)
        assert check in {each.check for each in found}, found
        assert all(each.scope == scope for each in found)
        assert not any("hello" in each.what or "Ann" in each.what for each in found)
        await memory.store.erase_scope(scope)


async def test_rows_without_their_scope_are_found(neo4j_server, scope: str, ask: Ask) -> None:
    async with Memory.open(neo4j_server.uri, scope=scope) as memory:
        await memory.assert_fact("Ann", "age", 7, valid_from=None)
        await ask("MATCH (s:Scope {name: $scope}) DELETE s", scope=scope)
        assert ("rows without their scope", None, "1 of Fact") in await memory.store.inspect(None)
        await memory.assert_fact("Ann", "age", 8, valid_from=None)
        await memory.store.erase_scope(scope)
