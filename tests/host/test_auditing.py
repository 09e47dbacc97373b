"""What a host sets aside, on every authored answer of a provider."""

from __future__ import annotations

from typing import Any

import pytest

from memory_provider.host.auditing import audit_frames, audit_limits
from memory_provider.host.budgets import budget_from_model_tokens, split
from memory_provider.host.errors import LONGEST_PEER_TEXT, ProviderError
from memory_provider.host.outcomes import BudgetLie, FrameFlood
from memory_provider.host.reactions import Reaction, reaction_to, reaction_to_code
from memory_provider.protocol import (
    ContextQuery,
    ContextQueryResult,
    DecodeError,
    Error,
    Frames,
    Relation,
    decode,
)
from tests.protocol.cases import CASES, raw

from .offering import offer

FRAMES = [
    case
    for case in CASES
    if case["direction"] == "provider_to_host"
    and case["name"].startswith("frame")
    and case["valid"] is not None
]
ONLY_NOTED = {"frame cost over", "frame reference with cost"}


def query_for(case: dict[str, Any]) -> ContextQuery:
    needs = case.get("needs") or ""
    members: dict[str, Any] = {"goal": "kettle", "max_frames": 8, "max_tokens": 600}
    if "kinds" in needs or case["name"] == "frames off kind":
        members["kinds"] = ("memory",)
    if "as_of" in needs or "as_of" in case["name"]:
        members["as_of"] = "2026-07-01T00:00:00Z"
    if " compact " in case["name"] or " reference " in case["name"]:
        members["representation_preferences"] = ("full", "compact", "reference")
    return ContextQuery(**members)


@pytest.mark.parametrize("case", FRAMES, ids=lambda case: case["name"])
def test_a_broken_frame_is_told_by_the_rule_it_breaks(case: dict[str, Any]) -> None:
    expected = case["expected_reply"]["host"]
    if "wire error" in expected:
        with pytest.raises(DecodeError):
            decode(raw(case))
        return
    if case["violates"] == ["H4"]:
        return  # the connection's to see: test_stdio_connection.py
    envelope = decode(raw(case))
    assert isinstance(envelope, Frames)
    query, result = query_for(case), envelope.result
    over = audit_limits("p", query, result)
    if "B1" in case["violates"]:
        assert isinstance(over, BudgetLie) and over.claimed_tokens > over.max_tokens
        assert "dropped" in str(over)
        return
    assert over is None
    audited = audit_frames("p", query, result)
    if case["valid"]:
        assert len(audited.frames) == len(result.frames) and not audited.quarantined and not audited.reports
        return
    told = " ".join([*audited.reports, *(reason for each in audited.quarantined for reason in each.reasons)])
    assert any(f"({rule})" in told for rule in case["violates"]), (told, case["violates"])
    assert bool(audited.quarantined) == (case["name"] not in ONLY_NOTED)
    assert audit_frames("p", query, result, strict=True).quarantined


def answer(*frames: Any) -> ContextQueryResult:
    return ContextQueryResult(frames=tuple(each.frame for each in frames), truncated=False)


QUERY = ContextQuery(goal="g", max_frames=2, max_tokens=100)


def test_more_frames_than_asked_for_are_a_flood() -> None:
    frames = [offer("p", str(number), citation_label="x") for number in range(3)]
    assert audit_limits("p", QUERY, answer(*frames)) == FrameFlood("p", 3, 2)
    assert audit_limits("p", QUERY, answer(*frames[:2])) is None


@pytest.mark.parametrize(
    ("members", "rule"),
    [
        ({"score": 1.01}, "F1"),
        ({"score": -0.1}, "F1"),
        ({"content_digest": "sha256:" + "0" * 64}, "D1"),
        ({"valid_from": "2026-02-02T00:00:00Z", "valid_to": "2026-02-01T00:00:00Z"}, "F4"),
    ],
)
def test_a_frame_against_a_rule_is_set_aside_and_the_others_stay(members: dict[str, Any], rule: str) -> None:
    good, bad = (
        offer("p", "good", citation_label="x"),
        offer("p", "bad", **{"citation_label": "x", **members}),
    )
    audited = audit_frames("p", QUERY, answer(good, bad))
    assert audited.frames == (good,)
    [quarantined] = audited.quarantined
    assert quarantined.offered == bad
    assert len(quarantined.reasons) == 1 and f"({rule})" in quarantined.reasons[0]


def test_shares_of_a_budget_add_up_to_it() -> None:
    assert split(11, 3) == (4, 4, 3)
    assert split(0, 2) == (0, 0) and split(5, 0) == ()
    assert budget_from_model_tokens(1350) == 1000


def test_what_is_known_about_codes() -> None:
    assert reaction_to_code("unavailable") is Reaction.BACK_OFF
    assert reaction_to_code("incompatible_version") is Reaction.DROP_PROVIDER
    assert reaction_to_code(None) is reaction_to_code("teapot:cold") is Reaction.REPORT_AND_COUNT
    [case] = [case for case in CASES if case["name"] == "error known code"]
    envelope = decode(raw(case))
    assert isinstance(envelope, Error)
    assert reaction_to(ProviderError("p", envelope)) is Reaction.BACK_OFF


def test_what_a_peer_wrote_is_cut_and_harmless_in_an_error() -> None:
    shown = str(ProviderError("p", Error(message="\x1b[2J\n" + "x" * 1_000_000)))
    assert len(shown) < LONGEST_PEER_TEXT + 100
    assert "\x1b" not in shown and "\n" not in shown


def test_a_relation_of_any_name_is_no_reason_to_set_a_frame_aside() -> None:
    relation = Relation(rel="teapot:kept_on", target_uri="mem:shelf", display_name="shelf")
    frame = offer("p", "f", citation_label="x", relations=(relation, relation.replace(rel="?")))
    assert audit_frames("p", QUERY, answer(frame)).frames == (frame,)
