"""What became of asking one provider: one outcome for each provider asked, and each kind of outcome a type.

Nothing here is an exception: that one provider fails takes nothing from the others (R4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ..protocol import DataFlow, FrameId
from .errors import peer_text
from .evidence import Evidence
from .offers import Offered


class Quarantined(NamedTuple):
    """A frame that breaks rules of the protocol: set aside, told of, and never composed."""

    offered: Offered
    reasons: tuple[str, ...]
    """Each names the rule."""

    @property
    def identity(self) -> FrameId:
        """The identity of the frame in this host."""
        return self.offered.identity


@dataclass(frozen=True, slots=True)
class Frames:
    """The provider answered within the limits of the query."""

    provider_id: str
    frames: tuple[Offered, ...]
    """What may be composed, in the order of the answer."""
    truncated: bool = False
    dropped_estimate: int | None = None
    quarantined: tuple[Quarantined, ...] = ()
    reports: tuple[str, ...] = ()
    """What is wrong with frames that are composed all the same."""
    evidence: Mapping[FrameId, Evidence] = field(default_factory=dict)
    """What attests the frames, by their identity in this host."""
    withheld: tuple[str, ...] = ()
    """Members of the query that were not sent to this provider, which does not offer what they ask for."""


@dataclass(frozen=True, slots=True)
class BudgetLie:
    """The frames cost more than was asked for, so none of them is used (B2)."""

    provider_id: str
    claimed_tokens: int
    """What the frames declare, or what their content costs where that is more."""
    max_tokens: int
    dropped_frames: int

    def __str__(self) -> str:
        return (
            f"provider {self.provider_id}: {self.claimed_tokens} tokens where {self.max_tokens} were asked for; "
            f"all of its {self.dropped_frames} frames are dropped (B2)"
        )


@dataclass(frozen=True, slots=True)
class FrameFlood:
    """There were more frames than were asked for, so none of them is used (B4)."""

    provider_id: str
    returned_frames: int
    max_frames: int

    def __str__(self) -> str:
        return (
            f"provider {self.provider_id}: {self.returned_frames} frames where {self.max_frames} were asked for; "
            "all of them are dropped (B4)"
        )


@dataclass(frozen=True, slots=True)
class ConsentRequired:
    """Nothing was sent: that data leaves the machine has not been consented to (C1, C2)."""

    provider_id: str
    data_flow: DataFlow

    def __str__(self) -> str:
        return (
            f"provider {self.provider_id}: what it is asked leaves this machine; grant it consent first (C2)"
        )


@dataclass(frozen=True, slots=True)
class ConsentScopeRequired:
    """Nothing was sent: some of the scopes that data leaves to lack a receipt (C6)."""

    provider_id: str
    data_flow: DataFlow
    missing: tuple[str, ...]

    def __str__(self) -> str:
        scopes = ", ".join(map(peer_text, self.missing))
        return f"provider {self.provider_id}: data leaves to {scopes}; grant receipts for them first (C6)"


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no answer that could be used."""

    provider_id: str
    error: Exception

    def __str__(self) -> str:
        return str(self.error)


Outcome: TypeAlias = Frames | BudgetLie | FrameFlood | ConsentRequired | ConsentScopeRequired | Failed
"""What became of asking one provider."""
