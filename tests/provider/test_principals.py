"""Who asks decides what is answered from which scope, and a refusal tells nothing about the scope."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.access import ALL_RIGHTS, EVERY_SCOPE, Principal, Right
from memory_provider.provider import SCOPE, Provider, data_flow

from .wire import assert_valid

pytestmark = pytest.mark.anyio

OWN, GRANTED, FOREIGN, MISSING = "acme/alice", "acme/team", "acme/bob", "acme/nobody"
ALICE = Principal("alice", OWN, frozenset({GRANTED}), frozenset({Right.READ}))
HELD = {"provider_id": "p", "frame_id": "fact_x", "content_digest": "sha256:x"}


@pytest.fixture(scope="module")
async def provider(anyio_backend: str) -> AsyncIterator[Provider]:
    async with Memory.open("memory:", scope="first") as memory:
        for scope in ("first", OWN, GRANTED, FOREIGN):
            await memory.scoped(scope).assert_fact("kettle", "known in", scope)
        yield Provider(memory, data_flow=data_flow(local=True))


def query(scope: Any = None) -> dict[str, Any]:
    members: dict[str, Any] = {"goal": "kettle", "kinds": ["fact"], "max_frames": 9, "max_tokens": 900}
    return {"type": "query", "id": "q", "query": members if scope is None else {**members, SCOPE: scope}}


def verify(scope: Any = None) -> dict[str, Any]:
    request: dict[str, Any] = {"frames": [HELD]}
    return {"type": "verify", "id": "q", "request": request if scope is None else {**request, SCOPE: scope}}


async def reply(provider: Provider, message: Any, principal: Principal | None) -> dict[str, Any]:
    data = (await provider.handle(json.dumps(message).encode(), principal)).data
    assert data
    return assert_valid(json.loads(data))


async def served(provider: Provider, scope: Any, principal: Principal | None) -> str:
    """The scope that a query is answered from."""
    [frame] = (await reply(provider, query(scope), principal))["result"]["frames"]
    content: str = frame["content"]
    return content.removeprefix("kettle known in ").partition(" ")[0]


async def test_who_asks_is_answered_from_its_own_scope(provider: Provider) -> None:
    assert await served(provider, None, ALICE) == OWN
    assert await served(provider, OWN, ALICE) == OWN
    assert await served(provider, GRANTED, ALICE) == GRANTED


async def test_every_scope_may_be_granted(provider: Provider) -> None:
    principal = ALICE._replace(scopes=frozenset({EVERY_SCOPE}))
    assert await served(provider, FOREIGN, principal) == FOREIGN
    assert (await reply(provider, query(MISSING), principal))["result"]["frames"] == []
    assert (await reply(provider, query(""), principal))["code"] == "bad_request"


async def test_whoever_started_the_process_has_the_one_scope(provider: Provider) -> None:
    assert await served(provider, None, None) == "first"
    assert await served(provider, "first", None) == "first"
    assert (await reply(provider, query(OWN), None))["code"] == "bad_request"


@pytest.mark.parametrize("message", [query, verify])
async def test_a_scope_out_of_reach_is_the_same_as_none(provider: Provider, message: Any) -> None:
    for principal in (ALICE, None):
        refusals = [
            await reply(provider, message(scope), principal) for scope in (FOREIGN, MISSING, "", "*", "\x00")
        ]
        assert refusals[0]["code"] == "bad_request"
        assert FOREIGN not in json.dumps(refusals)
        assert all(each == refusals[0] for each in refusals)


@pytest.mark.parametrize("scope", [7, True, [], {}])
async def test_a_scope_is_a_text(provider: Provider, scope: Any) -> None:
    answer = await reply(provider, query(scope), ALICE)
    assert (answer["code"], answer["id"]) == ("bad_request", "q")


@pytest.mark.parametrize("message", [query(), verify(), query(FOREIGN)])
async def test_reading_takes_the_right(provider: Provider, message: Any) -> None:
    principal = ALICE._replace(rights=ALL_RIGHTS - {Right.READ})
    answer = await reply(provider, message, principal)
    assert (answer["code"], answer["id"]) == ("bad_request", "q")
    assert "read" in answer["message"]


async def test_a_handshake_takes_none(provider: Provider) -> None:
    handshake = {"type": "handshake", "protocol_version": "contextgraph/1.0"}
    answer = await reply(provider, handshake, ALICE._replace(rights=frozenset()))
    assert answer["capabilities"][SCOPE] is True
