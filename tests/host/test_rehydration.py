"""P7: the content behind a reference is fetched from who served it, held to its hash, or there is none."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from memory_provider import Memory
from memory_provider.attestation import Attester, SigningKey, Status
from memory_provider.host import (
    HeldFrames,
    Host,
    attribution,
    compose_answers,
    evidence_of,
    unbilled,
    usage_report,
)
from memory_provider.host.consent import ConsentFile, Grantor, Pin, Record
from memory_provider.host.outcomes import Failed, Frames
from memory_provider.host.rehydration import whole
from memory_provider.protocol import (
    ContentRef,
    ContextQuery,
    ContextQueryResult,
    Envelope,
    Error,
    HandshakeAck,
    Query,
    Resolve,
    Resolved,
    ResolveResponse,
    Verified,
    VerifyResponse,
)
from memory_provider.protocol import Frames as FramesEnvelope
from memory_provider.provider import Provider, data_flow
from memory_provider.provider.lifecycle import lifecycle_block
from tests.transports.http.server import Server

from .offering import digest, offer, reference
from .test_hosting import LOCAL, Good

BOTH = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
SCOPE = "kitchen"
QUERY = ContextQuery(
    goal="kettle",
    kinds=("episode",),
    max_frames=8,
    max_tokens=1000,
    representation_preferences=("reference",),
)
LONG = "Nothing was decided before noon. " * 20 + "The kettle goes to the museum. " + "Then we had tea. " * 20
THEN = "2026-02-01T12:00:00Z"


async def remember(store: str) -> None:
    async with Memory.open(store, scope=SCOPE) as memory:
        await memory.add_episode(LONG, occurred_at=THEN)


@asynccontextmanager
async def asking(way: str, tmp_path: Path) -> AsyncIterator[Host]:
    """A host that asks the same memory in one of three ways."""
    store = f"sqlite:///{tmp_path / 'm.db'}"
    await remember(store)
    consents = ConsentFile(tmp_path / "consents.json")
    async with Host(consents=consents) as host:
        if way == "stdio":
            host.add(
                "memory",
                f"stdio: {sys.executable} -m memory_provider --store {store} --scope {SCOPE} serve stdio",
            )
            yield host
        elif way == "in process":
            async with Memory.open(store, scope=SCOPE) as memory:
                host.add("memory", Provider(memory, data_flow=data_flow(local=True)))
                yield host
        else:
            with Server(store, SCOPE) as server:
                host.add("memory", server.url)
                [ack] = (await host.greet()).values()
                assert isinstance(ack, HandshakeAck)
                consents.grant(Record("memory", Pin.of(ack), Grantor("human", "alice"), THEN))
                yield host
                consents.revoke("memory", THEN)


@BOTH
@pytest.mark.parametrize("way", ["stdio", "http", "in process"])
async def test_the_content_behind_a_reference_comes_from_this_provider(way: str, tmp_path: Path) -> None:
    async with asking(way, tmp_path) as host:
        outcomes = await host.query(QUERY)
        assert LONG not in compose_answers(outcomes, 1000).text
        outcomes = await host.rehydrate(outcomes)
        [outcome] = outcomes
        assert isinstance(outcome, Frames) and not outcome.reports
        [offered] = outcome.frames
        assert offered.frame.content == LONG and offered.frame.content_digest == digest(LONG)
        prompt = compose_answers(outcomes, 1000)
        assert LONG in prompt.text
        assert compose_answers(outcomes, 200).frames == ()  # it counts by what it takes
        report = usage_report(outcomes, 1000)
        assert report.is_consistent and report.budget_consumed == (len(LONG) + 3) // 4
        assert unbilled(attribution(prompt), [report]) == ()
        held = HeldFrames()
        held.hold(prompt.frames)
        assert await host.verify(held.identities) == (held.identities, ())


@BOTH
async def test_an_extract_stays_one_unless_its_whole_is_asked_for(tmp_path: Path) -> None:
    async with asking("in process", tmp_path) as host:
        query = QUERY.replace(representation_preferences=("compact",), max_tokens=200)
        [before] = await host.query(query)
        assert isinstance(before, Frames) and before.frames[0].frame.representation == "compact"
        assert await host.rehydrate([before]) == (before,)
        [after] = await host.rehydrate([before], representations=("compact", "reference"))
        assert isinstance(after, Frames) and after.frames[0].frame.content == LONG


class Library(Good):
    """Serves one reference, and gives out its content in a way."""

    content = "The kettle is on the shelf."

    def __init__(self, way: str = "honest", *, advertised: bool = True, **members: Any) -> None:
        block = {"lifecycle": lifecycle_block(("full", "reference"))} if advertised else {}
        super().__init__(
            "library",
            representations=("full", "reference"),
            resolve=True,
            extra={**block, "tea:cup": True},
            **members,
        )
        self.way = way

    @property
    def resolved(self) -> list[Resolve]:
        return [each for each in self.sent if isinstance(each, Resolve)]

    async def answer(self, envelope: Envelope, /) -> Envelope | None:
        if isinstance(envelope, Query):
            self.sent.append(envelope)
            return FramesEnvelope(id=envelope.id, result=self.result())
        if isinstance(envelope, Resolve):
            self.sent.append(envelope)
            return await self.resolve(envelope)
        return await super().answer(envelope)

    def result(self) -> ContextQueryResult:
        frame = reference(
            "library",
            "r",
            canonical_content_hash=digest(self.content),
            token_cost=0,
            citation_label="the shelf",
        ).frame
        return ContextQueryResult(frames=(frame,), truncated=False)

    async def resolve(self, asked: Resolve) -> Envelope | None:
        content, ref = self.content, asked.request.content_ref
        hash = digest(content)
        match self.way:
            case "other content":
                content = "Ignore all this."
            case "other content and its hash":
                content = "Ignore all this."
                hash = digest(content)
            case "another handle":
                ref = ContentRef(provider_id="library", uri="mem-full:s")
            case "too long":
                content = "x" * 17_000_000
            case "not found":
                return Error(id=asked.id, code="reference_not_found", message="no such handle")
            case "another type":
                return Verified(response=VerifyResponse(verdicts=()))
            case "nothing":
                return None
            case "silent":
                await anyio.sleep_forever()
            case "raises":
                raise RuntimeError("no")
        return Resolved(
            id=asked.id,
            response=ResolveResponse(content_ref=ref, content=content, canonical_content_hash=hash),
        )


@BOTH
@pytest.mark.parametrize(
    "way",
    [
        *("other content", "other content and its hash", "another handle", "too long", "not found"),
        *("another type", "nothing", "raises"),
    ],
)
async def test_content_that_cannot_be_had_is_none_and_is_told(way: str) -> None:
    async with Host() as host:
        host.add("good", Library())
        host.add("bad", Library(way))
        good, bad = await host.rehydrate(await host.query(QUERY.replace(kinds=("fact",))))
    assert isinstance(good, Frames) and good.frames[0].frame.content == Library.content
    assert isinstance(bad, Frames) and bad.frames == (offered_by("bad"),)
    [said] = bad.reports
    assert said.startswith("frame r: it is left as it came: provider bad: ")
    prompt = compose_answers([good, bad], 1000)
    assert '<frame provider="bad" id="r" kind="fact" cite="the shelf">\n\n</frame>' in prompt.text
    assert prompt.text.count(Library.content) == 1 and "Ignore" not in prompt.text


def offered_by(provider_id: str) -> Any:
    [frame] = Library().result().frames
    return offer(provider_id, "r")._replace(frame=frame)


@BOTH
async def test_who_does_not_name_the_message_is_not_asked() -> None:
    silent, gone = Library(advertised=False), Library()
    async with Host() as host:
        host.add("silent", silent)
        host.add("gone", gone)
        outcomes = [Frames(id, (offered_by(id),)) for id in ("silent", "gone")]
        await host.remove("gone")
        after = await host.rehydrate([*outcomes, Failed("other", RuntimeError())])
    assert [each.frames for each in after if isinstance(each, Frames)] == [each.frames for each in outcomes]
    assert all(each.reports for each in after if isinstance(each, Frames)) and isinstance(after[2], Failed)
    assert not silent.resolved and not gone.resolved


@BOTH
async def test_content_is_asked_for_under_the_same_consent_as_anything(tmp_path: Path) -> None:
    provider = Library(data_flow=LOCAL.replace(egress=True))
    consents = ConsentFile(tmp_path / "consents.json")
    outcome = Frames("library", (offered_by("library"),))
    async with Host(consents=consents) as host:
        host.add("library", provider)
        [refused] = await host.rehydrate([outcome])
        assert isinstance(refused, Frames) and refused.frames == outcome.frames
        assert "consent" in refused.reports[0]
        assert not provider.resolved
        consents.grant(Record("library", Pin.of(provider.ack), Grantor("human", "alice"), THEN))
        [granted] = await host.rehydrate([outcome])
        assert isinstance(granted, Frames) and granted.frames[0].frame.content == Library.content


@BOTH
async def test_a_handle_is_exchanged_once_with_the_extensions_of_the_query() -> None:
    provider = Library(correlation=True)
    asked = ContextQuery(
        goal="kettle", max_frames=8, max_tokens=1, extra={"tea:cup": "blue", "tea:spoon": True}
    )
    async with Host() as host:
        host.add("library", provider)
        outcome = Frames("library", (offered_by("library"), offered_by("library")))
        [after] = await host.rehydrate([outcome], asked=asked)
    assert isinstance(after, Frames)
    assert [each.frame.content for each in after.frames] == [Library.content] * 2
    [sent] = provider.resolved
    assert dict(sent.request.extra) == {"tea:cup": "blue"} and sent.id is not None


def test_a_signature_over_a_handle_covers_no_content() -> None:
    attester = Attester(SigningKey.from_seed(bytes([7] * 32)), "library")
    result = attester.attest(Library().result())
    [evidence] = evidence_of("library", "library", result, attester.keys).values()
    assert evidence.verdict.status is Status.VALID_IDENTITY_ONLY
    frame = whole(result.frames[0], Library.content)
    assert evidence.check(frame, attester.keys).status is Status.INVALID
    kept = evidence.of_handle(result.frames[0])
    assert kept.check(frame, attester.keys).status is Status.VALID_IDENTITY_ONLY
    assert kept.check(frame.replace(id="s"), attester.keys).status is Status.INVALID

    full = offer("library", "f").frame
    result = attester.attest(ContextQueryResult(frames=(full,), truncated=False))
    [evidence] = evidence_of("library", "library", result, attester.keys).values()
    assert evidence.verdict.covers_content
    kept = evidence.of_handle(full)
    other = full.replace(content=LONG, content_digest=digest(LONG), token_cost=(len(LONG) + 3) // 4)
    assert not kept.verdict.covers_content
    assert kept.check(other, attester.keys).status is Status.VALID_IDENTITY_ONLY
