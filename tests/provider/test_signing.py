"""A provider with a key: what it publishes, what it signs, and that nothing else of an answer changes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.attestation import SigningKey, Status, identity_of, verify_result
from memory_provider.protocol import (
    AttesterKey,
    ContextQueryResult,
    Frames,
    HandshakeAck,
    decode,
    parse_timestamp,
)
from memory_provider.provider import EXPLAIN, NAME, Provider, data_flow, fitting

from .kettle import GOAL, Kettle
from .wire import assert_valid

pytestmark = pytest.mark.anyio

KEY = SigningKey.from_seed(bytes([7] * 32))
HANDSHAKE = {"type": "handshake", "protocol_version": "contextgraph/1.0"}


def query(**members: Any) -> dict[str, Any]:
    return {"type": "query", "query": {"goal": GOAL, "max_frames": 8, "max_tokens": 600, **members}}


async def reply(provider: Provider, message: Any) -> bytes:
    data = (await provider.handle(json.dumps(message).encode())).data
    assert data is not None
    assert_valid(json.loads(data))
    return data


async def asked(provider: Provider, message: Any) -> ContextQueryResult:
    envelope = decode(await reply(provider, message))
    assert isinstance(envelope, Frames)
    return envelope.result


@pytest.fixture(scope="module")
def signing(memory: Memory, kettle: Kettle) -> Provider:
    return Provider(memory, data_flow=data_flow(local=True), key=KEY)


async def published(provider: Provider) -> tuple[AttesterKey, ...]:
    acknowledged = decode(await reply(provider, HANDSHAKE))
    assert isinstance(acknowledged, HandshakeAck)
    return acknowledged.attester_keys


async def test_F11_F12_each_frame_and_the_whole_verify_with_the_published_key(signing: Provider) -> None:
    keys = await published(signing)
    assert keys == (KEY.public,)
    result = await asked(signing, query())
    assert len(result.frames) >= 3
    verdicts = verify_result(NAME, result, keys)
    assert {each.status for each in (verdicts.result, *verdicts.frames)} == {Status.VALID}
    for entry in result.frame_attestations:  # F11
        assert entry.attestation is not None
        assert entry.inclusion_proof is not None
    named = {entry.frame for entry in result.frame_attestations}
    assert named == {identity_of(NAME, frame) for frame in result.frames}
    assert result.result_attestation is not None
    parse_timestamp(result.result_attestation.issued_at)  # F4


async def test_F6_frames_are_the_same_with_and_without_a_key(signing: Provider, provider: Provider) -> None:
    """F6: detached. And an unsigned exchange has none of the members of attestation."""
    with_key = json.loads(await reply(signing, query()))["result"]
    without = json.loads(await reply(provider, query()))["result"]
    assert with_key["frames"] == without["frames"]
    assert set(with_key) - set(without) == {"frame_attestations", "result_attestation"}
    assert "attester_keys" not in json.loads(await reply(provider, HANDSHAKE))
    signature = with_key["result_attestation"]["signature"]
    assert signature not in json.dumps(with_key["frames"])


async def test_F14_what_is_signed_by_itself_has_a_digest(signing: Provider) -> None:
    """A reference has none, and is in the root of the whole alone."""
    result = await asked(signing, query(representation_preferences=["reference", "full"]))
    assert {frame.representation for frame in result.frames} == {"reference"}
    assert result.frame_attestations == ()
    assert verify_result(NAME, result, [KEY.public]).result.status is Status.VALID
    mixed = await asked(signing, query(representation_preferences=["full", "reference"], max_tokens=20))
    assert {frame.representation or "full" for frame in mixed.frames} == {"full", "reference"}
    signed = {entry.frame.frame_id for entry in mixed.frame_attestations}
    assert signed == {frame.id for frame in mixed.frames if frame.content_digest is not None}


async def test_an_answer_without_frames_is_not_signed(signing: Provider) -> None:
    for nothing in (query(kinds=["symbol"]), query(max_frames=0), query(max_tokens=0)):
        result = await asked(signing, nothing)
        assert result.frames == result.frame_attestations == ()
        assert result.result_attestation is None


async def test_the_result_s_own_members_stay(signing: Provider) -> None:
    result = await asked(signing, query(**{EXPLAIN: True}))
    assert result.extra[EXPLAIN]
    assert verify_result(NAME, result, [KEY.public]).result.status is Status.VALID


async def test_of_an_extract_the_extract_is_signed(signing: Provider) -> None:
    result = await asked(signing, query(representation_preferences=["compact"]))
    assert "compact" in {frame.representation for frame in result.frames}
    verdicts = verify_result(NAME, result, [KEY.public])
    assert {each.status for each in (verdicts.result, *verdicts.frames)} == {Status.VALID}


async def test_references_are_in_the_signed_result_and_have_no_signature_of_their_own(
    signing: Provider,
) -> None:
    """F14: they have no content, so no digest of it."""
    result = await asked(signing, query(representation_preferences=["reference"]))
    assert {frame.representation for frame in result.frames} == {"reference"}
    assert result.frame_attestations == ()
    verdicts = verify_result(NAME, result, [KEY.public])
    assert verdicts.result.status is Status.VALID
    assert {each.status for each in verdicts.frames} == {Status.UNATTESTED}


async def test_the_secret_is_in_no_answer(signing: Provider) -> None:
    secret = KEY.to_pem().decode().splitlines()[1]
    said = await reply(signing, HANDSHAKE) + await reply(signing, query())
    assert secret not in said.decode()
    assert bytes([7] * 32).hex() not in said.decode()


@pytest.mark.parametrize("lines", [1, 40, 700])
async def test_what_is_shortened_to_fit_a_message_is_signed_as_it_is_sent(
    monkeypatch: pytest.MonkeyPatch, lines: int
) -> None:
    """With little content, most of an answer is signatures and proofs."""
    limit = 100_000
    monkeypatch.setattr(fitting, "MAX_BYTES", limit)
    monkeypatch.setattr(fitting, "SHELL", 1000)
    monkeypatch.setattr("memory_provider.protocol.encoding.MAX_BYTES", limit)
    async with Memory.open("memory:", scope="s") as large:
        async with large.transaction() as transaction:
            for number in range(150):
                transaction.add_episode(f"kettle {number} " + '"\\\n' * lines)
        provider = Provider(large, data_flow=data_flow(local=True), key=KEY)
        data = await reply(provider, query(goal="kettle", max_frames=1000, max_tokens=2**32 - 1))
    envelope = decode(data)
    assert isinstance(envelope, Frames)
    assert limit / 2 < len(data) <= limit
    assert envelope.result.truncated
    assert 0 < len(envelope.result.frames) < 150
    verdicts = verify_result(NAME, envelope.result, [KEY.public])
    assert {each.status for each in (verdicts.result, *verdicts.frames)} == {Status.VALID}
