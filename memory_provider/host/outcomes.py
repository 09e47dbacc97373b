"""What became of asking one provider: one outcome for each provider asked, and each kind of outcome a type.

Nothing here is an exception: that one provider fails takes nothing from the others (R4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ..protocol import DataFlow, FrameId
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


@dataclass(frozen=True, slots=True)
class BudgetLie:
    """The frames cost more than was asked for, so none of them is used (B2)."""

    provider_id: str
    claimed_tokens: int
    max_tokens: int
    dropped_frames: int


@dataclass(frozen=True, slots=True)
class FrameFlood:
    """There were more frames than were asked for, so none of them is used (B4)."""

    provider_id: str
    returned_frames: int
    max_frames: int


@dataclass(frozen=True, slots=True)
class ConsentRequired:
    """Nothing was sent: that data leaves the machine has not been consented to (C1, C2)."""

    provider_id: str
    data_flow: DataFlow


@dataclass(frozen=True, slots=True)
class ConsentScopeRequired:
    """Nothing was sent: some of the scopes that data leaves to lack a receipt (C6)."""

    provider_id: str
    data_flow: DataFlow
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no answer that could be used."""

    provider_id: str
    error: Exception


Outcome: TypeAlias = Frames | BudgetLie | FrameFlood | ConsentRequired | ConsentScopeRequired | Failed
"""What became of asking one provider."""
