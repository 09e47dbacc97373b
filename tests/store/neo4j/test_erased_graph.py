"""Nothing of what was erased is left in any property or index."""

from __future__ import annotations

import pytest

from memory_provider import Entity, Memory
from tests.support.appending import append_record

from .conftest import Ask

EVERYTHING = """
CALL () {
  MATCH (n) WHERE n.scope = $scope OR n.name = $scope RETURN labels(n) AS what, properties(n) AS properties
 UNION ALL
  MATCH (n)-[r]->() WHERE n.scope = $scope RETURN [type(r)] AS what, properties(r) AS properties
}
UNWIND keys(properties) AS key
WITH what, key, properties[key] AS value
RETURN what, key,
  reduce(all = '', x IN CASE WHEN value IS :: LIST<ANY> THEN value ELSE [value] END | all + ' ' + toString(x)) AS value
"""


async def left_of(words: list[str], ask: Ask, scope: str) -> list[object]:
    rows = await ask(EVERYTHING, scope=scope)
    assert rows
    found: list[object] = [row for row in rows for word in words if word in row["value"].lower()]
    for index in (
        *("memory_standing_text", "memory_superseded_text", "memory_chunk_text"),
        *("memory_record_text", "memory_superseded_record_text"),
    ):
        for word in words:
            found += await ask(
                "CALL db.index.fulltext.queryNodes($index, $query) YIELD node WHERE node.scope = $scope RETURN node.id",
                index=index,
                query=f"terms:{word}*" + (f" context:{word}*" if "chunk" in index else ""),
                scope=scope,
            )
    return found


@pytest.fixture
async def memory(anyio_backend: str, neo4j_server, scope: str):
    async with Memory.open(neo4j_server.uri, scope=scope) as opened:
        yield opened


async def test_an_erased_fact_an_episode_and_an_entity(memory: Memory, ask: Ask) -> None:
    await memory.define_predicate("lives_in", cardinality="one", object="entity")
    said = await memory.add_episode("Quetzal moved to Xanadu", speaker="Quetzal", session="s")
    await memory.add_episode("that is nice", speaker="Bob", session="s")
    await memory.assert_fact(
        "Quetzal",
        "lives_in",
        Entity("Xanadu"),
        valid_from=None,
        episode=said.episode_id,
        idempotency_key="Quetzal-1",
    )
    await memory.assert_fact("Quetzal", "lives_in", Entity("Yakutsk"), valid_from="2026-01-01T00:00:00Z")
    await memory.assert_fact("Bob", "zymurgist_of", Entity("Quetzal"), valid_from=None)
    await memory.assert_fact("Bob", "likes", "the Quetzal", valid_from=None)
    words = ["quetzal", "xanadu", "yakutsk", "zymurgist"]
    assert await left_of(words, ask, memory.scope)
    await memory.erase(entity="Quetzal", reason="asked to")
    await memory.erase(subject="Bob", reason="asked to")
    assert await left_of(words, ask, memory.scope) == []
    assert list(await memory.store.inspect(memory.scope)) == []


async def test_an_erased_record(memory: Memory, ask: Ask) -> None:
    await append_record(memory, "rec_1", "the zyzzyva sleeps")
    await append_record(memory, "rec_2", "the zyzzyva wakes")
    await append_record(memory, "rec_3", "the quokka sleeps", lineage="other")
    assert len(await left_of(["zyzzyva"], ask, memory.scope)) > 5
    for record in ("rec_1", "rec_2"):
        await memory.erase(record=record, reason="asked to")
    assert await left_of(["zyzzyva"], ask, memory.scope) == []
    assert await left_of(["quokka"], ask, memory.scope)
    assert list(await memory.store.inspect(memory.scope)) == []


async def test_the_turn_after_an_erased_one_forgets_it(memory: Memory, ask: Ask) -> None:
    said = await memory.add_episode("Quetzalcoatl arrives", speaker="Ann", session="s")
    await memory.add_episode("who arrives?", speaker="Bob", session="s")
    assert len(await left_of(["quetzalcoatl"], ask, memory.scope)) > 3
    await memory.erase(episode=said.episode_id, reason="asked to")
    assert await left_of(["quetzalcoatl"], ask, memory.scope) == []


async def test_an_erased_scope_leaves_no_node(memory: Memory, ask: Ask, scope: str) -> None:
    await memory.add_episode("Quetzalcoatl arrives", speaker="Ann", session="s", idempotency_key="k")
    await memory.assert_fact("Ann", "knows", Entity("Bob"), valid_from=None)
    await memory.assert_fact("Ann", "age", 3, valid_from=None)
    await append_record(memory, "rec_1", "the quokka sleeps")
    await memory.erase(subject="Ann", predicate="age", reason="asked to")
    gone = await memory.store.erase_scope(scope)
    assert gone is not None and gone.facts == 1
    assert await ask("MATCH (n) WHERE n.scope = $scope OR n.name = $scope RETURN n", scope=scope) == []
    assert await memory.store.erase_scope(scope) is None
