"""Over HTTP, too, a provider with a key publishes its public half and signs."""

from __future__ import annotations

from pathlib import Path

from memory_provider.attestation import Status, create_key_file, verify_result
from memory_provider.protocol import Frames, HandshakeAck, decode
from tests.provider.kettle import GOAL
from tests.transports.conftest import Kitchen

from .server import Server


def test_what_is_served_is_signed(kitchen: Kitchen, tmp_path: Path) -> None:
    key = create_key_file(tmp_path / "key.pem")
    with Server(kitchen.store, kitchen.scope, "--key", str(tmp_path / "key.pem")) as server:
        handshake = server.post({"type": "handshake", "protocol_version": "contextgraph/1.0"})
        query = {"goal": GOAL, "max_frames": 8, "max_tokens": 600}
        answer = server.post({"type": "query", "query": query})
        server.signal()
        assert server.end() == 0
    acknowledged, result = decode(handshake.body), decode(answer.body)
    assert isinstance(acknowledged, HandshakeAck)
    assert isinstance(result, Frames)
    assert acknowledged.attester_keys == (key.public,)
    verdicts = verify_result(acknowledged.provider.name, result.result, acknowledged.attester_keys)
    assert len(verdicts.frames) >= 3
    assert {each.status for each in (verdicts.result, *verdicts.frames)} == {Status.VALID}
