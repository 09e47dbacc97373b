"""An object is well formed only if encoding and decoding it gives it back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.protocol import (
    ContextFrame,
    ContextQueryResult,
    DataFlow,
    Frames,
    FrameVerdict,
    Handshake,
    ProvenanceLink,
    Relation,
    Verified,
    VerifyResponse,
    decode,
    encode,
)
from memory_provider.protocol.well_formed import is_well_formed
from tests.protocol.cases import CASES, raw

GOOD: dict[str, Any] = {
    "id": "f",
    "kind": "fact",
    "title": "Kessel ☕",
    "content": "c",
    "score": 0.5,
    "token_cost": 1,
    "provenance": (ProvenanceLink(type="file", uri="a"),),
    "relations": (Relation(rel="a:b", target_uri="c"),),
}


def answer(**members: Any) -> Frames:
    frame = ContextFrame.trusted({**GOOD, **members})
    return Frames(id="q1", result=ContextQueryResult(frames=(frame,), truncated=False))


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["valid"] and "raw_recipe" not in case],
    ids=lambda case: case["name"],
)
def test_what_is_decoded_is_well_formed_unless_it_has_members_of_others(case: dict[str, Any]) -> None:
    envelope = decode(raw(case))
    assert is_well_formed(envelope) or extra(envelope)


def extra(value: Any) -> bool:
    """Whether something has a member of no known name."""
    if isinstance(value, tuple):
        return any(map(extra, value))
    members = getattr(value, "__dict__", {})
    return bool(members.get("extra")) or any(map(extra, members.values()))


odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 2**32),
    st.floats(),
    st.text(max_size=3),
    st.just("half \ud800"),
    st.just(()),
    st.just(["a"]),
    st.just(("a",)),
    st.just({}),
    st.just(object()),
    st.just(ProvenanceLink(type="file")),
    st.just((ProvenanceLink.trusted({"type": 7}),)),
    st.builds(lambda: (ProvenanceLink.trusted({}),)),
)


@given(st.sampled_from([*ContextFrame.wire_members, "extra", "other"]), odd)
def test_what_is_well_formed_comes_back_as_it_was(name: str, value: Any) -> None:
    envelope = answer(**{name: value})
    if is_well_formed(envelope):
        assert decode(encode(envelope)) == envelope


@pytest.mark.parametrize(
    "value",
    [
        None,
        "frames",
        {"type": "frames"},
        ContextFrame(id="f", kind="k", title="t", content="", score=0.0, token_cost=0),
        Frames.trusted({"result": None}),
        Frames.trusted({"id": "q1"}),
        Verified(
            response=VerifyResponse(verdicts=(FrameVerdict.trusted({"frame": "f", "status": "valid"}),))
        ),
        answer(score=1),
        answer(extra=None),
        answer(extra=False),
        answer(score=float("nan")),
        answer(title="\ud800"),
        answer(token_cost=2**32),
        answer(representation="poem"),
    ],
)
def test_what_is_not_or_may_not_be_is_told(value: object) -> None:
    assert not is_well_formed(value)


def test_what_contradicts_itself_is_not() -> None:
    flow = DataFlow.__new__(DataFlow)
    flow.__dict__.update(reads=True, writes=True, egress=False, egress_scopes=("org-tenant",))
    good = decode(next(raw(case) for case in CASES if case["name"] == "ack good"))
    assert is_well_formed(good) or extra(good)
    info = good.provider.replace(data_flow=flow)  # type: ignore[union-attr]
    assert not is_well_formed(good.replace(provider=info))
    assert is_well_formed(Handshake(protocol_version="contextgraph/1.0"))
