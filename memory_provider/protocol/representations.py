"""How a frame may carry its content: the table P1 to P4 of the protocol, and which of the ways a host prefers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from .frames import ContextFrame

Representation: TypeAlias = Literal["full", "compact", "reference"]
"""How a frame carries content: all of it, a shortened rendering with a handle to all, or the handle alone."""

FULL: Final = "full"
COMPACT: Final = "compact"
REFERENCE: Final = "reference"

PRESENT: Final[dict[Representation, tuple[str, ...]]] = {
    FULL: ("content",),
    COMPACT: ("content", "content_digest", "canonical_content_hash", "transform", "content_ref"),
    REFERENCE: ("content_ref", "canonical_content_hash"),
}
"""The members that a frame of each representation has."""

ABSENT: Final[dict[Representation, tuple[str, ...]]] = {
    FULL: ("content_ref", "transform", "canonical_content_hash"),
    COMPACT: (),
    REFERENCE: ("content", "content_digest", "transform"),
}
"""The members that it does not have, not even empty."""

RULE: Final[dict[Representation, str]] = {FULL: "P1", COMPACT: "P2", REFERENCE: "P3"}
"""The name of the rule for each representation."""


class Breach(NamedTuple):
    """A rule that a frame breaks."""

    rule: str
    """`P1` to `P4`."""
    member: str
    expected: str
    """What would be right, in words."""

    def __str__(self) -> str:
        return f"{self.member}: expected {self.expected} ({self.rule})"


def token_cost(content: str | None) -> int:
    """What a frame with this inline content costs: its UTF-8 bytes divided by 4, rounded up; 0 without any (P4, B3)."""
    return 0 if content is None else (len(content.encode("utf-8", "surrogatepass")) + 3) // 4


def breaches(frame: ContextFrame) -> Iterator[Breach]:
    """Every rule of the table that a frame breaks, in the order of the table.

    A frame built here breaks none: its class refuses to be. One that was read from a peer may, and this says why it
    is to be set aside. (A full frame with a `canonical_content_hash` breaks P1 and harms nobody: some peers send it.)
    """
    representation: Representation = frame.representation or FULL
    rule = RULE[representation]
    for member in PRESENT[representation]:
        if getattr(frame, member) is None:
            yield Breach(rule, member, f"one in a {representation} frame")
    for member in ABSENT[representation]:
        if getattr(frame, member) is not None:
            yield Breach(rule, member, f"none in a {representation} frame")
    if frame.representation == FULL:
        yield Breach(rule, "representation", "none in a full frame")
    inline = None if representation == REFERENCE else frame.content
    cost = token_cost(inline)
    if frame.token_cost != cost:
        yield Breach("P4", "token_cost", f"{cost}, the cost of what is inline")


def accepted_representations(
    preferences: Sequence[Representation], offered: Collection[Representation]
) -> tuple[Representation, ...]:
    """Those of the preferred representations that are offered, best first, each once; none preferred means full."""
    return tuple(dict.fromkeys(each for each in preferences or (FULL,) if each in offered))


def select_representation(
    preferences: Sequence[Representation], offered: Collection[Representation]
) -> Representation | None:
    """The first of the preferred representations that is offered; none preferred means full.

    None where nothing that is preferred is offered: the answer is `unsupported_representation`.
    """
    return next(iter(accepted_representations(preferences, offered)), None)
