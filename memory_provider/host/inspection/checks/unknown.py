"""What a provider does not know: types of messages, and members of those that it knows."""

from __future__ import annotations

from typing import Final

from ....protocol import BAD_REQUEST, ContextFrame
from ..answers import Answer, Outcome
from ..messages import JUNK, identity, verify, written
from ..observations import Exchange
from ..subject import Subject

_TYPE: Final = "inspection:unheard-of"


async def types(subject: Subject) -> None:
    """A request of a type nobody knows, and a notification of one."""
    observations = subject.observations
    id = subject.next_id()
    data = written({"type": _TYPE, "id": id, "request": {"uri": "mem:1"}})
    probe = await subject.probe(data, is_envelope=True)
    answer = probe.answer if probe.lives else probe.after
    observations.holds(
        "T3",
        answer.code == BAD_REQUEST,
        "a request of an unknown type is a bad_request",
        f"a request of an unknown type gets {answer}",
        Exchange(data, answer.raw),
    )
    if subject.declares("correlation") and probe.lives and answer.outcome is Outcome.ANSWERED:
        observations.holds(
            "H4",
            (answer.message or {}).get("id") == id,
            "ids come back as they were sent",
            "the id of a request of an unknown type does not stand on its answer",
            Exchange(data, answer.raw),
        )
    data = written({"type": _TYPE})
    probe = await subject.probe(data, is_envelope=True)
    observations.holds(
        "T3",
        probe.lives and probe.answer.outcome is not Outcome.ANSWERED,
        "a notification of an unknown type is ignored",
        f"a notification of an unknown type gets {probe.answer}"
        if probe.lives
        else f"after a notification of an unknown type: {probe.after}",
        Exchange(data, probe.answer.raw),
    )


async def members(subject: Subject) -> None:
    """A question and a verification with members that nobody knows, at every level."""
    if (await subject.frames()).type == "frames":
        answer = await subject.ask(subject.question(subject.query() | JUNK, **JUNK))
        same = answer.type == "frames" and _same(subject, answer.frames)
        _ignored(subject, same, "a question", answer)
    frame = identity(subject.name, "inspection-0", "sha256:" + "0" * 64)
    if subject.declares("verify") and (await subject.ask(verify(frame))).type == "verified":
        message = verify(frame | JUNK, **JUNK)
        message["request"] |= JUNK
        answer = await subject.ask(message)
        _ignored(subject, answer.type == "verified", "a verification", answer)


def _same(subject: Subject, frames: list[ContextFrame]) -> bool:
    """Whether the frames are those that the ordinary question gets, as far as it always gets the same."""
    return not subject.is_repeatable or [frame.id for frame in frames] == [
        frame.id for frame in subject.baseline
    ]


def _ignored(subject: Subject, holds: bool, what: str, answer: Answer) -> None:
    for id in ("T2", "U1"):
        subject.observations.holds(
            id,
            holds,
            "members that nobody knows change nothing",
            f"{what} with unknown members is answered otherwise: {answer}",
            answer.exchange,
        )
