"""Two turns with a memory that changes in between: what is composed, held, verified and used again."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from memory_provider import Memory
from memory_provider.attestation import SigningKey, Status
from memory_provider.host import (
    Frames,
    HeldFrames,
    Offered,
    attribution,
    cited_in,
    compose_answers,
    evidence_of,
    plan_verification,
    settle,
    usage_report,
)
from memory_provider.host.books.attribution import unbilled
from memory_provider.host.books.verification import Gone, Stale
from memory_provider.protocol import (
    ContextQuery,
    Envelope,
    FrameId,
    FrameVerdict,
    Query,
    Verified,
    Verify,
    VerifyRequest,
    decode,
    encode,
)
from memory_provider.protocol import Frames as FramesEnvelope
from memory_provider.provider import NAME, Provider, data_flow

pytestmark = pytest.mark.anyio

HERE = "tea"
KEY = SigningKey.from_seed(bytes([7] * 32))
NOW = "2026-12-02T00:00:00Z"


async def asked(provider: Provider, envelope: Envelope) -> Envelope:
    data = (await provider.handle(encode(envelope))).data
    assert data is not None
    return decode(data)


async def answered(provider: Provider, goal: str) -> Frames:
    query = ContextQuery(goal=goal, kinds=("fact",), max_frames=8, max_tokens=1000)
    envelope = await asked(provider, Query(query=query))
    assert isinstance(envelope, FramesEnvelope)
    offered = tuple(Offered(HERE, frame) for frame in envelope.result.frames)
    return Frames(HERE, offered, evidence=evidence_of(HERE, NAME, envelope.result, (KEY.public,)))


async def verdicts(provider: Provider, frames: Iterable[FrameId]) -> list[FrameVerdict]:
    """As a connection asks: by the name that the provider declares, and back."""
    declared = tuple(frame.replace(provider_id=NAME) for frame in frames)
    envelope = await asked(provider, Verify(request=VerifyRequest(frames=declared)))
    assert isinstance(envelope, Verified)
    return [
        verdict.replace(frame=verdict.frame.replace(provider_id=HERE))
        for verdict in envelope.response.verdicts
    ]


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_what_changed_is_not_used_again_and_what_did_not_is() -> None:
    async with Memory.open("memory:", scope="kitchen") as memory:
        provider = Provider(memory, data_flow=data_flow(local=True), key=KEY)
        facts: dict[str, str] = {}
        for predicate, value in (("colour", "blue"), ("volume", "two litres"), ("maker", "Ada")):
            written = await memory.assert_fact("kettle", predicate, value, valid_from="2020-01-01T00:00:00Z")
            facts[str(written.fact_id)] = predicate

        first = await answered(provider, "kettle")
        prompt = compose_answers([first], 1000)
        assert {facts[each.frame.id] for each in prompt.frames} == {"colour", "volume", "maker"}
        assert {entry.verdict.status for entry in prompt.audit.entries} == {Status.VALID}
        report = usage_report([first], 1000)
        assert report.is_consistent and report.budget_consumed <= 1000
        answer = f"It is blue [{prompt.citations[0].label}]."
        credited = attribution(prompt, cited_in(prompt, answer))
        assert [each.frame for each in credited if each.cited] == [prompt.citations[0].frame]
        assert unbilled(credited, [report]) == ()
        held = HeldFrames()
        held.hold(prompt.frames, first.evidence)

        await memory.correct_fact("kettle", "volume", "three litres", valid_from="2021-06-01T00:00:00Z")
        await memory.erase(predicate="maker", reason="Ada asks to be forgotten")

        plan = plan_verification(held.identities, {HERE: None})
        verification = settle(plan, {HERE: await verdicts(provider, plan.questions[HERE])})
        reasons = {facts[each.frame.frame_id]: type(each.reason) for each in verification.dropped}
        assert reasons == {"volume": Stale, "maker": Gone}
        again = held.reuse(verification, now=NOW)
        assert [facts[each.frame.id] for each in again.frames] == ["colour"]
        assert held.reuse(verification, now=NOW, as_of="2019-12-31T00:00:00Z").frames == ()

        second = await answered(provider, "kettle volume")
        prompt = compose_answers([second], 1000, reused=again)
        assert "three litres" in prompt.text and prompt.text.count("\nkettle colour blue") == 1
        assert "Ada" not in prompt.text
        assert {entry.verdict.status for entry in prompt.audit.entries} == {Status.VALID}
        (colour,) = again.frames
        assert again.evidence[colour.identity].check(colour.frame, (KEY.public,)).status is Status.VALID
        assert unbilled(attribution(prompt), [report, usage_report([second], 1000)]) == ()
