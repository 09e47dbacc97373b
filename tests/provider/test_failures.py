"""When the memory fails: the host hears a code to act on, the log hears the rest, and the next question is answered."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.errors import (
    InvalidInput,
    MemoryProviderError,
    MigrationPending,
    StoreTooNew,
    StoreUnavailable,
)
from memory_provider.provider import Provider, data_flow

from .kettle import GOAL, Kettle
from .wire import assert_valid

pytestmark = pytest.mark.anyio

SECRET = "hunter2 at neo4j://user:hunter2@db and the kettle's contents"
QUERY = {"type": "query", "id": "q", "query": {"goal": GOAL, "max_frames": 4, "max_tokens": 600}}
VERIFY = {
    "type": "verify",
    "id": "v",
    "request": {"frames": [{"provider_id": "p", "frame_id": "fact_x", "content_digest": "d"}]},
}


class Failing:
    """A memory that fails whatever it is asked."""

    scope = "kitchen"

    def __init__(self, problem: BaseException) -> None:
        self.problem = problem

    def at(self, **moment: Any) -> Failing:
        return self

    async def recall(self, query: str, **limits: Any) -> Any:
        raise self.problem

    async def verify(self, frames: Any) -> Any:
        raise self.problem


async def reply_of(memory: Any, message: Any) -> dict[str, Any]:
    reply = await Provider(memory, data_flow=data_flow(local=True)).handle(json.dumps(message).encode())
    assert reply.data
    assert not reply.stop
    return assert_valid(json.loads(reply.data))


@pytest.mark.parametrize("message", [QUERY, VERIFY], ids=["query", "verify"])
@pytest.mark.parametrize(
    ("problem", "code"),
    [
        (StoreUnavailable(SECRET), "unavailable"),
        (MigrationPending(SECRET), "unavailable"),
        (StoreTooNew(SECRET), "internal"),
        (MemoryProviderError(SECRET), "internal"),
        (ValueError(SECRET), "internal"),
        (AssertionError(SECRET), "internal"),
        (RecursionError(SECRET), "internal"),
        (MemoryError(), "internal"),
        (ExceptionGroup("several", [OSError(SECRET), ValueError(SECRET)]), "internal"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
async def test_the_code_is_all_a_host_hears(
    problem: Exception, code: str, message: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        reply = await reply_of(Failing(problem), message)
    assert (reply["type"], reply["code"], reply["id"]) == ("error", code, message["id"])
    for part in ("hunter2", "neo4j", "kettle", "Traceback", "Error", ".py", type(problem).__name__):
        assert part not in reply["message"]
    assert caplog.records, "the log says what it was"


async def test_a_host_hears_its_own_mistakes() -> None:
    reply = await reply_of(
        Failing(InvalidInput("max_frames is a whole number\nfrom 0 up" + "." * 1000)), QUERY
    )
    assert (reply["code"], reply["id"]) == ("bad_request", "q")
    assert reply["message"].startswith("max_frames is a whole number")
    assert len(reply["message"]) <= 400


async def test_a_cancelled_question_is_not_answered() -> None:
    with pytest.raises(KeyboardInterrupt):
        await reply_of(Failing(KeyboardInterrupt()), QUERY)


async def test_a_memory_that_cannot_be_made_is_tried_again(memory: Memory, kettle: Kettle) -> None:
    tries = 0

    def make() -> Memory:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise StoreUnavailable("not yet")
        return memory

    provider = Provider(make, data_flow=data_flow(local=True))

    async def ask() -> dict[str, Any]:
        data = (await provider.handle(json.dumps(QUERY).encode())).data
        return assert_valid(json.loads(data or b""))

    assert tries == 0
    assert (await ask())["code"] == "unavailable"
    assert (await ask())["type"] == "frames"
    assert (await ask())["type"] == "frames"
    assert tries == 2


async def test_an_answer_no_message_can_hold_is_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host may grant more tokens than a message has room for."""
    from memory_provider.provider import fitting

    limit = 100_000
    monkeypatch.setattr(fitting, "MAX_BYTES", limit)
    monkeypatch.setattr(fitting, "SHELL", 1000)
    monkeypatch.setattr("memory_provider.protocol.encoding.MAX_BYTES", limit)
    async with Memory.open("memory:", scope="s") as large:
        for number in range(60):
            await large.add_episode(f"kettle {number} " + '"\\\n' * 700)
        question = {**QUERY, "query": {"goal": "kettle", "max_frames": 1000, "max_tokens": 2**32 - 1}}
        provider = Provider(large, data_flow=data_flow(local=True))
        data = (await provider.handle(json.dumps(question).encode())).data
        assert data
        result = assert_valid(json.loads(data))["result"]
    assert limit / 2 < len(data) <= limit
    assert 0 < len(result["frames"]) < 60
    assert result["truncated"] is True
    assert result["dropped_estimate"] == 60 - len(result["frames"])
