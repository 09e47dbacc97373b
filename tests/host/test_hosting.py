"""A host with a good provider and one that does something wrong: the good one's frames are always there."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from memory_provider.host import compose_answers
from memory_provider.host.connections import Connection, InProcessChannel, StdioChannel
from memory_provider.host.connections.processes import scrubbed_environment
from memory_provider.host.consent import ConsentFile, Grantor, Pin, Receipt, Record
from memory_provider.host.errors import (
    AnswerTimeout,
    ConnectionClosed,
    CorrelationMismatch,
    HandshakeTimeout,
    HostError,
    NotOffered,
    ProviderCrashed,
    ProviderError,
    UnexpectedAnswer,
    VersionMismatch,
    WireError,
)
from memory_provider.host.host import Host
from memory_provider.host.outcomes import (
    BudgetLie,
    ConsentRequired,
    ConsentScopeRequired,
    Failed,
    FrameFlood,
    Frames,
    Outcome,
)
from memory_provider.protocol import (
    Capabilities,
    ContextFrame,
    ContextQuery,
    ContextQueryResult,
    DataFlow,
    Envelope,
    Error,
    FrameVerdict,
    Handshake,
    HandshakeAck,
    InvalidMember,
    ProviderInfo,
    Query,
    QueryCapability,
    Verified,
    Verify,
    VerifyResponse,
)
from memory_provider.protocol import Frames as FramesEnvelope

from .offering import offer

pytestmark = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])

ADVERSARY = str(Path(__file__).with_name("adversary.py"))
QUERY = ContextQuery(goal="kettle", max_frames=8, max_tokens=1000)
LOCAL = DataFlow(reads=True, writes=False, egress=False)


def adversary(mode: str, *arguments: str, **options: Any) -> StdioChannel:
    return StdioChannel("bad", [sys.executable, ADVERSARY, mode, *arguments], **options)


class Good:
    """An honest provider, and what it was sent."""

    def __init__(self, name: str = "good", data_flow: DataFlow = LOCAL, **capabilities: Any) -> None:
        self.ack = HandshakeAck(
            protocol_version="contextgraph/1.0",
            provider=ProviderInfo(name=name, version="1", data_flow=data_flow),
            capabilities=Capabilities(query=QueryCapability(kinds=("fact",)), **capabilities),
        )
        self.sent: list[Envelope] = []

    async def answer(self, envelope: Envelope, /) -> Envelope | None:
        self.sent.append(envelope)
        if isinstance(envelope, Handshake):
            return self.ack
        if isinstance(envelope, Query):
            frame = offer("", "g", citation_label="shelf").frame
            return FramesEnvelope(id=envelope.id, result=ContextQueryResult(frames=(frame,), truncated=False))
        if isinstance(envelope, Verify):
            verdicts = tuple(FrameVerdict(frame=frame, status="valid") for frame in envelope.request.frames)
            return Verified(response=VerifyResponse(verdicts=verdicts))
        return None


async def outcomes(mode: str, **options: Any) -> tuple[Outcome, Outcome]:
    async with Host() as host:
        host.add("good", InProcessChannel("good", Good()))
        host.add("bad", adversary(mode, **options))
        good, bad = await host.query(QUERY)
        return good, bad


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("dies", ProviderCrashed),
        ("dies mid-line", ProviderCrashed),
        ("log line", WireError),
        ("endless line", WireError),
        ("version", VersionMismatch),
        ("blank name", WireError),
        ("scope lie", WireError),
        ("environment", WireError),
        ("wrong id", CorrelationMismatch),
        ("no id", CorrelationMismatch),
        ("verdict", UnexpectedAnswer),
        ("error", ProviderError),
        ("budget", BudgetLie),
        ("flood", FrameFlood),
        ("egress", ConsentRequired),
        ("scopes", ConsentScopeRequired),
        ("blank lines", Frames),
        ("honest", Frames),
        ("honest correlated", Frames),
        ("stays", Frames),
    ],
)
async def test_what_one_provider_does_takes_nothing_from_another(mode: str, expected: type) -> None:
    good, bad = await outcomes(mode, grace=0.1)
    assert isinstance(good, Frames) and [each.frame.id for each in good.frames] == ["g"]
    if issubclass(expected, HostError):
        assert isinstance(bad, Failed)
        assert type(bad.error) is expected, bad.error
    else:
        assert type(bad) is expected, bad
    if isinstance(bad, Frames):
        assert [each.frame.id for each in bad.frames] == ["f"]


async def test_a_frame_of_other_bytes_than_its_digest_says_is_set_aside() -> None:
    _, bad = await outcomes("digest")
    assert isinstance(bad, Frames)
    assert [each.frame.id for each in bad.frames] == ["good"]
    assert [each.offered.frame.id for each in bad.quarantined] == ["bad"]


async def test_a_line_is_no_longer_than_the_limit() -> None:
    _, bad = await outcomes("endless line", max_line=100_000)
    assert "100000 bytes" in str(bad)


async def test_a_provider_gets_path_and_home_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "s3cret")
    assert set(scrubbed_environment()) <= {"PATH", "HOME"}
    _, bad = await outcomes("environment")
    assert "PATH" in str(bad) and "SECRET" not in str(bad)


async def test_silence_after_a_handshake_or_a_question_has_an_end() -> None:
    silent = Connection("bad", adversary("silent"), handshake_timeout=0.3)
    with pytest.raises(HandshakeTimeout):
        await silent.open()
    hanging = Connection("bad", adversary("hangs"), timeout=0.3)
    await hanging.open()
    with pytest.raises(AnswerTimeout):
        await hanging.query(QUERY)
    with pytest.raises(ConnectionClosed):  # its answer could still come and be taken for another's
        await hanging.query(QUERY)
    await hanging.close()


@pytest.mark.parametrize("mode", ["drips", "chatters", "hangs"])
async def test_a_provider_that_never_comes_to_an_end_takes_nothing_from_another(mode: str) -> None:
    async with Host() as host:
        host.add("good", Good())
        host.add("bad", adversary(mode), timeout=0.3)
        good, bad = await host.query(QUERY)
    assert isinstance(good, Frames) and [each.frame.id for each in good.frames] == ["g"]
    assert isinstance(bad, Failed) and type(bad.error) is AnswerTimeout


async def test_answers_to_questions_in_flight_find_their_way_in_any_order() -> None:
    connection = Connection("bad", adversary("reversed"))
    await connection.open()
    answered: dict[str, str] = {}

    async def ask(goal: str) -> None:
        answered[goal] = (await connection.query(QUERY.replace(goal=goal))).frames[0].id

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "one")
        tasks.start_soon(ask, "two")
    assert answered == {"one": "one", "two": "two"}
    await connection.close()


async def test_an_answer_that_comes_too_late_is_given_to_nobody(tmp_path: Path) -> None:
    os.mkfifo(heard := tmp_path / "heard")
    connection = Connection("bad", adversary("late", str(heard)))
    await connection.open()

    async def give_up() -> None:
        with anyio.CancelScope() as scope:
            tasks.start_soon(cancel_once_heard, scope)
            await connection.query(QUERY.replace(goal="one"))
        assert scope.cancelled_caught

    async def cancel_once_heard(scope: anyio.CancelScope) -> None:
        async with await anyio.open_file(heard) as pipe:
            assert await pipe.readline() == "heard\n"
        scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(give_up)
    assert (await connection.query(QUERY.replace(goal="two"))).frames[0].id == "two"
    await connection.close()


async def test_a_crashed_provider_is_started_again_and_then_with_pauses() -> None:
    connection = Connection("bad", adversary("dies"))
    for _ in range(2):
        await connection.open()
        with pytest.raises(ProviderCrashed):
            await connection.query(QUERY)
    with pytest.raises(ConnectionClosed, match="not asked again yet"):
        await connection.open()
    await connection.close()


@pytest.mark.parametrize("cancelled", [True, False])
async def test_a_provider_ends_with_all_of_its_group(cancelled: bool, tmp_path: Path) -> None:
    held_open = tmp_path / "held open"
    os.mkfifo(held_open)
    with anyio.CancelScope() as scope:
        async with Host() as host:
            host.add("bad", adversary("child", str(held_open), grace=0.1))
            await host.greet()
            reader = await anyio.open_file(held_open)  # returns once the provider's child has opened it, too
            assert await reader.readline() == "runs\n"
            if cancelled:
                scope.cancel()
                await anyio.sleep_forever()
    assert await reader.read() == ""  # its end is seen when nobody has it open any more
    await reader.aclose()


async def test_who_closes_a_connection_does_not_wait_for_its_greeting(tmp_path: Path) -> None:
    os.mkfifo(held_open := tmp_path / "held open")
    connection = Connection("bad", adversary("silent child", str(held_open)))

    async def greet() -> None:
        with pytest.raises(ConnectionClosed):
            await connection.open()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(greet)
        reader = await anyio.open_file(held_open)
        assert await reader.readline() == "runs\n"
        await connection.close()
    assert await reader.read() == ""
    await reader.aclose()
    with pytest.raises(ConnectionClosed):
        await connection.open()


async def test_an_answer_of_another_type_ends_a_provider_that_does_not_correlate() -> None:
    channel = adversary("verdict")
    connection = Connection("bad", channel)
    await connection.open()
    with pytest.raises(UnexpectedAnswer):
        await connection.query(QUERY)
    assert not channel.is_open  # the answer that was due may come next
    await connection.close()


async def test_X3_a_provider_that_turns_out_to_be_incompatible_is_never_asked_again() -> None:
    class Turning(Good):
        async def answer(self, envelope: Envelope, /) -> Envelope | None:
            answer = await super().answer(envelope)
            if isinstance(envelope, Query):
                return Error(id=envelope.id, code="incompatible_version", message="upgraded")
            return answer

    provider = Turning()
    async with Host() as host:
        host.add("p", provider)
        for _ in range(3):
            [outcome] = await host.query(QUERY)
            assert isinstance(outcome, Failed) and type(outcome.error) is VersionMismatch
    assert [type(each) for each in provider.sent] == [Handshake, Query]


async def test_consent_is_looked_at_in_the_moment_before_something_is_sent(tmp_path: Path) -> None:
    """A provider that does not correlate is asked one question after the other: consent may go while one waits."""
    reached, go_on = anyio.Event(), anyio.Event()

    class Slow(Good):
        async def answer(self, envelope: Envelope, /) -> Envelope | None:
            if isinstance(envelope, Query):
                reached.set()
                await go_on.wait()
            return await super().answer(envelope)

    provider = Slow(data_flow=LOCAL.replace(egress=True), verify=True)
    consents = ConsentFile(tmp_path / "consents.json")
    consents.grant(Record("p", Pin.of(provider.ack), Grantor("human", "alice"), "2026-01-01T00:00:00Z"))
    came: list[object] = []
    async with Host(consents=consents) as host:
        host.add("p", provider)

        async def ask() -> None:
            came.extend(await host.query(QUERY))

        async def verify() -> None:
            came.extend(each.reason for each in (await host.verify([offer("p", "g").identity])).dropped)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await reached.wait()
            tasks.start_soon(ask)
            tasks.start_soon(verify)
            await anyio.wait_all_tasks_blocked()
            consents.revoke("p", "2026-01-02T00:00:00Z")
            go_on.set()
    assert sorted(type(each).__name__ for each in came) == ["ConsentRequired", "Frames", "NotConsented"]
    assert [type(each).__name__ for each in provider.sent if not isinstance(each, Handshake)] == [
        "Query",
        "Shutdown",
    ]


@pytest.mark.parametrize(
    "members",
    [
        {"title": "half of a pair: \ud800"},
        {"id": "\udfff"},
        {"score": "high"},
        {"score": float("nan")},
        {"score": 10**400},
        {"title": None},
        {"provenance": ("file",)},
        {"token_cost": -1},
        {"kind": 7},
    ],
)
async def test_an_object_that_answers_what_no_wire_carries_spoils_nothing(members: dict[str, Any]) -> None:
    class Careless(Good):
        async def answer(self, envelope: Envelope, /) -> Envelope | None:
            answer = await super().answer(envelope)
            if isinstance(answer, FramesEnvelope):
                frame = ContextFrame.trusted({**answer.result.frames[0].__dict__, **members})
                return answer.replace(result=answer.result.replace(frames=(frame,)))
            return answer

    async with Host() as host:
        host.add("good", Good())
        host.add("bad", Careless())
        good, bad = await host.query(QUERY)
    assert isinstance(bad, Failed) and type(bad.error) is WireError
    assert [each.provider_id for each in compose_answers([good, bad], 1000).frames] == ["good"]


async def test_a_provider_that_answers_with_something_else_altogether_has_failed() -> None:
    class Odd(Good):
        async def answer(self, envelope: Envelope, /) -> Any:
            return "frames" if isinstance(envelope, Query) else await super().answer(envelope)

    async with Host() as host:
        host.add("good", Good())
        host.add("odd", Odd())
        good, odd = await host.query(QUERY)
        assert isinstance(good, Frames) and isinstance(odd, Failed) and type(odd.error) is WireError
        good, odd = await host.query(QUERY.replace(goal="half of a pair: \ud800"))
        assert isinstance(good, Failed) and type(good.error) is NotOffered


async def test_before_consent_an_egress_provider_is_sent_nothing_but_a_handshake(tmp_path: Path) -> None:
    provider = Good(data_flow=LOCAL.replace(egress=True), verify=True)
    consents = ConsentFile(tmp_path / "consents.json")
    held = [offer("p", "g").identity]
    async with Host(consents=consents) as host:
        host.add("p", InProcessChannel("p", provider))
        [outcome] = await host.query(QUERY)
        assert isinstance(outcome, ConsentRequired)
        assert not (await host.verify(held)).retained
        assert {type(each) for each in provider.sent} == {Handshake}
        pin = Pin.of(provider.ack)
        consents.grant(Record("p", pin, Grantor("human", "alice"), "2026-01-01T00:00:00Z"))
        [outcome] = await host.query(QUERY)
        assert isinstance(outcome, Frames)
        verification = await host.verify(held)
        assert list(verification.retained) == held  # in this host's name
        [asked] = [each for each in provider.sent if isinstance(each, Verify)]
        assert [each.provider_id for each in asked.request.frames] == ["good"]  # in the provider's (V5)
        consents.revoke("p", "2026-01-02T00:00:00Z")
        [outcome] = await host.query(QUERY)
        assert isinstance(outcome, ConsentRequired)


async def test_each_scope_needs_a_receipt_for_this_very_provider_that_still_holds(tmp_path: Path) -> None:
    flow = LOCAL.replace(egress=True, egress_scopes=("org-tenant", "teapot:vault"))
    provider = Good(data_flow=flow)
    consents = ConsentFile(tmp_path / "consents.json")
    now = [0]
    pin, alice, then = Pin.of(provider.ack), Grantor("human", "alice"), "1969-01-01T00:00:00Z"
    async with Host(consents=consents, now=lambda: now[0]) as host:
        host.add("p", InProcessChannel("p", provider))

        async def missing() -> tuple[str, ...] | None:
            [outcome] = await host.query(QUERY)
            return outcome.missing if isinstance(outcome, ConsentScopeRequired) else None

        consents.grant(Record("p", pin, alice, then))
        assert await missing() == flow.egress_scopes
        consents.grant(Receipt("p", "org-tenant", pin, alice, then, "1970-01-02T00:00:00Z"))
        assert await missing() == ("teapot:vault",)
        consents.grant(Receipt("p", "teapot:vault", pin._replace(version="0"), alice, then))
        assert await missing() == ("teapot:vault",)
        consents.grant(Receipt("p", "teapot:vault", pin, alice, then))
        assert await missing() is None
        now[0] = 86_400_000_000
        assert await missing() == ("org-tenant",)
        now[0] = 0
        consents.revoke("p", then, "teapot:vault")
        assert await missing() == ("teapot:vault",)
        consents.grant(Receipt("p", "teapot:vault", pin, alice, then))
        assert await missing() is None
        assert len(consents.ledger().receipts) == 4  # nothing is ever taken away


async def test_a_provider_gets_of_a_query_what_it_offers() -> None:
    provider = Good(embeddings_fingerprint="m/2", extra={"tea:warm": True})
    query = QUERY.replace(
        embedding=(0.0, 1.0),
        representation_preferences=("compact", "full"),
        extra={"tea:warm": 1, "tea:cold": 2},
    )
    connection = Connection("p", InProcessChannel("p", provider), embedding_fingerprint="m/3")
    ack = await connection.open()
    fitted = connection.fit(query, ack)
    assert set(fitted.withheld) == {"embedding", "representation_preferences", "tea:cold"}
    assert fitted.query == QUERY.replace(extra={"tea:warm": 1})
    with pytest.raises(NotOffered):
        connection.fit(QUERY.replace(representation_preferences=("reference",)), ack)
    with pytest.raises(NotOffered):
        await connection.verify([offer("p", "g").identity])
    same = Connection("p", InProcessChannel("p", provider), embedding_fingerprint="m/2")
    assert same.fit(query, await same.open()).query.embedding == (0.0, 1.0)
    await connection.query(fitted.query)
    [asked] = [each for each in provider.sent if isinstance(each, Query)]
    assert asked.id is None  # it does not correlate (H6)


async def test_a_budget_is_shared_among_those_who_serve_what_is_asked_for() -> None:
    providers = [Good(), Good(), Good()]
    async with Host() as host:
        for number, provider in enumerate(providers):
            host.add(str(number), InProcessChannel(str(number), provider))
        assert len(await host.query(QUERY)) == 3
        asked = [each.query.max_tokens for one in providers for each in one.sent if isinstance(each, Query)]
        assert asked == [334, 333, 333]
        host.add("afar", Good(data_flow=LOCAL.replace(egress=True)))
        host.add("gone", adversary("dies on its feet"))
        await host.query(QUERY)
        assert len(await host.query(QUERY.replace(representation_preferences=("reference",)))) == 5
        asked = [each.query.max_tokens for one in providers for each in one.sent if isinstance(each, Query)]
        assert asked == [334, 334, 333, 333, 333, 333]  # who is not asked takes no share
        await host.remove("gone")
        assert await host.query(QUERY.replace(kinds=("doc",))) == ()


async def test_nothing_is_asked_before_the_handshake() -> None:
    provider = Good(verify=True)
    connection = Connection("p", InProcessChannel("p", provider))
    with pytest.raises(ConnectionClosed):
        await connection.query(QUERY)
    with pytest.raises(ConnectionClosed):
        await connection.verify([offer("p", "g").identity])
    assert provider.sent == []


async def test_two_providers_of_one_name_are_never_taken_for_each_other() -> None:
    one, two = Good("same", verify=True), Good("same", verify=True)
    held = [offer("one", "g").identity, offer("two", "h").identity, offer("same", "i").identity]
    async with Host() as host:
        host.add("one", InProcessChannel("one", one))
        host.add("two", InProcessChannel("two", two))
        verification = await host.verify(held)
    assert list(verification.retained) == held[:2]  # nobody here is called "same"
    for provider, id in ((one, "g"), (two, "h")):
        [asked] = [each for each in provider.sent if isinstance(each, Verify)]
        assert [(each.provider_id, each.frame_id) for each in asked.request.frames] == [("same", id)]


async def test_the_instant_asked_for_is_written_as_the_protocol_has_it() -> None:
    with pytest.raises(InvalidMember):
        QUERY.replace(as_of="2026-07-01T00:00:00+00:00")
