"""D3, D4, V3, V4: what is held is given out again only as this turn's verification has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.attestation import Status, Verdict
from memory_provider.host.books.reuse import HeldFrames, Reused
from memory_provider.host.books.verification import Dropped, Gone, Stale, Verification
from memory_provider.host.composition import compose_answers
from memory_provider.host.evidence import Evidence
from memory_provider.host.offers import Offered
from memory_provider.host.outcomes import Frames
from memory_provider.protocol import FrameId, TimestampError
from memory_provider.temporal.errors import InvalidInput

from .offering import digest, offer, offers, reference

NOW = "2026-12-02T00:00:00Z"
KETTLE = offer("p", "a", "On the shelf.")
EVIDENCE = Evidence("tea-memory", Verdict(Status.VALID))


def holding(*offered: Offered) -> HeldFrames:
    held = HeldFrames()
    held.hold(offered)
    return held


def valid(*identities: FrameId) -> Verification:
    return Verification(identities, ())


def reused(held: HeldFrames, *identities: FrameId, **options: str) -> list[str]:
    return [each.frame.id for each in held.reuse(valid(*identities), now=NOW, **options).frames]


def test_D4_what_is_confirmed_is_given_out() -> None:
    held = holding(KETTLE)
    assert held.identities == (KETTLE.identity,)
    assert held.reuse(valid(KETTLE.identity), now=NOW) == Reused((KETTLE,), {})


def test_D4_what_is_not_confirmed_is_not() -> None:
    held = holding(KETTLE)
    assert reused(held) == []
    assert reused(held, KETTLE.identity) == ["a"]


def test_D3_a_frame_without_a_digest_is_not_held() -> None:
    held = holding(offer("p", "a", content_digest=None), reference("p", "b"))
    assert len(held) == 0
    assert reused(held, *(FrameId(provider_id="p", frame_id=id) for id in "ab")) == []


def test_V3_what_was_dropped_is_gone_for_good() -> None:
    for reason in (Gone(), Stale(digest("In the sink."))):
        held = holding(KETTLE)
        dropped = Verification((), (Dropped(KETTLE.identity, reason),))
        assert held.reuse(dropped, now=NOW).frames == ()
        assert reused(held, KETTLE.identity) == []


def test_V4_what_was_served_later_takes_the_place_of_what_was_held() -> None:
    held = holding(KETTLE)
    moved = offer("p", "a", "In the sink.")
    held.hold([moved])
    assert held.identities == (moved.identity,)
    assert reused(held, KETTLE.identity) == []
    held.hold([offer("p", "a", "Who knows.", content_digest=None)])
    assert len(held) == 0


def test_a_verdict_on_other_bytes_or_of_another_provider_is_about_something_else() -> None:
    held = holding(KETTLE)
    for other in (offer("p", "a", "In the sink."), offer("q", "a", "On the shelf.")):
        assert reused(held, other.identity) == []
        held.reuse(Verification((), (Dropped(other.identity, Gone()),)), now=NOW)
    assert reused(held, KETTLE.identity) == ["a"]


@pytest.mark.parametrize(
    ("as_of", "holds"),
    [
        ("2026-01-31T23:59:59.999Z", False),
        ("2026-02-01T00:00:00Z", True),
        ("2026-06-30T23:59:59.999Z", True),
        ("2026-07-01T00:00:00.000Z", False),
    ],
)
def test_Q2_a_confirmed_frame_holds_at_the_instant_asked_for_or_is_not_given_out(
    as_of: str, holds: bool
) -> None:
    frame = offer("p", "a", valid_from="2026-02-01T00:00:00Z", valid_to="2026-07-01T00:00:00Z")
    assert reused(holding(frame), frame.identity, as_of=as_of) == ["a"] * holds
    assert [each.frame.id for each in holding(frame).reuse(valid(frame.identity), now=as_of).frames] == [
        "a"
    ] * holds


def test_an_instant_that_is_none_is_refused_and_holds_nothing() -> None:
    frame = offer("p", "a", valid_to="tomorrow")
    assert reused(holding(frame), frame.identity) == []
    with pytest.raises(TimestampError):
        reused(holding(frame), frame.identity, as_of="tomorrow")


def test_only_kinds_that_are_asked_for() -> None:
    fact, episode = offer("p", "a", "fact"), offer("p", "b", "episode", kind="episode")
    held = holding(fact, episode)
    verification = valid(fact.identity, episode.identity)
    assert held.reuse(verification, now=NOW, kinds=["episode"]).frames == (episode,)
    assert len(held.reuse(verification, now=NOW).frames) == 2


def test_no_more_is_held_than_there_is_room_for() -> None:
    held = HeldFrames(most_frames=2)
    a, b, c = (offer("p", id, id) for id in "abc")
    held.hold([a, b])
    held.reuse(valid(a.identity), now=NOW)
    held.hold([c])
    assert held.identities == (a.identity, c.identity)
    with pytest.raises(InvalidInput, match="not -1"):
        HeldFrames(-1)


def test_nothing_is_kept_of_a_provider_that_is_forgotten() -> None:
    held = holding(KETTLE, offer("q", "a"))
    held.forget("p")
    assert {identity.provider_id for identity in held.identities} == {"q"}


def test_a_turn_with_held_and_new_frames() -> None:
    """What is held and served again is one frame, and what attests a held frame is shown as when it came."""
    held = HeldFrames()
    held.hold([KETTLE, offer("p", "b", "The stove is off.")], {KETTLE.identity: EVIDENCE})
    again = held.reuse(valid(*held.identities), now=NOW)
    prompt = compose_answers([Frames("p", (KETTLE, offer("p", "c", "New.")))], 1000, reused=again)
    assert sorted(each.frame.id for each in prompt.frames) == ["a", "b", "c"]
    assert [entry.verdict.status for entry in prompt.audit.entries if entry.frame == KETTLE.identity] == [
        *(Status.VALID, Status.VALID)
    ]


@given(st.lists(st.lists(offers(), max_size=6), max_size=3), st.integers(0, 3))
def test_nothing_is_given_out_that_was_not_served_last(answers: list[list[Offered]], room: int) -> None:
    held = HeldFrames(room)
    last: dict[tuple[str, str], Offered] = {}
    for answer in answers:
        held.hold(answer)
        last.update(((each.provider_id, each.frame.id), each) for each in answer)
    assert len(held) <= room
    given_out = held.reuse(valid(*(each.identity for answer in answers for each in answer)), now=NOW).frames
    assert {(each.provider_id, each.frame.id) for each in given_out} <= set(last)
    for each in given_out:
        assert each == last[each.provider_id, each.frame.id]
        assert each.frame.content_digest is not None and each.frame.content
