"""A provider on PyPI's `contextgraph-sdk`, in a process of its own, over both bindings."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from memory_provider.host import (
    Channel,
    ConsentFile,
    ConsentRequired,
    Failed,
    Frames,
    Grantor,
    Host,
    HttpChannel,
    Pin,
    Record,
    StdioChannel,
    compose_answers,
    usage_report,
)
from memory_provider.host.books.verification import Stale, Unknown
from memory_provider.host.errors import ProviderError
from memory_provider.protocol import ContextQuery, HandshakeAck

from .offering import digest
from .sdk_provider import NOTES

SCRIPT = str(Path(__file__).with_name("sdk_provider.py"))
QUERY = ContextQuery(goal="where is the kettle", max_frames=8, max_tokens=1000)
pytestmark = [
    pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"]),
    pytest.mark.parametrize("binding", ["stdio", "http"]),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where the provider answers."""
    with subprocess.Popen([sys.executable, SCRIPT, "http"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/"
        finally:
            process.kill()


@pytest.fixture
def channel(binding: str, url: str) -> Channel:
    return (
        HttpChannel("notes", url)
        if binding == "http"
        else StdioChannel("notes", [sys.executable, SCRIPT, "stdio"])
    )


async def consented(host: Host, consents: ConsentFile) -> HandshakeAck:
    """Let the provider be asked over HTTP, too."""
    ack = (await host.greet())["notes"]
    assert isinstance(ack, HandshakeAck), ack
    consents.grant(Record("notes", Pin.of(ack), Grantor("human", "ada"), "2026-01-01T00:00:00Z"))
    return ack


async def test_it_is_asked_and_verified(channel: Channel, binding: str, tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "consents.json")
    async with Host(consents=consents) as host:
        host.add("notes", channel)
        before = await host.query(QUERY)
        assert type(before[0]) is (ConsentRequired if binding == "http" else Frames)
        ack = await consented(host, consents)
        assert (ack.protocol_version, ack.provider.name) == ("contextgraph/1.0-draft", "kettle-notes")

        outcomes = await host.query(QUERY)
        [outcome] = outcomes
        assert isinstance(outcome, Frames) and not outcome.quarantined and not outcome.reports
        assert {each.frame.id: each.frame.content for each in outcome.frames} == NOTES
        prompt = compose_answers(outcomes, 1000)
        assert all(content in prompt.text for content in NOTES.values())
        assert usage_report(outcomes, 1000).budget_consumed == sum(
            each.frame.token_cost for each in outcome.frames
        )

        one, two = (each.identity for each in outcome.frames)
        other, nobody = two.replace(content_digest=digest("other")), one.replace(frame_id="note:9")
        verification = await host.verify([one, other, nobody])
        assert verification.retained == (one,)
        assert [each.reason for each in verification.dropped] == [Stale(digest(NOTES["note:2"])), Unknown()]


async def test_it_keeps_to_small_limits(channel: Channel, tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "consents.json")
    async with Host(consents=consents) as host:
        host.add("notes", channel)
        await consented(host, consents)
        for query, count in (
            (QUERY.replace(max_frames=1), 1),
            (QUERY.replace(max_frames=0), 0),
            (QUERY.replace(max_tokens=1), 0),
        ):
            [outcome] = await host.query(query)
            assert isinstance(outcome, Frames) and outcome.truncated
            assert len(outcome.frames) == count and not outcome.quarantined
        assert await host.query(QUERY.replace(kinds=("fact",))) == ()


async def test_its_refusal_is_told(channel: Channel, tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "consents.json")
    async with Host(consents=consents) as host:
        host.add("notes", channel, embedding_fingerprint="kettle/2")
        await consented(host, consents)
        [fine] = await host.query(QUERY.replace(embedding=(0.0, 1.0)))
        assert isinstance(fine, Frames) and fine.withheld == ()
        [refused] = await host.query(QUERY.replace(embedding=(0.0, 1.0, 2.0)))
        assert isinstance(refused, Failed) and isinstance(refused.error, ProviderError)
        assert refused.error.code == "bad_request"
        assert isinstance((await host.query(QUERY))[0], Frames)  # and it goes on


async def test_many_questions_at_once_are_all_answered(channel: Channel, tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "consents.json")
    counts: dict[int, int] = {}
    async with Host(consents=consents) as host:
        host.add("notes", channel)
        await consented(host, consents)

        async def ask(number: int) -> None:
            [outcome] = await host.query(QUERY.replace(max_frames=number % 3))
            assert isinstance(outcome, Frames)
            counts[number] = len(outcome.frames)

        async with anyio.create_task_group() as tasks:
            for number in range(12):
                tasks.start_soon(ask, number)
    assert counts == {number: number % 3 for number in range(12)}
