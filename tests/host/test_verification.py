"""V1, V2h, V3, D3: what is held is used on an explicit `valid` and on nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.host.books.verification import (
    Dropped,
    Gone,
    Impediment,
    NoDigest,
    NotConsented,
    Reason,
    Stale,
    Unknown,
    UnknownProvider,
    Verification,
    VerifyFailed,
    VerifyUnsupported,
    plan_verification,
    settle,
)
from memory_provider.protocol import FrameId, FrameVerdict, VerdictStatus, Verified, decode

from .offering import digest

OLD, NEW = digest("old"), digest("new")


def held(provider: str = "p", frame: str = "a", content_digest: str | None = OLD) -> FrameId:
    return FrameId(provider_id=provider, frame_id=frame, content_digest=content_digest)


def said(frame: FrameId, status: VerdictStatus, replacement: str | None = None) -> FrameVerdict:
    return FrameVerdict(frame=frame, status=status, replacement_digest=replacement)


def verified(frame: FrameId, *verdicts: FrameVerdict) -> Reason | None:
    """Why a frame is dropped when its provider answers with these verdicts; None if it is retained."""
    verification = settle(plan_verification([frame], {"p": None}), {"p": verdicts})
    if verification.retained:
        assert verification == Verification((frame,), ())
        return None
    (dropped,) = verification.dropped
    assert dropped.frame == frame
    return dropped.reason


@pytest.mark.parametrize(
    ("verdicts", "reason"),
    [
        ([said(held(), "valid")], None),
        ([said(held(), "valid"), said(held(), "valid")], None),
        ([said(held(), "stale", NEW)], Stale(NEW)),
        ([said(held(), "stale")], Stale()),
        ([said(held(), "stale", "the new text")], Stale()),
        ([said(held(), "stale", NEW), said(held(), "stale", OLD)], Stale()),
        ([said(held(), "gone")], Gone()),
        ([said(held(), "unknown")], Unknown()),
        ([], Unknown()),
        ([said(held(), "valid"), said(held(), "stale", NEW)], Unknown()),
        ([said(held(content_digest=NEW), "valid")], Unknown()),
        ([said(held(content_digest=None), "valid")], Unknown()),
        ([said(held(frame="b"), "valid")], Unknown()),
        ([said(held("q"), "valid")], Unknown()),
    ],
)
def test_V3_only_valid_retains(verdicts: Sequence[FrameVerdict], reason: Reason | None) -> None:
    assert verified(held(), *verdicts) == reason


@pytest.mark.parametrize(
    ("frame", "providers", "reason"),
    [
        (held(content_digest=None), {"p": None}, NoDigest()),
        (held(), {"q": None}, UnknownProvider()),
        (held(), {"p": VerifyUnsupported()}, VerifyUnsupported()),
        (held(), {"p": NotConsented(("third-party-model",))}, NotConsented(("third-party-model",))),
        (held(), {"p": VerifyFailed("it crashed")}, VerifyFailed("it crashed")),
    ],
)
def test_what_cannot_be_asked_is_not_asked_and_not_used(
    frame: FrameId, providers: dict[str, Impediment | None], reason: Reason
) -> None:
    plan = plan_verification([frame], providers)
    assert not plan.questions
    verification = settle(plan, {"p": [said(frame, "valid")]})
    assert verification == Verification((), (Dropped(frame, reason),))


def test_a_provider_that_fails_drops_its_own_frames_only() -> None:
    mine, theirs = held("p"), held("q")
    plan = plan_verification([mine, theirs], {"p": None, "q": None})
    assert plan.questions == {"p": (mine,), "q": (theirs,)}
    failed = VerifyFailed("it did not answer within 30 s")
    verification = settle(plan, {"p": failed, "q": [said(theirs, "valid")]})
    assert verification == Verification((theirs,), (Dropped(mine, failed),))
    assert isinstance(settle(plan, {}).dropped[0].reason, VerifyFailed)


def test_a_provider_vouches_for_its_own_frames_only() -> None:
    """D5: a name is never looked up across providers, so neither is a verdict."""
    mine, theirs = held("p"), held("q")
    plan = plan_verification([mine, theirs], {"p": None, "q": None})
    verdicts = [said(mine, "valid"), said(theirs, "valid")]
    assert settle(plan, {"p": verdicts, "q": []}) == Verification((mine,), (Dropped(theirs, Unknown()),))


def test_all_but_what_is_gone_is_worth_asking_again() -> None:
    frames = [held(frame=id) for id in "abc"]
    plan = plan_verification(frames, {"p": None})
    verdicts = [said(frames[0], "gone"), said(frames[1], "stale")]
    assert settle(plan, {"p": verdicts}).worth_asking_again == (frames[1], frames[2])


def test_V4_a_body_in_a_verdict_is_not_even_read() -> None:
    answer = decode(
        b'{"type":"verified","response":{"verdicts":[{"frame":{"provider_id":"p","frame_id":"a","content_digest":"%s"},'
        b'"status":"stale","content":"the new text"}]}}' % OLD.encode()
    )
    assert isinstance(answer, Verified)
    assert verified(held(), *answer.response.verdicts) == Stale()
    assert "new text" not in repr(answer)


identities = st.builds(
    held, st.sampled_from("pqr"), st.sampled_from("ab"), st.sampled_from([OLD, NEW]) | st.none()
)
statuses: st.SearchStrategy[VerdictStatus] = st.sampled_from(["valid", "stale", "gone", "unknown"])
answers = st.lists(st.builds(said, identities, statuses), max_size=8)


@given(st.lists(identities, max_size=8), st.dictionaries(st.sampled_from("pq"), answers))
def test_every_held_frame_is_retained_or_dropped_and_never_both(
    frames: list[FrameId], given_answers: dict[str, list[FrameVerdict]]
) -> None:
    plan = plan_verification(frames, {"p": None, "q": VerifyUnsupported()})
    verification = settle(plan, given_answers)
    dropped = [each.frame for each in verification.dropped]
    assert sorted([*verification.retained, *dropped], key=lambda frame: frame.sort_key) == sorted(
        set(frames), key=lambda frame: frame.sort_key
    )
    for frame in verification.retained:
        assert frame.provider_id == "p" and frame.content_digest is not None
        assert said(frame, "valid") in given_answers["p"]
    asked = [frame for questions in plan.questions.values() for frame in questions]
    assert all(frame.content_digest is not None and frame.provider_id == "p" for frame in asked)
