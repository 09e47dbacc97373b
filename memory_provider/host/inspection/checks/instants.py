"""What holds at an instant."""

from __future__ import annotations

from typing import Final

from ....protocol import ContextFrame, TimestampError, format_timestamp, parse_timestamp
from ..subject import Subject

PINS: Final = ("2026-07-01T00:00:00Z", "2026-10-01T00:00:00Z")
"""The instants that the protocol's own suite asks for."""
_MOST_WINDOWS: Final = 4


async def windows(subject: Subject) -> None:
    """Pins, and the very edges of the windows that were served."""
    observations = subject.observations
    edges = _edges(subject.baseline)
    for as_of, outside in [*((pin, set()) for pin in PINS), *edges]:
        answer = await subject.frames(as_of=as_of)
        if answer.type != "frames":
            observations.broken("Q2", f"as_of {as_of} gets {answer}", answer.exchange)
            continue
        came = {frame.id for frame in answer.frames}
        if outside and not outside & came:
            observations.met("Q2", f"what does not hold at {as_of} is left out", answer.exchange)
    if not observations.has_seen("Q2"):
        observations.not_seen("Q2", "no frame that was served says from when or until when it holds")


def _edges(frames: list[ContextFrame]) -> list[tuple[str, set[str]]]:
    """Instants at which a window begins or ends and just before, each with the frames that do not hold then.

    A frame id may come with other windows at other instants, so only the judge says what is wrong with an answer.
    """
    found: dict[str, set[str]] = {}
    for frame in [frame for frame in frames if frame.valid_from or frame.valid_to][:_MOST_WINDOWS]:
        try:
            begins = None if frame.valid_from is None else parse_timestamp(frame.valid_from)
            ends = None if frame.valid_to is None else parse_timestamp(frame.valid_to)
            if begins is not None:
                found.setdefault(format_timestamp(begins), set())
                found.setdefault(f"{format_timestamp(begins - 1_000_000)[:-1]}.999999999Z", set()).add(
                    frame.id
                )
            if ends is not None:
                found.setdefault(format_timestamp(ends), set()).add(frame.id)
        except TimestampError:
            continue  # F4 says what is wrong
    return list(found.items())
