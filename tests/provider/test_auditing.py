"""Of every request to the memory the audit log hears who asked for what, by id, and never what it says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import anyio.lowlevel
import pytest

from memory_provider import Memory
from memory_provider.access import Principal, Right
from memory_provider.access.audit import AuditEntry
from memory_provider.errors import AuditError, StoreUnavailable
from memory_provider.provider import SCOPE, Provider, data_flow

from .records import append, erase, get, record

pytestmark = pytest.mark.anyio

ALICE = Principal("alice", "acme/alice", frozenset({"acme/team"}), frozenset({Right.READ}), "0123456789ab")
WORDS = ("kettle", "shelf", "whistles", "who took")


class Log:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.entries: list[AuditEntry] = []

    def __call__(self, entry: AuditEntry) -> None:
        self.entries.append(entry)


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
async def memory(anyio_backend: str) -> AsyncIterator[Memory]:
    async with Memory.open("memory:", scope="acme/alice") as memory:
        await memory.assert_fact("kettle", "stands on", "shelf")
        await memory.add_episode("The kettle whistles.")
        yield memory


@pytest.fixture
def provider(memory: Memory, log: Log) -> Provider:
    return Provider(memory, data_flow=data_flow(local=True), audit=log)


def query(**members: Any) -> dict[str, Any]:
    asked = {"goal": "who took the kettle", "max_frames": 9, "max_tokens": 900, **members}
    return {"type": "query", "id": "q", "query": asked}


def verify(*ids: str, digest: str = "sha256:x", **members: Any) -> dict[str, Any]:
    frames = [{"provider_id": "p", "frame_id": id, "content_digest": digest} for id in ids]
    return {"type": "verify", "id": "q", "request": {"frames": frames, **members}}


async def reply(provider: Provider, message: Any, principal: Principal | None = ALICE) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(
        (await provider.handle(json.dumps(message).encode(), principal)).data or b"{}"
    )
    return answer


async def test_a_query_is_told_by_the_ids_it_was_served(provider: Provider, log: Log) -> None:
    frames = (await reply(provider, query()))["result"]["frames"]
    assert len(frames) == 2
    ids = tuple(frame["id"] for frame in frames)
    [entry] = log.entries
    assert entry == ("alice", "0123456789ab", "query", "read", "acme/alice", "answered", None, ids)
    assert not any(word in str(entry) for word in WORDS)


async def test_a_verification_is_told_by_the_ids_that_are_known(provider: Provider, log: Log) -> None:
    frames = (await reply(provider, query()))["result"]["frames"]
    ids = [frame["id"] for frame in frames]
    await reply(provider, verify(*ids, "fact_nobodys", "who took the kettle", *ids))
    assert log.entries[-1].operation == "verify"
    assert log.entries[-1].ids == tuple(ids)


async def test_the_scope_is_the_one_that_answered(provider: Provider, log: Log) -> None:
    await reply(provider, query(**{SCOPE: "acme/team"}))
    await reply(provider, query(), None)
    assert [(each.who, each.token, each.scope) for each in log.entries] == [
        ("alice", "0123456789ab", "acme/team"),
        ("local", None, "acme/alice"),
    ]


async def test_a_content_given_out_is_told(provider: Provider, log: Log) -> None:
    frames = (await reply(provider, query(representation_preferences=["reference"])))["result"]["frames"]
    assert frames[0]["content_ref"]
    message = {
        "type": "memory-provider:resolve",
        "id": "q",
        "request": {"content_ref": frames[0]["content_ref"]},
    }
    assert (await reply(provider, message))["type"] == "memory-provider:resolved"
    assert log.entries[-1][2:] == (
        *("memory-provider:resolve", "read", "acme/alice", "answered", None),
        (frames[0]["id"],),
    )


async def test_records_are_told_by_id(provider: Provider, log: Log) -> None:
    writer = ALICE._replace(rights=frozenset(Right))
    wrong = record("kettle-2", record_kind="who took it")
    for message in (
        append(record("kettle-1"), wrong),
        get("kettle-1", "kettle-2", "who took it"),
        erase("kettle-1", "kettle-2", dry_run=True),
        erase("kettle-1", "kettle-2", reason="who took it"),
        get("kettle-1"),
    ):
        await reply(provider, message, writer)
    assert [
        (each.operation.removeprefix("memory-provider:records_"), each.right, each.ids)
        for each in log.entries
    ] == [
        ("append", "write", ("kettle-1",)),
        ("get", "read", ("kettle-1",)),
        ("erase", "erase", ()),
        ("erase", "erase", ("kettle-1",)),
        ("get", "read", ()),
    ]
    assert "who took it" not in str(log.entries)
    assert "blue" not in str(log.entries)


@pytest.mark.parametrize("message", [append(record("x")), get("x"), erase("x")])
async def test_records_that_are_not_granted_are_told(provider: Provider, log: Log, message: Any) -> None:
    await reply(provider, message, ALICE._replace(rights=frozenset()))
    [entry] = log.entries
    assert (entry.outcome, entry.code, entry.ids) == ("refused", "consent_required", ())


async def test_a_write_that_was_given_up_is_told_by_what_was_to_be_written(log: Log) -> None:
    memory: Any = Failing(None)
    provider = Provider(memory, data_flow=data_flow(local=True), audit=log)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(reply, provider, append(record("kettle-1"), record("kettle-2")), None)
        tasks.start_soon(reply, provider, erase("kettle-3"), None)
        while memory.waiting < 2:
            await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    assert {(each.outcome, each.ids) for each in log.entries} == {
        ("interrupted", ("kettle-1", "kettle-2")),
        ("interrupted", ("kettle-3",)),
    }


@pytest.mark.parametrize(
    ("message", "principal", "scope"),
    [
        (query(**{SCOPE: "acme/bob"}), ALICE, "acme/bob"),
        (verify("x", **{SCOPE: "acme/bob"}), ALICE, "acme/bob"),
        (query(**{SCOPE: "acme/bob"}), None, "acme/bob"),
        (query(), ALICE._replace(rights=frozenset()), "acme/alice"),
        (query(embedding=[0.5]), ALICE, "acme/alice"),
    ],
)
async def test_a_refusal_is_told(
    provider: Provider, log: Log, message: Any, principal: Principal | None, scope: str
) -> None:
    assert (await reply(provider, message, principal))["type"] == "error"
    [entry] = log.entries
    assert (entry.outcome, entry.code, entry.scope, entry.ids) == ("refused", "bad_request", scope, ())


async def test_what_asks_nothing_of_the_memory_is_not_told(provider: Provider, log: Log) -> None:
    await reply(provider, {"type": "handshake", "protocol_version": "contextgraph/1.0"})
    await reply(provider, {"type": "shutdown"})
    await reply(provider, {"type": "nonsense", "id": "x"})
    assert log.entries == []


class Failing:
    """A memory that cannot be asked."""

    scope = "acme/alice"

    def __init__(self, problem: BaseException | None) -> None:
        self._problem = problem
        self.waiting = 0

    async def verify(self, frames: Any) -> Any:
        self.waiting += 1
        if self._problem is None:
            await anyio.sleep_forever()
        assert self._problem
        raise self._problem

    async def append_records(self, records: Any, **options: Any) -> Any:
        await self.verify(records)

    async def records(self, ids: Any) -> Any:
        await self.verify(ids)

    def scoped(self, scope: str) -> Failing:
        return self


async def test_a_failure_is_told(log: Log) -> None:
    memory: Any = Failing(StoreUnavailable("gone"))
    await reply(Provider(memory, data_flow=data_flow(local=True), audit=log), verify("x"))
    [entry] = log.entries
    assert (entry.outcome, entry.code, entry.ids) == ("failed", "unavailable", ())


async def test_what_was_given_up_is_told(log: Log) -> None:
    memory: Any = Failing(None)
    provider = Provider(memory, data_flow=data_flow(local=True), audit=log)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(reply, provider, verify("x"))
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    [entry] = log.entries
    assert (entry.outcome, entry.scope) == ("interrupted", "acme/alice")


@pytest.mark.parametrize("message", [query(), verify("x"), query(**{SCOPE: "acme/bob"})])
async def test_nothing_is_answered_that_cannot_be_told(
    memory: Memory, message: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def full(entry: AuditEntry) -> None:
        raise AuditError("the audit log /var/log/audit.jsonl cannot be written: No space left on device")

    answer = await reply(Provider(memory, data_flow=data_flow(local=True), audit=full), message)
    assert (answer["type"], answer["id"], answer["code"]) == ("error", "q", "unavailable")
    assert "/var/log" not in answer["message"]
    assert "/var/log" in caplog.text
