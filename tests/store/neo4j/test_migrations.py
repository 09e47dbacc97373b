"""Migrations: applied once whoever tries, refused on a newer database, and only looked at by who only looks."""

from __future__ import annotations

import sys

import anyio
import neo4j
import pytest

from memory_provider.resources import directory
from memory_provider.store.conformance.rows import LATEST, fact, load, put, record, record_probe, second, text
from memory_provider.store.contract import Needs
from memory_provider.store.errors import StoreTooNew
from memory_provider.store.neo4j import migrations as applying
from memory_provider.store.neo4j.migrations import migrations
from memory_provider.store.neo4j.queries import KEEP_PLAN, query
from memory_provider.store.opening import store_at
from memory_provider.store.records import IdempotencyRecord
from scripts.neo4j_server import VERSIONS

from .conftest import explained
from .test_plans import LOOK_AT_ALL, SCANS

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

ALL = tuple(each.id for each in migrations())
OPEN = """
import asyncio, sys
from memory_provider.store.opening import store_at

async def main():
    store = store_at(sys.argv[1])
    await store.open()
    sys.stdout.write((await store.secret()).hex())
    await store.close()

asyncio.run(main())
"""


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_fresh_database(start_neo4j, version: str) -> None:
    server = start_neo4j(version)
    store = store_at(server.uri)

    looked = await store.layout()
    assert looked.applied == () and looked.pending == ALL
    assert version in looked.server

    processes = [
        await anyio.open_process([sys.executable, "-c", OPEN, server.uri], stderr=None) for _ in range(4)
    ]
    answers = {await process.stdout.receive() for process in processes}
    assert [await process.wait() for process in processes] == [0] * 4
    assert len(answers) == 1, "one secret, whoever made it"

    assert (await store.layout()).applied == ALL
    await store.open()
    assert (await store.migrate()).pending == ()
    assert list(await store.inspect(None)) == []

    async with neo4j.AsyncGraphDatabase.driver(server.uri) as driver:
        await the_plans_of_an_empty_database_seek(driver)
        counted = await driver.execute_query(
            "MATCH (m:MemoryMigration) WHERE m.id <> 'lock' RETURN m.id AS id, m.applied_at"
        )
        assert sorted(record["id"] for record in counted.records) == list(ALL)

        await driver.execute_query("DROP INDEX memory_fact_key")
        assert ("missing index", None, "memory_fact_key") in await store.inspect(None)
        await driver.execute_query("MATCH (m:MemoryMigration {id: $id}) DELETE m", id="0002-clocks")
        assert (await store.layout()).pending == ("0002-clocks",)
        assert (await store.migrate()).pending == ()
        assert list(await store.inspect(None)) == []

        await driver.execute_query("CREATE (:MemoryMigration {id: '9999-later', applied_at: datetime()})")
        for refused in (store_at(server.uri).open(), store.layout(), store.migrate()):
            with pytest.raises(StoreTooNew, match="9999-later"):
                await refused
    await store.close()


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_database_from_before_context_records(
    start_neo4j, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start_neo4j(version)
    with monkeypatch.context() as older:
        older.setattr(applying, "migrations", lambda: migrations()[:3])
        before = store_at(server.uri)
        await before.open()
        done = IdempotencyRecord("key", "arguments", second(1), None, None, (), ())
        await put(before, "s", second(1), fact("Ann", "likes", text("tea"), second(1)), idempotency=[done])
        await before.close()
    async with neo4j.AsyncGraphDatabase.driver(server.uri) as driver:  # as an older release wrote it
        await driver.execute_query("MATCH (i:Idempotency) REMOVE i.record_ids, i.expires_at")
    store = store_at(server.uri)
    assert (await store.layout()).pending == ("0004-context-records",)
    await store.open()
    await put(store, "s", second(2), records=[record("the kettle is red", second(2))])
    assert (await load(store, "s", Needs(idempotency=["key"]))).idempotency == {"key": done}
    found = (await store.candidates("s", LATEST, record_probe("kettle", facts=5))).found
    assert len(found.records) == 1
    assert list(await store.inspect(None)) == []
    await store.close()


async def the_plans_of_an_empty_database_seek(driver: neo4j.AsyncDriver) -> None:
    """A plan is kept while the database grows, so it must be right from the start."""
    async with driver.session() as session:
        for path in sorted((directory("cypher") / "queries").glob("*.cypher")):
            text = query(path.stem)
            if not text.startswith(KEEP_PLAN):
                continue
            plan = await explained(session, text)
            wrong = [each for each in plan if SCANS.search(each[0])]
            assert bool(wrong) == (path.stem in LOOK_AT_ALL), (path.stem, wrong)
            seeks = [
                details
                for operator, details in plan
                if operator.endswith(("IndexSeek", "IndexSeek(Locking)"))
            ]
            for details in seeks:
                if "f:Fact(scope, recorded_at)" in details:
                    assert path.stem in ("changes", "dump-versions", "history-of-scope", "scopes"), (
                        path.stem,
                        details,
                    )
                if "r:ContextRecord(scope, recorded_at)" in details:
                    assert path.stem in ("changes", "dump-records", "record-bodies", "scopes"), (
                        path.stem,
                        details,
                    )
                if "e:Episode(scope, recorded_at)" in details:
                    assert path.stem in ("changes", "dump-episodes", "episode-texts"), (path.stem, details)
