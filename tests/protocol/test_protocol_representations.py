"""The table of representations: no frame against it can be built, a peer's can be read, and what is wrong is said."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.protocol import (
    COMPACT,
    FULL,
    REFERENCE,
    Capabilities,
    ContentRef,
    ContextFrame,
    Envelope,
    Frames,
    HandshakeAck,
    InvalidMember,
    QueryCapability,
    Representation,
    Transform,
    accepted_representations,
    breaches,
    decode,
    encode,
    select_representation,
    token_cost,
)

from .cases import CASES, raw
from .strategies import envelopes

DIGEST = "sha256:" + "0f" * 32
ALL: tuple[Representation, ...] = get_args(Representation)
BASE: dict[str, Any] = {"id": "mem:42", "kind": "memory", "title": "Kettle", "score": 0.5}
OF_EACH: dict[str, Any] = {
    "content": "On the shelf.",
    "content_digest": DIGEST,
    "canonical_content_hash": DIGEST,
    "content_ref": ContentRef(provider_id="p", uri="p:42"),
    "transform": Transform(method="extract", implementation="p", version="1"),
}
MEMBERS = {
    FULL: ({"content", "content_digest"}, {"content"}),
    COMPACT: (set(OF_EACH), set(OF_EACH)),
    REFERENCE: ({"content_ref", "canonical_content_hash"}, {"content_ref", "canonical_content_hash"}),
}
"""What a frame of each representation may have, and what it must have."""
BROKEN = {
    "frame full without content": ["P1"],
    "frame compact without canonical_content_hash": ["P2"],
    "frame compact without content_ref": ["P2"],
    "frame reference good": [],
    "frame reference with empty content": ["P3"],
    "frame reference with cost": ["P4"],
}


def members(representation: Representation, names: set[str]) -> dict[str, Any]:
    chosen = {name: OF_EACH[name] for name in names}
    cost = token_cost(chosen.get("content"))
    given = {} if representation == FULL else {"representation": representation}
    return BASE | given | chosen | {"token_cost": cost}


@pytest.mark.parametrize("representation", ALL)
def test_a_frame_has_exactly_what_the_table_says(representation: Representation) -> None:
    may, must = MEMBERS[representation]
    frame = ContextFrame(**members(representation, may))
    assert not list(breaches(frame))
    for name in must:
        with pytest.raises(InvalidMember, match=rf"{name}: expected one in a {representation} frame \(P"):
            ContextFrame(**members(representation, may - {name}))
    for name in set(OF_EACH) - may:
        with pytest.raises(InvalidMember, match=rf"{name}: expected none in a {representation} frame \(P"):
            ContextFrame(**members(representation, may | {name}))


@given(st.sampled_from(ALL), st.sets(st.sampled_from(sorted(OF_EACH))))
def test_what_can_be_built_is_what_the_table_allows(representation: Representation, names: set[str]) -> None:
    may, must = MEMBERS[representation]
    try:
        ContextFrame(**members(representation, names))
    except InvalidMember:
        assert not must <= names <= may
    else:
        assert must <= names <= may


@given(st.sampled_from(ALL), st.integers(0, 8))
def test_the_cost_is_of_what_is_inline(representation: Representation, cost: int) -> None:
    given = members(representation, MEMBERS[representation][1])
    right = 0 if representation == REFERENCE else 4
    if cost == right:
        assert ContextFrame(**given | {"token_cost": cost}).token_cost == right
    else:
        with pytest.raises(InvalidMember, match=rf"token_cost: expected {right}, .* \(P4\), got {cost}"):
            ContextFrame(**given | {"token_cost": cost})


def test_a_full_frame_does_not_say_that_it_is_one() -> None:
    with pytest.raises(InvalidMember, match=r"representation: expected none in a full frame \(P1\)"):
        ContextFrame(**members(FULL, {"content"}), representation="full")


def test_an_empty_content_is_a_content() -> None:
    assert ContextFrame(**BASE, content="", token_cost=0).content == ""
    with pytest.raises(InvalidMember, match=r"content: expected none in a reference frame \(P3\)"):
        ContextFrame(**members(REFERENCE, MEMBERS[REFERENCE][1]) | {"content": ""})


def test_a_change_of_a_frame_is_held_to_the_table() -> None:
    frame = ContextFrame(**members(FULL, {"content"}))
    with pytest.raises(InvalidMember, match="P4"):
        frame.replace(content="On the shelf, at last.")
    assert frame.replace(content="In it.", token_cost=2).token_cost == 2


@pytest.mark.parametrize("name", BROKEN)
def test_a_frame_of_a_peer_is_read_and_what_is_wrong_is_said(name: str) -> None:
    case = next(case for case in CASES if case["name"] == name)
    envelope = decode(raw(case))
    assert isinstance(envelope, Frames)
    (frame,) = envelope.result.frames
    found = list(breaches(frame))
    assert [breach.rule for breach in found] == BROKEN[name]
    assert all(str(breach).endswith(f"({breach.rule})") for breach in found)
    assert json.loads(encode(envelope)) == case["message"], "a relay passes it on as it came"


@given(envelopes(signed=True))
def test_what_is_built_keeps_the_table_on_the_other_side(envelope: Envelope) -> None:
    read = decode(encode(envelope))
    if isinstance(read, Frames):
        assert not [breach for frame in read.result.frames for breach in breaches(frame)]


@pytest.mark.parametrize("representation", [COMPACT, REFERENCE])
def test_a_handle_is_offered_with_what_it_is_good_for(representation: Representation) -> None:
    query = QueryCapability(kinds=())
    offered = Capabilities(query=query, representations=(FULL, representation), resolve=True)
    assert offered.offered_representations == (FULL, representation)
    with pytest.raises(InvalidMember, match=r"resolve: .*\(P6\), got false"):
        Capabilities(query=query, representations=(FULL, representation))
    assert Capabilities(query=query).offered_representations == (FULL,)
    said = decode(
        b'{"type":"handshake_ack","protocol_version":"contextgraph/1.0","provider":{"name":"p","version":"1",'
        b'"data_flow":{"reads":true,"writes":false,"egress":false}},'
        b'"capabilities":{"query":{"kinds":[]},"representations":["compact"]}}'
    )
    assert isinstance(said, HandshakeAck), "a peer's contradiction is read"


def test_the_first_preference_on_offer_is_selected() -> None:
    assert select_representation((), (FULL, COMPACT)) == FULL
    assert select_representation((), (COMPACT,)) is None
    assert select_representation((REFERENCE, COMPACT), ALL) == REFERENCE
    assert select_representation((REFERENCE, COMPACT), (FULL, COMPACT)) == COMPACT
    assert select_representation((REFERENCE,), (FULL, COMPACT)) is None
    assert accepted_representations((COMPACT, REFERENCE, COMPACT, FULL), (FULL, COMPACT)) == (COMPACT, FULL)
