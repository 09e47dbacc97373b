"""Anchors of providers with a graph."""

from __future__ import annotations

from typing import Final

from ....protocol import ContextFrame
from ...errors import peer_text
from ..subject import Subject

_MOST: Final = 4


async def nearness(subject: Subject) -> None:
    """Ask near what frames are related to, the last frames first: they have most room to rise."""
    if not subject.declares("graph"):
        return
    observations = subject.observations
    anchors = _anchors(subject.baseline)
    if not anchors:
        observations.not_seen(("G3", "G4"), "no frame that was served has a relation or a URI to anchor at")
    rises, room = 0, 0
    for anchor in anchors:
        answer = await subject.frames(anchors=[anchor])
        if answer.type != "frames":
            observations.broken("G4", f"an anchor gets {answer}", answer.exchange)
            continue
        near = [each for each in answer.frames if is_near(each, anchor)]
        observations.holds(
            "G4",
            bool(near),
            "of the frames at an anchor, one comes at least",
            f"none of the frames is at the anchor {peer_text(anchor)}, where there is one",
            answer.exchange,
        )
        before, after = _place(subject.baseline, anchor), _place(answer.frames, anchor)
        rises += after > before
        room += after > before or (before[0] < 0 and before[1] < 1)
    if rises:
        observations.met("G3", "frames at an anchor rise, in their order or their scores")
    elif room:
        observations.broken("G3", f"no frame rises near any of {room} anchor(s)")
    else:
        observations.not_seen("G3", "the frames at anchors were the first without them")


def is_near(frame: ContextFrame, anchor: str) -> bool:
    """Whether a frame is at an anchor, or related to it."""
    return frame.uri == anchor or any(each.target_uri == anchor for each in frame.relations)


def _anchors(frames: list[ContextFrame]) -> list[str]:
    related = [relation.target_uri for frame in reversed(frames) for relation in frame.relations]
    own = [frame.uri for frame in reversed(frames) if frame.uri]
    return [each for each in dict.fromkeys([*related, *own]) if each.strip()][:_MOST]


def _place(frames: list[ContextFrame], anchor: str) -> tuple[int, float]:
    """How well the best of the frames at an anchor stands: the more, the better."""
    found = [(-position, frame.score) for position, frame in enumerate(frames) if is_near(frame, anchor)]
    return max(found, default=(-len(frames) - 1, 0.0))
