"""What the handshake says of the lifecycle profile is so, and is read by a host as it is written."""

from __future__ import annotations

import json

import pytest

from memory_provider.protocol import Capabilities, HandshakeAck, QueryCapability, decode
from memory_provider.protocol.envelopes import ENVELOPES
from memory_provider.protocol.lifecycle.capability import LIFECYCLE, lifecycle_of
from memory_provider.protocol.lifecycle.records import RECORD_KINDS, SCHEMA_VERSION
from memory_provider.provider import Provider
from memory_provider.provider.lifecycle import RETENTION
from memory_provider.provider.requests import REQUESTS

pytestmark = pytest.mark.anyio


async def test_the_block(provider: Provider) -> None:
    reply = await provider.handle(b'{"type":"handshake","protocol_version":"contextgraph/1.0"}')
    assert reply.data is not None
    ack = decode(reply.data)
    assert isinstance(ack, HandshakeAck)
    block = lifecycle_of(ack.capabilities)
    assert block is not None
    assert block.profile == SCHEMA_VERSION
    assert block.record_kinds == RECORD_KINDS
    assert block.representations == ack.capabilities.representations
    assert block.resolve == ack.capabilities.resolve
    assert [each.name for each in block.retention_classes] == list(RETENTION)
    assert block.default_retention in RETENTION
    assert block.unknown_members == "ignore"
    asked = {shape.type for shape in REQUESTS}
    for operation in block.operations:
        assert operation.request in asked
        assert operation.answer in ENVELOPES
    assert json.loads(reply.data)["capabilities"]["lifecycle"]["known_at"] is True


@pytest.mark.parametrize("block", [None, True, {}, {"profile": "contextgraph/lifecycle/1.0-draft"}, []])
def test_another_provider_s_block_is_none_and_no_error(block: object) -> None:
    assert lifecycle_of(Capabilities(query=QueryCapability(kinds=()), extra={LIFECYCLE: block})) is None
    assert lifecycle_of(Capabilities(query=QueryCapability(kinds=()))) is None
