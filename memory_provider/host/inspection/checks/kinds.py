"""Kinds as a filter."""

from __future__ import annotations

from typing import Final

from ....protocol import FRAME_KINDS, UNSUPPORTED_KIND
from ...errors import peer_text
from ..answers import Answer
from ..subject import Subject

_NOBODYS: Final = "inspection:no-kind"
_MOST: Final = 4


async def filtering(subject: Subject) -> None:
    """Each kind that was served or declared, alone; one that nobody serves; and both together."""
    served = list(dict.fromkeys(frame.kind for frame in subject.baseline))
    kinds = list(dict.fromkeys([*served, *subject.kinds]))[:_MOST]
    # A kind of the protocol's where there is one to spare: to a provider of the draft, others are no kinds at all.
    other = next((each for each in FRAME_KINDS if each not in {*served, *subject.kinds}), _NOBODYS)
    observations = subject.observations
    if not served:
        observations.not_seen("Q1", "no frame was served that a filter could have let through or kept back")
    for kind in kinds:
        answer = await subject.frames(kinds=[kind])
        if answer.is_error and not (answer.code == UNSUPPORTED_KIND and kind not in subject.kinds):
            observations.broken("Q1", f"the kind {peer_text(kind)} alone gets {answer}", answer.exchange)
        elif served:
            _only(subject, answer, [kind])
    answer = await subject.frames(kinds=[other])
    if served:
        observations.holds(
            "Q1",
            (answer.type == "frames" and not answer.plain_frames) or answer.code == UNSUPPORTED_KIND,
            "kinds that nobody serves get no frames",
            f"a kind that nobody serves gets {answer}",
            answer.exchange,
        )
    if served:
        answer = await subject.frames(kinds=[other, served[0]])
        _only(subject, answer, [other, served[0]])


def _only(subject: Subject, answer: Answer, kinds: list[str]) -> None:
    wrong = [frame.kind for frame in answer.frames if frame.kind not in kinds]
    if answer.type == "frames" and not wrong:
        subject.observations.met("Q1", "only frames of the kinds asked for came", answer.exchange)
