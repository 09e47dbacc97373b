"""Each call of a store, and each arm of a search, as OpenTelemetry hears of it."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode

from memory_provider import Entity, Memory
from memory_provider.errors import PredicateConflict
from memory_provider.store.conformance import CHECKS, Check, Stores
from memory_provider.store.observed import ObservedStore, scope_hash
from memory_provider.store.opening import store_at

from .conftest import Told

QUESTION = "where does Zebedee live, and where did he move?"
ARMS = ["facts", "episodes", "entities", "relations", "records", "spoken_episodes"]


async def write(memory: Memory) -> None:
    heard = await memory.add_episode("Zebedee: we moved to Lyon!", speaker="Zebedee", session="s1")
    await memory.assert_fact("Zebedee", "lives_in", Entity("Lyon"), episode=heard.episode_id, by="Zebedee")


async def test_a_recall_is_one_round_trip_with_its_arms(told: Told, store_address: str, scope: str) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await write(memory)
        told.exporter.clear()
        told.points()
        found = await memory.at().recall(QUESTION)
        secret = await memory.store.secret()
    system = "neo4j" if store_address.startswith(("bolt", "neo4j")) else "sqlite"
    call = told.one(f"candidates {system}")
    assert call.attributes is not None
    assert call.attributes["db.system.name"] == system
    assert call.attributes["db.operation.name"] == "candidates"
    assert call.attributes["memory_provider.scope.hash"] == scope_hash(secret, scope)
    assert call.status.status_code is StatusCode.UNSET
    if system == "neo4j":
        assert call.kind is SpanKind.CLIENT
        assert call.attributes["server.address"] in ("127.0.0.1", "localhost", "::1")
        assert call.attributes["server.port"]
    else:
        assert call.kind is SpanKind.INTERNAL
    arms = [span for span in told.spans() if span.name.startswith("search ")]
    assert [span.name.removeprefix("search ") for span in arms] == ARMS
    hits = {}
    for span in arms:
        assert span.parent == call.context
        assert span.attributes is not None
        hits[span.attributes["memory_provider.arm"]] = span.attributes["memory_provider.arm.hits"]
        assert span.attributes["memory_provider.arm.timed"] is (system == "sqlite")
        assert call.start_time is not None
        assert call.end_time is not None
        assert span.start_time is not None
        assert span.end_time is not None
        assert call.start_time <= span.start_time <= span.end_time <= call.end_time
    assert hits == {**dict.fromkeys(ARMS, 1), "records": 0}
    assert {frame.kind for frame in found.frames} == {"fact", "episode", "graph"}
    points = told.points()
    counted = {
        point.attributes["memory_provider.arm"]: point.sum for point in points["memory_provider.arm.hits"]
    }
    assert counted == hits
    durations = {
        point.attributes["db.operation.name"]: point for point in points["db.client.operation.duration"]
    }
    assert durations["candidates"].count == 1
    assert call.end_time is not None
    assert call.start_time is not None
    assert durations["candidates"].sum == pytest.approx((call.end_time - call.start_time) / 1e9)


async def test_every_use_of_the_memory_tells_its_round_trips(
    told: Told, store_address: str, scope: str
) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await write(memory)
        view = memory.at()
        [fact] = await view.facts("Zebedee")
        await view.graph("Zebedee")
        await memory.timeline("Zebedee", "lives_in")
        await memory.history("Zebedee")
        await memory.changes()
        await memory.explain(fact)
        await memory.verify([fact])
        await memory.erase(subject="Zebedee", reason="asked to")
        async for _ in memory.store.dump(scope, 10):
            assert told.spans("dump sqlite") == told.spans("dump neo4j") == []
        await memory.store.erase_scope(scope)
    operations = [span.name.split()[0] for span in told.spans() if not span.name.startswith("search ")]
    assert operations[0] == "open"
    assert operations.count("write") == 2
    for operation in ("facts", "neighbourhood", "standing", "history", "changes", "lineage", "held"):
        assert operations.count(operation) == 1, operation
    for operation in ("erase", "dump", "erase_scope"):
        assert operations.count(operation) == 1, operation
    [facts] = [span for span in told.spans() if span.name.startswith("facts ")]
    assert facts.attributes is not None
    assert facts.attributes["db.response.returned_rows"] == 1


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_spans_belong_to_what_the_application_does(told: Told, anyio_backend: str) -> None:
    tracer = trace.get_tracer("application")
    async with Memory.open("memory:", scope="s") as memory:
        await write(memory)
        told.exporter.clear()
        with tracer.start_as_current_span("application") as outer:
            await memory.at().recall(QUESTION)
            assert trace.get_current_span() is outer
        call = told.one("candidates sqlite")
        assert call.parent == outer.get_span_context()
        assert len(told.spans()) == 2 + len(ARMS)


async def test_no_contents_and_no_scope_is_told(told: Told, store_address: str) -> None:
    scope = f"acme/zebedee-{secrets.token_hex(4)}"
    if store_address.startswith("sqlite"):
        directory = Path(store_address.removeprefix("sqlite:///")).parent / "zebedee"
        directory.mkdir()
        store_address = f"sqlite:///{directory / 'memory.db'}"
    async with Memory.open(store_address, scope=scope) as memory:
        await write(memory)
        await memory.at().recall(QUESTION, anchors=["Zebedee"], explain=True)
        await memory.history("Zebedee")
        async for _ in memory.store.dump(scope, 10):
            pass
        with pytest.raises(PredicateConflict) as refused:
            await memory.define_predicate("lives_in", object="integer")
        assert "lives_in" in str(refused.value)
        await memory.store.erase_scope(scope)
    everything = told.everything().lower()
    assert "candidates" in everything
    for word in ("zebedee", "lyon", "lives", "moved", "acme", "memory.db"):
        assert word not in everything, word


async def test_an_error_is_told_by_its_type(told: Told) -> None:
    async with Memory.open("memory:", scope="s") as memory:
        await write(memory)
        told.exporter.clear()
        told.points()
        with pytest.raises(PredicateConflict):
            await memory.define_predicate("lives_in", object="integer")
    call = told.one("write sqlite")
    assert call.attributes is not None
    assert call.attributes["error.type"] == "PredicateConflict"
    assert call.status.status_code is StatusCode.ERROR
    assert call.status.description is None
    assert call.events == ()
    [point] = told.points()["db.client.operation.duration"]
    assert point.attributes["error.type"] == "PredicateConflict"


async def test_a_scope_has_one_hash_on_a_database_and_another_on_the_next(told: Told, tmp_path: Path) -> None:
    async def hash_of(file: str, scope: str) -> object:
        told.exporter.clear()
        async with Memory.open(f"sqlite:///{tmp_path / file}", scope=scope) as memory:
            await memory.at().recall("tea")
        found = told.one("candidates sqlite").attributes
        assert found is not None
        return found["memory_provider.scope.hash"]

    first = await hash_of("a.db", "acme/alice")
    assert await hash_of("a.db", "acme/alice") == first
    assert await hash_of("a.db", "acme/bob") != first
    assert await hash_of("b.db", "acme/alice") != first


async def test_a_dump_that_nobody_reads_to_its_end_ends(told: Told) -> None:
    async with Memory.open("memory:", scope="s") as memory:
        await write(memory)
        told.exporter.clear()
        batches = memory.store.dump("s", 1)
        await anext(batches)
        await batches.aclose()  # type: ignore[attr-defined]
        call = told.one("dump sqlite")
        assert call.status.status_code is StatusCode.UNSET


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_an_observed_store_keeps_the_contract(
    check: Check, told: Told, anyio_backend: str, tmp_path: Path
) -> None:
    def observed() -> ObservedStore:
        store = store_at(f"sqlite:///{tmp_path / 'memory.db'}")
        assert isinstance(store, ObservedStore)
        return store

    async with Stores(observed, shared=True) as stores:
        await check(stores)
