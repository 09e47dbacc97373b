"""Questions outside the format: each is a bad request, and none is answered as if it were another."""

from __future__ import annotations

from typing import Any, Final

from ....protocol import BAD_REQUEST
from ..answers import Outcome
from ..subject import Subject

_REMOVED: Final = object()
BAD: Final[dict[str, tuple[str, Any]]] = {
    "an as_of in lower case": ("as_of", "2026-03-01t00:00:00z"),
    "an as_of with a blank": ("as_of", "2026-03-01 00:00:00Z"),
    "an as_of without a zone": ("as_of", "2026-03-01T00:00:00"),
    "an as_of with an offset": ("as_of", "2026-03-01T00:00:00+00:00"),
    "an as_of with a comma": ("as_of", "2026-03-01T00:00:00,5Z"),
    "an as_of that is a date": ("as_of", "2026-03-01"),
    "an as_of of month 13": ("as_of", "2026-13-01T00:00:00Z"),
    "an as_of on 30 February": ("as_of", "2026-02-30T00:00:00Z"),
    "an as_of on 29 February of a common year": ("as_of", "2027-02-29T00:00:00Z"),
    "an as_of at 24:00": ("as_of", "2026-03-01T24:00:00Z"),
    "an as_of of second 61": ("as_of", "2026-03-01T00:00:61Z"),
    "an as_of of five digits for a year": ("as_of", "12026-03-01T00:00:00Z"),
    "an as_of with digits of another script": ("as_of", "2026-03-01T00:00:0٠Z"),
    "an as_of with a point and no fraction": ("as_of", "2026-03-01T00:00:00.Z"),
    "an as_of that is empty": ("as_of", ""),
    "an as_of that is a number": ("as_of", 1_767_225_600),
    "no goal": ("goal", _REMOVED),
    "a goal that is null": ("goal", None),
    "a goal that is a number": ("goal", 7),
    "no max_tokens": ("max_tokens", _REMOVED),
    "no max_frames": ("max_frames", _REMOVED),
    "max_tokens of -1": ("max_tokens", -1),
    "max_tokens of 600.5": ("max_tokens", 600.5),
    "max_tokens of 600.0": ("max_tokens", 600.0),
    "max_tokens of 2^32": ("max_tokens", 4_294_967_296),
    "max_tokens that are true": ("max_tokens", True),
    "max_tokens that are a text": ("max_tokens", "600"),
    "max_frames of -1": ("max_frames", -1),
    "max_frames of 4.5": ("max_frames", 4.5),
    "max_frames of 2^32": ("max_frames", 4_294_967_296),
}
"""What is asked, and the member that makes it so."""

NOT_OF_THEIR_TYPE: Final[dict[str, tuple[str, Any]]] = {
    "kinds that are a text": ("kinds", "fact"),
    "kinds that are null": ("kinds", None),
    "anchors that are objects": ("anchors", [{"uri": "mem:1"}]),
    "an embedding of texts": ("embedding", ["a"]),
}
"""Members of other types than the protocol's, which R1 speaks of."""


async def questions(subject: Subject) -> None:
    """Ask all of it."""
    for rule, bad in (("QFMT", BAD), ("R1", NOT_OF_THEIR_TYPE)):
        for what, (member, value) in bad.items():
            asked = subject.query(**{member: value})
            if value is _REMOVED:
                del asked[member]
            answer = await subject.ask(subject.question(asked))
            if answer.outcome in (Outcome.ENDED, Outcome.SILENT):
                continue  # R1 has it
            subject.observations.holds(
                rule,
                answer.code == BAD_REQUEST,
                "each is a bad_request",
                f"{what}: {answer}",
                answer.exchange,
                level="SHOULD",
            )
