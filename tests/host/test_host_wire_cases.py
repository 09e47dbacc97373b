"""Every authored message from a provider, sent to a host by a process."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from memory_provider.host import Host, StdioChannel
from memory_provider.host.books.verification import Stale, Unknown, VerifyFailed
from memory_provider.host.errors import (
    CorrelationMismatch,
    HostError,
    ProviderCrashed,
    VersionMismatch,
    WireError,
)
from memory_provider.host.outcomes import BudgetLie, ConsentRequired, ConsentScopeRequired, Failed, Frames
from memory_provider.protocol import ContextQuery, FrameId, HandshakeAck
from tests.protocol.cases import CASES, raw

REPLAY = str(Path(__file__).with_name("replay.py"))
TO_HOST = [case for case in CASES if case["direction"] == "provider_to_host"]
ACKS = [case for case in TO_HOST if case["name"].startswith("ack ")]
VERIFIED = [case for case in TO_HOST if case["name"].startswith("verified ")]
ANSWERS = [case for case in TO_HOST if case not in ACKS and case not in VERIFIED]
ACK = {
    "type": "handshake_ack",
    "protocol_version": "contextgraph/1.0",
    "provider": {
        "name": "tea-memory",
        "version": "1",
        "data_flow": {"reads": True, "writes": False, "egress": False},
    },
    "capabilities": {
        "query": {"kinds": ["memory"]},
        "verify": True,
        "resolve": True,
        "representations": ["full", "compact", "reference"],
    },
}
HONEST = next(raw(case) for case in CASES if case["name"] == "frame good")
REPORTED = ("frame cost over", "frame reference with cost")
"""Wrong costs: composition counts for itself."""


def provider(case: dict[str, Any], tmp_path: Path, **capabilities: bool) -> StdioChannel:
    good = {**ACK, "capabilities": {**ACK["capabilities"], **capabilities}}  # type: ignore[dict-item]
    ack, answer = tmp_path / "ack", tmp_path / "answer"
    ack.write_bytes(raw(case) if case in ACKS else json.dumps(good).encode())
    answer.write_bytes(raw(case) + (b"\n" + HONEST if case["name"] == "blank line from provider" else b""))
    return StdioChannel("p", [sys.executable, REPLAY, str(ack), str(answer)])


@pytest.mark.parametrize("case", ACKS, ids=lambda case: case["name"])
async def test_who_is_greeted_and_who_is_asked(case: dict[str, Any], tmp_path: Path) -> None:
    async with Host() as host:
        host.add("p", provider(case, tmp_path))
        ack = (await host.greet())["p"]
        if not case["valid"]:
            assert type(ack) is (VersionMismatch if case["violates"] == ["H1"] else WireError), ack
            return
        assert isinstance(ack, HandshakeAck)
        outcomes = await host.query(ContextQuery(goal="kettle", max_frames=8, max_tokens=600))
        if "receipt" in case["expected_reply"]["host"]:
            assert [type(each) for each in outcomes] == [ConsentScopeRequired]
            assert "teapot:vault" in str(outcomes[0])
        elif "consent" in case["expected_reply"]["host"]:
            assert [type(each) for each in outcomes] == [ConsentRequired]


@pytest.mark.parametrize("case", ANSWERS, ids=lambda case: case["name"])
async def test_what_becomes_of_an_answer(case: dict[str, Any], tmp_path: Path) -> None:
    members: dict[str, Any] = {"representation_preferences": ("full", "compact", "reference")}
    if case["name"] == "frames off kind":
        members["kinds"] = ("memory",)
    if "as_of" in case["name"]:
        members["as_of"] = "2026-07-01T00:00:00Z"
    query = ContextQuery(goal="kettle", max_frames=8, max_tokens=600, **members)
    async with Host() as host:
        host.add("p", provider(case, tmp_path, correlation=case["violates"] == ["H4"]))
        [outcome] = await host.query(query)
    expected = case["expected_reply"]["host"]
    if case["violates"] == ["H4"]:
        assert isinstance(outcome, Failed) and type(outcome.error) is CorrelationMismatch
    elif "wire error" in expected or "line limit" in expected:
        assert isinstance(outcome, Failed) and isinstance(outcome.error, WireError | ProviderCrashed), outcome
    elif case["valid"] and case["message"]["type"] == "error":
        assert isinstance(outcome, Failed) and isinstance(outcome.error, HostError)
    elif "B1" in case["violates"]:
        assert isinstance(outcome, BudgetLie)
    else:
        assert isinstance(outcome, Frames), outcome
        if case["valid"] or case["name"] == "blank line from provider":
            assert outcome.frames and not outcome.quarantined and not outcome.reports
        elif case["name"] in REPORTED:
            assert outcome.frames and outcome.reports
        else:
            assert outcome.quarantined


@pytest.mark.parametrize("case", VERIFIED, ids=lambda case: case["name"])
async def test_what_becomes_of_a_verdict(case: dict[str, Any], tmp_path: Path) -> None:
    asked = next(each for each in VERIFIED if each["name"] == "verified valid")
    frame = asked["message"]["response"]["verdicts"][0]["frame"]
    held = FrameId(provider_id="p", frame_id=frame["frame_id"], content_digest=frame["content_digest"])
    acknowledged = {**ACK, "provider": {**ACK["provider"], "name": frame["provider_id"]}}  # type: ignore[dict-item]
    async with Host() as host:
        channel = provider(case, tmp_path)
        (tmp_path / "ack").write_text(json.dumps(acknowledged))
        host.add("p", channel)
        verification = await host.verify([held])
    expected = case["expected_reply"]["host"]
    if case["name"] == "verified valid":
        assert verification.retained == (held,)
        return
    [dropped] = verification.dropped
    kinds = {
        "verified stale with digest": Stale,
        "verified with body": Stale,
        "verified empty": Unknown,
        "verified bad status": VerifyFailed,
    }
    assert type(dropped.reason) is kinds[case["name"]], expected
