"""What each provider came to: one line for people, and a shape for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..showing.counting import counted
from ..showing.shapes import Shape
from .providers import Providers

if TYPE_CHECKING:
    from ...host import Outcome
    from ...host.outcomes import Frames


def outcome_line(outcome: Outcome, providers: Providers, consents: str | None) -> str:
    """One provider on a line, with what to type where that helps; `consents` is the file that was named, if any."""
    from ...host import ConsentRequired, ConsentScopeRequired, Frames
    from ...host.errors import Unauthorized

    match outcome:
        case Frames():
            return f"provider {outcome.provider_id}: {'; '.join(_said(outcome))}"
        case ConsentRequired() | ConsentScopeRequired():
            return f"{outcome}: {granting(outcome.provider_id, providers, consents)}"
    if isinstance(getattr(outcome, "error", None), Unauthorized):
        return f"{outcome}; give --token-file {outcome.provider_id}=FILE"
    return str(outcome)


def outcome_shape(outcome: Outcome) -> Shape:
    """An outcome as `--json` has it."""
    from ...host import (
        BudgetLie,
        ConsentRequired,
        ConsentScopeRequired,
        Failed,
        FrameFlood,
        Frames,
        HostError,
        reaction_to,
    )
    from ...protocol.encoding import plain

    shape: Shape = {"provider": outcome.provider_id}
    match outcome:
        case Frames():
            frames = [each.frame for each in outcome.frames]
            return shape | {
                "outcome": "frames",
                "frames": len(frames),
                "token_cost": sum(each.token_cost for each in frames),
                "truncated": outcome.truncated,
                "dropped_estimate": outcome.dropped_estimate,
                "quarantined": [
                    {"frame": plain(each.identity), "reasons": list(each.reasons)}
                    for each in outcome.quarantined
                ],
                "reports": list(outcome.reports),
                "withheld": list(outcome.withheld),
            }
        case BudgetLie():
            shape |= {
                "outcome": "budget_lie",
                "claimed_tokens": outcome.claimed_tokens,
                "max_tokens": outcome.max_tokens,
                "dropped_frames": outcome.dropped_frames,
            }
        case FrameFlood():
            shape |= {
                "outcome": "frame_flood",
                "returned_frames": outcome.returned_frames,
                "max_frames": outcome.max_frames,
            }
        case ConsentRequired():
            shape |= {"outcome": "consent_required", "data_flow": plain(outcome.data_flow), "missing": []}
        case ConsentScopeRequired():
            shape |= {
                "outcome": "consent_scope_required",
                "data_flow": plain(outcome.data_flow),
                "missing": list(outcome.missing),
            }
        case Failed():
            error = outcome.error
            reaction = reaction_to(error).value if isinstance(error, HostError) else None
            shape |= {"outcome": "failed", "error": type(error).__name__, "reaction": reaction}
    return shape | {"message": str(outcome)}


def _said(outcome: Frames) -> list[str]:
    from ...provider.extensions import KNOWN_AT

    parts = [
        f"{counted(len(outcome.frames), 'frame')}, "
        f"{counted(sum(each.frame.token_cost for each in outcome.frames), 'token')}"
    ]
    if outcome.quarantined:
        first = outcome.quarantined[0]
        parts.append(f"{len(outcome.quarantined)} set aside, the first because of {'; '.join(first.reasons)}")
    if outcome.reports:
        parts.append(f"{counted(len(outcome.reports), 'report')}: {outcome.reports[0]}")
    if outcome.truncated:
        parts.append("it has more")
    others = [each for each in outcome.withheld if each != KNOWN_AT]
    if KNOWN_AT in outcome.withheld:
        parts.append("it takes no --known-at, so this is what it knows now")
    if others:
        parts.append(f"it was not sent {', '.join(others)}, which it does not take")
    return parts


def granting(id: str, providers: Providers, consents: str | None) -> str:
    """What to type to grant a provider consent."""
    words = ["memory-provider host consent grant", id, providers.option(id)]
    if consents is not None:
        words.append(f"--consents {consents}")
    return " ".join(words)
