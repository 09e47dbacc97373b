"""What an answer cost, itemised so that anybody can add it up again (UR1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...protocol import FrameId
from ...protocol.encoding import plain
from ..outcomes import BudgetLie, FrameFlood, Frames, Outcome


class ServedFrame(NamedTuple):
    """One frame that was served, and what its provider charged."""

    frame: FrameId
    token_cost: int


class ProviderUsage(NamedTuple):
    """What one provider served."""

    provider_id: str
    frames_served: int
    frames_rejected: int
    """Frames that came and may not be used: all of an answer beyond its limits, or those that break a rule."""
    token_cost: int
    served_frames: tuple[ServedFrame, ...]


class UsageReport(NamedTuple):
    """What was asked for and what it cost, in budget tokens."""

    budget_requested: int
    budget_consumed: int
    """The sum over all frames served. Frames that were rejected, and those reused from an earlier turn, cost nothing
    here."""
    as_of: str | None
    """The instant that the frames were to hold at, if one was asked for."""
    providers: tuple[ProviderUsage, ...]
    """Everyone who was asked, in the order of the ids, whether or not anything was served."""

    @property
    def is_consistent(self) -> bool:
        """Whether every sum is that of its items."""
        return self.budget_consumed == sum(each.token_cost for each in self.providers) and all(
            each.token_cost == sum(served.token_cost for served in each.served_frames)
            and each.frames_served == len(each.served_frames)
            for each in self.providers
        )

    def plain(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "budget_requested": self.budget_requested,
            "budget_consumed": self.budget_consumed,
            "as_of": self.as_of,
            "providers": [
                {
                    **each._asdict(),
                    "served_frames": [
                        {"frame": plain(served.frame), "token_cost": served.token_cost}
                        for served in each.served_frames
                    ],
                }
                for each in self.providers
            ],
        }


def usage_report(outcomes: Iterable[Outcome], budget_requested: int, as_of: str | None = None) -> UsageReport:
    """The report on one fan-out. `budget_requested` is what all providers together were given."""
    providers = sorted(map(_usage, outcomes), key=lambda usage: usage.provider_id.encode())
    consumed = sum(usage.token_cost for usage in providers)
    return UsageReport(budget_requested, consumed, as_of, tuple(providers))


def _usage(outcome: Outcome) -> ProviderUsage:
    served: tuple[ServedFrame, ...] = ()
    rejected = 0
    match outcome:
        case Frames():
            served = tuple(
                ServedFrame(offered.identity, offered.frame.token_cost) for offered in outcome.frames
            )
            rejected = len(outcome.quarantined)
        case BudgetLie():
            rejected = outcome.dropped_frames
        case FrameFlood():
            rejected = outcome.returned_frames
    cost = sum(each.token_cost for each in served)
    return ProviderUsage(outcome.provider_id, len(served), rejected, cost, served)
