"""U3, U4: a host says what the protocol defines, in its words, and anything else under a vendor's name."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema
import pytest

from memory_provider.host import Host, compose_answers
from memory_provider.host.errors import ProviderError, WireError
from memory_provider.host.outcomes import Failed, Frames
from memory_provider.host.reactions import Reaction, reaction_to
from memory_provider.protocol import (
    ContextQuery,
    ContextQueryResult,
    DataFlow,
    Envelope,
    Error,
    HandshakeAck,
    Query,
    Relation,
    Shutdown,
    encode,
)
from memory_provider.protocol import Frames as FramesEnvelope
from tests.protocol.cases import DATA

from .offering import offer
from .test_hosting import Good
from .test_rehydration import Library

pytestmark = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])

BARE = ContextQuery(goal="kettle", max_frames=8, max_tokens=1000)
ALL = ContextQuery(
    goal="kettle",
    query_text="where is it?",
    embedding=(0.25, 1.0),
    kinds=("fact",),
    anchors=("mem:shelf",),
    max_frames=8,
    max_tokens=1000,
    as_of="2026-07-01T00:00:00Z",
    representation_preferences=("full", "reference"),
    extra={"tea:cup": 1, "tea:spoon": 2},
)


@cache
def schemas() -> list[jsonschema.Draft202012Validator]:
    """The protocol's own, closed: no member that it does not define."""
    names = ("contextgraph-envelope.schema.json", "contextgraph-envelope.v1.schema.json")
    return [jsonschema.Draft202012Validator(json.loads((DATA / name).read_bytes())) for name in names]


def without_vendors(value: Any) -> Any:
    """A message without members of vendors. The others are the protocol's, and have its types."""
    if isinstance(value, dict):
        return {
            name: without_vendors(each)
            for name, each in value.items()
            if not all(part.strip() for part in name.partition(":")[::2])
        }
    return [without_vendors(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("correlation", [True, False])
async def test_U4_what_a_host_sends_has_no_member_that_is_not_defined(correlation: bool) -> None:
    provider = Library(correlation=correlation, verify=True, graph=True, embeddings_fingerprint="m/2")
    async with Host() as host:
        host.add("library", provider, embedding_fingerprint="m/2")
        await host.query(BARE)
        await host.rehydrate(await host.query(ALL), asked=ALL)
        await host.verify([offer("library", "g").identity])
    messages = [json.loads(encode(each)) for each in provider.sent]
    assert [each["type"] for each in messages] == [
        *("handshake", "query", "query", "memory-provider:resolve", "verify", "shutdown")
    ]
    for message in messages:
        if ":" not in message["type"]:
            for schema in schemas():
                schema.validate(without_vendors(message))
    assert set(messages[2]["query"]) > {"embedding", "as_of", "anchors", "tea:cup"}
    assert "tea:spoon" not in messages[2]["query"]  # the provider does not name it
    bare = messages[1]["query"]
    assert bare == {"goal": "kettle", "max_frames": 8, "max_tokens": 1000}


async def test_U3_a_vendor_s_relation_and_error_code_are_taken_as_they_are() -> None:
    class Vendor(Good):
        async def answer(self, envelope: Envelope, /) -> Envelope | None:
            if isinstance(envelope, Query) and envelope.query.goal == "refuse":
                return Error(id=envelope.id, code="tea:cold", message="not now")
            if isinstance(envelope, Query):
                relations = tuple(
                    Relation(rel=rel, target_uri="mem:shelf", display_name="shelf")
                    for rel in ("teapot:kept_on", "no vendor")
                )
                frame = offer("", "g", citation_label="shelf", relations=relations).frame
                return FramesEnvelope(result=ContextQueryResult(frames=(frame,), truncated=False))
            return await super().answer(envelope)

    async with Host() as host:
        host.add("p", Vendor())
        [served] = await host.query(BARE)
        assert isinstance(served, Frames) and not served.quarantined
        [offered] = compose_answers([served], 1000).frames
        assert [each.rel for each in offered.frame.relations] == ["teapot:kept_on", "no vendor"]
        [refused] = await host.query(BARE.replace(goal="refuse"))
        assert isinstance(refused, Failed) and isinstance(refused.error, ProviderError)
        assert refused.error.code == "internal" and "tea:cold" in str(refused)
        assert reaction_to(refused.error) is Reaction.REPORT_AND_COUNT


@pytest.mark.parametrize(
    ("scope", "is_known"),
    [
        ("teapot:vault", True),
        ("org-tenant", True),
        ("vault", False),
        ("teapot:", False),
        (":vault", False),
        (" : ", False),
    ],
)
async def test_U3_a_scope_of_a_vendor_is_taken_and_one_of_nobody_is_refused(
    scope: str, is_known: bool
) -> None:
    flow = unchecked(reads=True, writes=False, egress=True, egress_scopes=(scope,))

    class Scoped(Good):
        async def answer(self, envelope: Envelope, /) -> Any:
            if isinstance(envelope, Shutdown):
                return None
            info = self.ack.provider.replace(data_flow=flow)
            return self.ack.replace(provider=info)

    async with Host() as host:
        host.add("p", Scoped())
        ack = (await host.greet())["p"]
    assert isinstance(ack, HandshakeAck if is_known else WireError), ack


def unchecked(**members: Any) -> DataFlow:
    """A declaration that nobody has looked at."""
    flow = DataFlow.__new__(DataFlow)
    flow.__dict__.update(members)
    return flow
