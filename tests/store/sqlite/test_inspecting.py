"""What is wrong with a file is found and named by ids."""

from __future__ import annotations

import pytest

from memory_provider.store.conformance.check_carrying import a_life
from memory_provider.store.sqlite.store import SqliteStore

DAMAGE = {
    "inverted window": "UPDATE facts SET valid_from = valid_to + 1 WHERE row_id = 1",
    "inverted recorded time": "UPDATE facts SET superseded_at = recorded_at WHERE row_id = 1",
    "recorded after the clock": "UPDATE scopes SET clock = clock - 1500000",
    "two standing versions": f"UPDATE facts SET superseded_at = {2**62}",
    "versions believed at once": "UPDATE facts SET superseded_at = superseded_at + 1 WHERE row_id = 1",
    "overlapping facts of a predicate of one": f"UPDATE facts SET valid_to = {2**62} WHERE predicate = 'lives'",
    "lines that should be one": "UPDATE facts SET object_text = 'Rome' WHERE object_text = 'Oslo'",
    "fact without its entity": "DELETE FROM entities WHERE name = 'Rome'",
    "fact without its predicate": "DELETE FROM predicates WHERE name = 'phone'",
    "fact without a source": "DELETE FROM links WHERE file_uri IS NOT NULL",
    "source link without its fact": "UPDATE links SET fact_id = 'fact_gone' WHERE file_uri IS NOT NULL",
    "source link to an episode that is not there": "UPDATE links SET episode_id = 'ep_gone' WHERE file_uri IS NOT NULL",
    "source link that covers nothing": "UPDATE links SET covers_to = covers_from WHERE file_uri IS NOT NULL",
    "replacement of a version that is not there": "UPDATE replacements SET replaced_id = 'fact_gone'",
    "episode without chunks": "DELETE FROM chunks WHERE row_id = 1",
    "chunk whose clocks are not its episode's": "UPDATE chunks SET occurred_at = 0 WHERE row_id = 1",
    "two turns at one place of a session": "UPDATE episodes SET position = 1 WHERE session IS NOT NULL",
    "idempotency record of an episode that is not there": "UPDATE idempotency SET episode_id = 'ep_gone'",
    "sizes that were miscounted": "UPDATE scopes SET facts = facts + 1",
    "rows without their scope": "UPDATE tombstones SET scope = 77",
    "full-text index": "UPDATE facts SET terms = terms || ' more' WHERE row_id = 5",
}


@pytest.mark.parametrize("check", DAMAGE)
async def test_damage_is_found(store: SqliteStore, check: str) -> None:
    await a_life(store, "s")
    assert not await store.inspect(None)
    await store._connections.write(lambda connection: connection.execute(DAMAGE[check]))
    found = await store.inspect(None)
    assert check in {each.check for each in found}, found
    assert all("555 0100" not in each.what and "Rome" not in each.what for each in found), (
        "ids, never contents"
    )


@pytest.mark.parametrize(
    "damage",
    [
        "INSERT INTO words_standing (rowid, words) VALUES (999, '1_ 1_ghost')",
        "INSERT INTO words_standing (words_standing, rowid, words) VALUES ('delete', 5, '1_')",
        "INSERT INTO words_said (words_said, rowid, words) VALUES ('delete', 1, '1_ 1_oslo')",
    ],
)
async def test_the_index_is_compared_in_both_directions(store: SqliteStore, damage: str) -> None:
    await a_life(store, "s")
    await store._connections.write(lambda connection: connection.execute(damage))
    assert {each.check for each in await store.inspect(None)} == {"full-text index"}


async def test_only_the_scope_asked_for_is_inspected(store: SqliteStore) -> None:
    await a_life(store, "s")
    await a_life(store, "t")
    await store._connections.write(
        lambda connection: connection.execute("UPDATE facts SET valid_from = valid_to + 1 WHERE scope = 2")
    )
    assert not await store.inspect("s")
    assert {each.scope for each in await store.inspect("t")} == {"t"}
    assert not await store.inspect("never written to")
