"""Whom a host waits for, and how long: on a clock of the test's own, so that it takes no time and depends on none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from memory_provider.host import Host
from memory_provider.host.connections import Connection, InProcessChannel
from memory_provider.host.consent import ConsentFile, Grantor, Pin, Record
from memory_provider.host.errors import (
    AnswerTimeout,
    ConnectionClosed,
    HandshakeTimeout,
    HostError,
    ProviderCrashed,
)
from memory_provider.host.outcomes import ConsentRequired, Failed, Frames
from memory_provider.protocol import ContextQuery, Envelope, Handshake, Query

from .test_hosting import LOCAL, Good
from .test_rehydration import Library
from .virtual_time import backend

QUERY = ContextQuery(goal="kettle", max_frames=8, max_tokens=1000)


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backend(request.param)


class Slow(Good):
    """Takes its time over one type of message."""

    def __init__(self, over: type[Envelope], seconds: float, **capabilities: Any) -> None:
        super().__init__(**capabilities)
        self.over, self.seconds = over, seconds

    async def answer(self, envelope: Envelope, /) -> Envelope | None:
        if isinstance(envelope, self.over):
            await anyio.sleep(self.seconds)
        return await super().answer(envelope)


@pytest.mark.parametrize(
    ("over", "seconds", "expected"),
    [
        (Handshake, 9.9, None),
        (Handshake, 10.1, HandshakeTimeout),
        (Query, 29.9, None),
        (Query, 30.1, AnswerTimeout),
        (Query, float("inf"), AnswerTimeout),
    ],
)
async def test_a_provider_that_is_too_slow_has_failed_and_another_has_not(
    over: type[Envelope], seconds: float, expected: type[HostError] | None
) -> None:
    async with Host() as host:
        host.add("good", Good())
        host.add("slow", Slow(over, seconds))
        begun = anyio.current_time()
        good, slow = await host.query(QUERY)
        took = anyio.current_time() - begun
    assert isinstance(good, Frames) and good.frames
    if expected is None:
        assert isinstance(slow, Frames)
        assert took == pytest.approx(seconds)
    else:
        assert isinstance(slow, Failed) and type(slow.error) is expected
        assert took == pytest.approx(10 if over is Handshake else 30)


async def test_whoever_waits_for_its_turn_waits_no_longer_than_for_an_answer() -> None:
    connection = Connection("p", InProcessChannel("p", Slow(Query, 20)))
    await connection.open()
    came: list[str] = []

    async def ask(goal: str) -> None:
        try:
            await connection.query(QUERY.replace(goal=goal))
            came.append(goal)
        except AnswerTimeout:
            came.append(f"no {goal}")

    async with anyio.create_task_group() as tasks:
        for goal in ("one", "two"):
            tasks.start_soon(ask, goal)
            await anyio.wait_all_tasks_blocked()
    assert came == ["one", "no two"]


async def test_a_provider_that_keeps_failing_is_left_alone_for_longer_and_longer() -> None:
    class Broken(Good):
        async def answer(self, envelope: Envelope, /) -> Envelope | None:
            if isinstance(envelope, Handshake):
                return None
            return await super().answer(envelope)

    connection = Connection("p", InProcessChannel("p", Broken()))
    pauses: list[float] = []
    for _ in range(10):
        paused = anyio.current_time()
        while True:
            try:
                await connection.open()
            except ConnectionClosed:
                await anyio.sleep(0.5)
            except HostError:
                break
        pauses.append(anyio.current_time() - paused)
    assert pauses == [0, 0, 1, 2, 4, 8, 16, 32, 60, 60]


async def test_one_that_raises_over_an_answer_is_asked_again_at_the_next_question() -> None:
    class Crashing(Good):
        crashes = 3

        async def answer(self, envelope: Envelope, /) -> Envelope | None:
            if isinstance(envelope, Query) and self.crashes:
                self.crashes -= 1
                raise RuntimeError("no")
            return await super().answer(envelope)

    async with Host() as host:
        host.add("p", Crashing())
        for _ in range(3):
            [outcome] = await host.query(QUERY)
            assert isinstance(outcome, Failed) and type(outcome.error) is ProviderCrashed
        [outcome] = await host.query(QUERY)
        assert isinstance(outcome, Frames)


async def test_who_may_change_unseen_is_greeted_again_after_a_minute(tmp_path: Path) -> None:
    """Over HTTP nothing tells that another provider answers now; what was consented to is what it said of itself."""
    provider = Good(data_flow=LOCAL.replace(egress=True))
    consents = ConsentFile(tmp_path / "consents.json")
    consents.grant(Record("p", Pin.of(provider.ack), Grantor("human", "alice"), "2026-01-01T00:00:00Z"))

    def greetings() -> int:
        return len([each for each in provider.sent if isinstance(each, Handshake)])

    async with Host(consents=consents) as host:
        host.add("p", provider)
        assert isinstance((await host.query(QUERY))[0], Frames)
        await anyio.sleep(59)
        assert isinstance((await host.query(QUERY))[0], Frames)
        assert greetings() == 1
        await anyio.sleep(2)
        assert isinstance((await host.query(QUERY))[0], Frames)
        assert greetings() == 2
        provider.ack = provider.ack.replace(provider=provider.ack.provider.replace(version="2"))
        await anyio.sleep(61)
        assert isinstance((await host.query(QUERY))[0], ConsentRequired)


async def test_a_question_that_waits_goes_on_when_the_same_provider_is_greeted_again() -> None:
    provider = Slow(Query, 25)
    connection = Connection("p", InProcessChannel("p", provider))
    await connection.open()
    came: list[int] = []

    async def ask() -> None:
        came.append(len((await connection.query(QUERY)).frames))

    async with anyio.create_task_group() as tasks:
        await anyio.sleep(50)
        tasks.start_soon(ask)
        await anyio.sleep(15)
        await connection.open()
    assert came == [1]
    assert len([each for each in provider.sent if isinstance(each, Handshake)]) == 2


async def test_content_that_never_comes_is_none() -> None:
    query = QUERY.replace(representation_preferences=("reference",))
    async with Host() as host:
        host.add("good", Library())
        host.add("silent", Library("silent"))
        begun = anyio.current_time()
        good, silent = await host.rehydrate(await host.query(query))
        assert anyio.current_time() - begun == pytest.approx(30)
    assert isinstance(good, Frames) and good.frames[0].frame.content == Library.content
    assert isinstance(silent, Frames) and silent.frames[0].frame.content is None
    assert "no answer within 30 s" in silent.reports[0]
