"""Compact and reference frames on the wire, and what their handles lead to (the profile's LO-R1 to LO-R3)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.access import Principal, Right
from memory_provider.access.audit import AuditEntry
from memory_provider.memory.text import tokenizing
from memory_provider.protocol import ResolveResponse
from memory_provider.protocol.shapes import read
from memory_provider.provider import KNOWN_AT, SCOPE, Provider, data_flow

from .conftest import Ask
from .kettle import FEBRUARY, GOAL, JULY
from .wire import assert_keeps, assert_valid

pytestmark = pytest.mark.anyio

EVERYTHING = ["full", "compact", "reference"]
READ = frozenset({Right.READ})
NOTHING = "sha256:" + "0" * 64


def query(*preferences: str, **members: Any) -> dict[str, Any]:
    asked = {"goal": GOAL, "max_frames": 50, "max_tokens": 100_000, **members}
    if preferences:
        asked["representation_preferences"] = list(preferences)
    return {"type": "query", "id": "q", "query": asked}


async def frames_of(ask: Ask, *preferences: str, **members: Any) -> list[dict[str, Any]]:
    message = query(*preferences, **members)
    reply = await ask(message)
    assert reply["type"] == "frames", reply
    assert_keeps(reply, message["query"])
    found: list[dict[str, Any]] = reply["result"]["frames"]
    return found


def resolve(frame: dict[str, Any], **members: Any) -> dict[str, Any]:
    """The request for what stands behind a frame."""
    asked = {"content_ref": frame["content_ref"], "canonical_content_hash": frame["canonical_content_hash"]}
    return {"type": "memory-provider:resolve", "id": "r", "request": {**asked, **members}}


async def resolved(ask: Ask, frame: dict[str, Any], **members: Any) -> str:
    """What stands behind a frame, looked at as a careful host would."""
    reply = await ask(resolve(frame, **members))
    assert (reply["type"], reply["id"]) == ("memory-provider:resolved", "r"), reply
    response = read(ResolveResponse, reply["response"])
    assert response.is_intact
    assert response.canonical_content_hash == frame["canonical_content_hash"]
    assert reply["response"]["content_ref"] == frame["content_ref"]
    return response.content


async def code(ask: Ask, message: dict[str, Any]) -> str:
    reply = await ask(message)
    assert (reply["type"], reply["id"]) == ("error", "r"), reply
    found: str = reply["code"]
    return found


async def test_P6_representations_are_advertised_with_resolve(ask: Ask) -> None:
    reply = await ask({"type": "handshake", "protocol_version": "contextgraph/1.0"})
    capabilities = reply["capabilities"]
    assert capabilities["representations"] == EVERYTHING
    assert capabilities["resolve"] is True


async def test_P6_nothing_but_full_frames_comes_unasked(ask: Ask) -> None:
    for preferences in ([], ["full"]):
        frames = await frames_of(ask, *preferences)
        assert frames == await frames_of(ask)
        assert not any("representation" in frame for frame in frames)
    cut = await frames_of(ask, "full", "compact", max_tokens=300)
    assert {frame.get("representation", "full") for frame in cut} == {"full", "compact"}


async def test_P2_a_compact_frame_says_what_it_is_part_of(ask: Ask) -> None:
    frames = [frame for frame in await frames_of(ask, "compact") if "representation" in frame]
    full = {frame["id"]: frame for frame in await frames_of(ask)}
    assert frames
    for frame in frames:
        whole = full[frame["id"]]
        assert frame["representation"] == "compact"
        assert frame["canonical_content_hash"] == whole["content_digest"] != frame["content_digest"]
        assert frame["transform"] == {
            "method": "extract",
            "implementation": "memory-provider",
            "version": "1",
        }
        assert frame["content_fidelity"] == "summarized"
        assert frame["inline_content_requirement"] == "resolvable_reference_allowed"
        assert frame["content_ref"]["provider_id"] == "memory-provider"
        assert frame["content_ref"]["uri"] != frame["uri"]
        assert frame["token_cost"] < whole["token_cost"]
        assert frame["canonical_token_cost"] > 0
        assert frame["tokenizer_ref"] == "tiktoken/cl100k_base"
        same = ("kind", "title", "citation_label", "uri", "valid_from", "recorded_at", "provenance", "score")
        assert {name: frame.get(name) for name in same} == {name: whole.get(name) for name in same}


async def test_P3_a_reference_frame_has_no_content_and_costs_nothing(ask: Ask) -> None:
    full = await frames_of(ask)
    references = await frames_of(ask, "reference", max_tokens=0)
    assert [frame["id"] for frame in references] == [frame["id"] for frame in full]
    for frame, whole in zip(references, full, strict=True):
        assert frame["representation"] == "reference"
        assert frame["canonical_content_hash"] == whole["content_digest"]
        assert frame["content_fidelity"] == "omitted"


async def test_P4_more_evidence_fits_where_less_of_it_is_inline(ask: Ask) -> None:
    minutes = {"goal": "minute decided", "kinds": ["episode"], "max_tokens": 700}
    full = await frames_of(ask, **minutes)
    compact = await frames_of(ask, "compact", "full", **minutes)
    both = await frames_of(ask, "full", "compact", "reference", **minutes)
    assert len(full) < len(compact) < len(both)
    assert len([frame for frame in both if frame.get("representation") != "reference"]) > len(full)


async def test_without_a_vocabulary_the_cost_for_a_model_is_left_out(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizing.token_counter.cache_clear()
    monkeypatch.setattr(tokenizing, "_encoding", lambda: None)
    try:
        frames = await frames_of(ask, "compact", "reference")
    finally:
        tokenizing.token_counter.cache_clear()
    assert frames
    assert not any({"canonical_token_cost", "tokenizer_ref"} & set(frame) for frame in frames)


async def test_P5p_representations_nobody_serves_are_named_as_unsupported(memory: Memory) -> None:
    provider = Provider(memory, data_flow=data_flow(local=True), representations=("full",))

    async def ask(message: dict[str, Any]) -> Any:
        reply = await provider.handle(json.dumps(message).encode())
        assert reply.data
        return assert_valid(json.loads(reply.data))

    handshake = {"type": "handshake", "protocol_version": "contextgraph/1.0"}
    assert (await ask(handshake))["capabilities"]["representations"] == ["full"]
    for wanted in (["reference"], ["compact"], ["compact", "reference"]):
        reply = await ask(query(*wanted))
        assert (reply["code"], reply["id"]) == ("unsupported_representation", "q")
        assert "full" in reply["message"]
    assert await frames_of(ask, "reference", "full") == await frames_of(ask)


async def test_every_handle_leads_to_its_content(ask: Ask) -> None:
    full = {frame["id"]: frame["content"] for frame in await frames_of(ask)}
    frames = [*await frames_of(ask, "reference"), *await frames_of(ask, "compact")]
    handles = [frame for frame in frames if "content_ref" in frame]
    assert {frame["kind"] for frame in handles} == {"fact", "episode", "graph", "memory"}
    for frame in handles:
        assert await resolved(ask, frame) == full[frame["id"]]
    foreign = handles[0]["content_ref"] | {"provider_id": "the host's name for it", "vendor:x": 1}
    reply = await ask(resolve(handles[0], content_ref=foreign, canonical_content_hash=None))
    assert reply["response"]["content"] == full[handles[0]["id"]]
    assert reply["response"]["content_ref"] == foreign, "repeated as it came"


async def test_what_was_known_then_is_resolved_as_it_was_known_then(ask: Ask) -> None:
    then = {KNOWN_AT: FEBRUARY.replace("02-01", "02-05"), "as_of": JULY, "kinds": ["fact"]}
    (frame,) = await frames_of(ask, "reference", **then)
    (full,) = await frames_of(ask, **then)
    assert await resolved(ask, frame) == full["content"]


async def test_another_hash_is_a_mismatch(ask: Ask) -> None:
    frame = (await frames_of(ask, "reference", max_frames=1, kinds=["fact"]))[0]
    assert await code(ask, resolve(frame, canonical_content_hash=NOTHING)) == "content_hash_mismatch"
    uri = frame["content_ref"]["uri"].replace(frame["canonical_content_hash"], NOTHING)
    assert (
        await code(ask, resolve(frame, content_ref={"provider_id": "p", "uri": uri}))
        == "content_hash_mismatch"
    )


async def test_a_dead_handle_is_not_found(ask: Ask) -> None:
    frame = (await frames_of(ask, "reference", max_frames=1, kinds=["fact"]))[0]
    uri: str = frame["content_ref"]["uri"]
    for dead in (
        "",
        "mem-full:42",
        uri + "&",
        uri.replace(frame["id"], "fact_0"),
        uri.replace(frame["id"], "x"),
    ):
        reference = {"provider_id": "memory-provider", "uri": dead}
        assert await code(ask, resolve(frame, content_ref=reference)) == "reference_not_found"
    reply = await ask(
        {"type": "memory-provider:resolve", "id": "r", "request": {"content_ref": {"uri": uri}}}
    )
    assert (reply["code"], reply["id"]) == ("bad_request", "r")


async def test_the_answer_to_a_resolve_is_answered_by_nobody(provider: Provider) -> None:
    message = {"type": "memory-provider:resolved", "id": "r", "response": {}}
    assert (await provider.handle(json.dumps(message).encode())).data is None


# --- what changes, and who asks -----------------------------------------------------------------------------------


@pytest.fixture
async def office(anyio_backend: str) -> AsyncIterator[Memory]:
    async with Memory.open("memory:", scope="office") as memory:
        yield memory


def asking(provider: Provider, principal: Principal | None = None) -> Ask:
    async def ask(message: Any) -> Any:
        reply = await provider.handle(json.dumps(message).encode(), principal)
        assert reply.data
        return json.loads(reply.data)

    return ask


async def test_V2p_a_compact_frame_is_verified_by_what_it_says(office: Memory) -> None:
    ask = asking(Provider(office, data_flow=data_flow(local=True)))
    minutes = " ".join(f"Minute {n}: the kettle was decided upon again." for n in range(40))
    receipt = await office.add_episode(minutes, occurred_at=FEBRUARY)
    (frame,) = await frames_of(ask, "compact")
    (other,) = await frames_of(ask, "compact", max_tokens=80)
    (reference,) = await frames_of(ask, "reference")
    held = [
        (frame["content_digest"], "valid"),
        (other["content_digest"], "valid"),
        (frame["canonical_content_hash"], "valid"),
        (NOTHING, "stale"),
        (frame["content_digest"] + "-mutated", "stale"),
        (reference.get("content_digest"), "unknown"),
    ]

    async def verdicts() -> list[dict[str, Any]]:
        named: list[dict[str, Any]] = [
            {"provider_id": "p", "frame_id": receipt.episode_id}
            | ({"content_digest": digest} if digest else {})
            for digest, _ in held
        ]
        reply = await ask({"type": "verify", "request": {"frames": named}})
        found: list[dict[str, Any]] = reply["response"]["verdicts"]
        assert [each["frame"] for each in found] == named
        return found

    found = await verdicts()
    assert [each["status"] for each in found] == [status for _, status in held]
    assert {each.get("replacement_digest") for each in found} == {None, frame["canonical_content_hash"]}
    await office.erase(episode=receipt.episode_id, reason="asked to")
    assert [each["status"] for each in await verdicts()] == ["gone"] * 5 + ["unknown"]
    assert await code(ask, resolve(frame)) == "reference_expired"
    assert await code(ask, resolve(reference)) == "reference_expired"


async def test_what_has_changed_since_is_a_mismatch(office: Memory) -> None:
    ask = asking(Provider(office, data_flow=data_flow(local=True)))
    await office.define_predicate("kept_on", cardinality="one")
    await office.assert_fact("kettle", "kept_on", "shelf", valid_from=None)
    (frame,) = await frames_of(ask, "reference")
    assert await resolved(ask, frame) == "kettle kept on shelf (at all times)"
    await office.assert_fact("kettle", "kept_on", "stove", valid_from=FEBRUARY)
    assert await code(ask, resolve(frame)) == "content_hash_mismatch"


async def test_a_handle_leads_nowhere_in_another_scope(office: Memory) -> None:
    await office.add_episode("The kettle is on the shelf.", occurred_at=FEBRUARY)
    await office.scoped("kitchen").add_episode("The kettle is on the stove.", occurred_at=FEBRUARY)
    told: list[AuditEntry] = []
    provider = Provider(office, data_flow=data_flow(local=True), audit=told.append)
    boss = Principal("boss", "office", frozenset({"kitchen"}), READ)
    cook = Principal("cook", "kitchen", rights=READ)
    (frame,) = await frames_of(asking(provider, boss), "reference")
    (there,) = await frames_of(asking(provider, boss), "reference", **{SCOPE: "kitchen"})
    assert await resolved(asking(provider, boss), frame) == "The kettle is on the shelf."
    assert told[-1].ids == (frame["id"],)
    assert told[-1].outcome == "answered"
    assert (
        await resolved(asking(provider, boss), there, **{SCOPE: "kitchen"}) == "The kettle is on the stove."
    )
    nowhere = frame["content_ref"]["uri"].replace(frame["id"], "ep_" + "0" * 26)
    mine = await asking(provider, cook)(resolve(frame))
    none = await asking(provider, cook)(resolve(frame, content_ref={"provider_id": "p", "uri": nowhere}))
    assert mine["code"] == none["code"] == "reference_not_found"
    assert mine["message"].replace(frame["id"], "") == none["message"].replace("ep_" + "0" * 26, "")
    assert await code(asking(provider, boss), resolve(there)) == "reference_not_found"
    assert await code(asking(provider, cook), resolve(frame, **{SCOPE: "office"})) == "scope_denied"
    assert sha256(b"The kettle is on the shelf.").hexdigest() not in repr(told)
