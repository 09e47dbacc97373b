"""Frames in other representations than full."""

from __future__ import annotations

from typing import Final

from ....protocol import BAD_REQUEST, UNSUPPORTED_REPRESENTATION
from ...errors import peer_text
from ..subject import Subject

_NOBODYS: Final = "inspection-of-none"


async def offered(subject: Subject) -> None:
    """Each that is offered: the judge looks at what comes."""
    observations = subject.observations
    for representation, rule in (("compact", "P2"), ("reference", "P3")):
        if representation not in subject.representations:
            continue
        for preferences in ([representation], [representation, "full"], ["full", representation]):
            answer = await subject.frames(representation_preferences=preferences)
            if answer.type != "frames":
                observations.broken(
                    rule, f"{representation} is offered, and asking for it gets {answer}", answer.exchange
                )
                break
        observations.not_seen(rule, f"no {representation} frame came, although they were asked for")


async def unadvertised(subject: Subject) -> None:
    """Those that are not offered."""
    missing = [each for each in ("compact", "reference") if each not in subject.representations]
    for representation in (*missing, _NOBODYS):
        answer = await subject.frames(representation_preferences=[representation])
        codes = (UNSUPPORTED_REPRESENTATION, *([BAD_REQUEST] if representation == _NOBODYS else []))
        full = answer.type == "frames" and all(
            (frame.representation or "full") == "full" for frame in answer.frames
        )
        subject.observations.holds(
            "P5p",
            answer.code in codes or full,
            "what is not offered is named as unsupported, or full frames come",
            f"asking for {peer_text(representation)} alone gets {answer}",
            answer.exchange,
        )
