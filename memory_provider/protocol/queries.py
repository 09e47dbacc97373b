"""A question to a provider and its answer (SPEC 5 and 6)."""

from collections.abc import Mapping
from typing import ClassVar

from . import timestamps
from .attestations import FrameAttestation, ProvenanceAttestation
from .errors import InvalidMember, TimestampError
from .frames import ContextFrame, Representation
from .wire_objects import U32, ExtensibleObject


class ContextQuery(ExtensibleObject):
    """What a host wants to know and how much it can take.

    `goal` is the task in words, `query_text` a shorter text to search for. `max_frames` and `max_tokens` are
    hard limits, the latter over the sum of `token_cost` (B1, B4). `kinds` filters if it is not empty (Q1);
    `anchors` are URIs to prefer what is near to (G3). `as_of` asks for what holds at that instant (Q2).
    `embedding` is a vector in the provider's own space, sent only if the fingerprints are equal (E1).
    `representation_preferences` is in order of preference, none meaning full frames only (P5).

    Raises `InvalidMember` if `as_of` is no timestamp of the profile F4.
    """

    goal: str
    query_text: str | None = None
    embedding: tuple[float, ...] | None = None
    kinds: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    max_frames: U32
    max_tokens: U32
    as_of: str | None = None
    representation_preferences: tuple[Representation, ...] = ()

    text_patterns: ClassVar[Mapping[str, str]] = {"as_of": f"^{timestamps.PATTERN}$"}

    def check(self) -> None:
        try:
            self.as_of_microseconds  # noqa: B018
        except TimestampError:
            raise InvalidMember("as_of", timestamps.EXPECTED, self.as_of) from None

    @property
    def as_of_microseconds(self) -> int | None:
        """`as_of` in microseconds since the Unix epoch; year 0000 comes before all that `datetime` can say."""
        return None if self.as_of is None else timestamps.parse_timestamp(self.as_of)


class ContextQueryResult(ExtensibleObject):
    """The frames that answer a query, best first as far as the provider can tell.

    `truncated` says that more would have been relevant than fitted; `dropped_estimate` about how many frames.
    The attestations are detached: they name frames of this result and are part of none (F6, F11).
    """

    frames: tuple[ContextFrame, ...]
    truncated: bool
    dropped_estimate: U32 | None = None
    frame_attestations: tuple[FrameAttestation, ...] = ()
    result_attestation: ProvenanceAttestation | None = None
