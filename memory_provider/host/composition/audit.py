"""What became of every frame that was offered: each is included, or excluded with the reason (COMP6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

from ...attestation import Verdict
from ...protocol import FrameId
from ...protocol.encoding import plain
from ..evidence import UNATTESTED, Evidence
from .deduplication import Sameness


@dataclass(frozen=True, slots=True)
class Included:
    """The frame is in the prompt."""

    position: int
    """Which block it is, from 0."""
    rank: int
    """Which frame it was to the ranking, from 0."""
    cost: int
    """What its block took of the budget."""
    verifiable: bool
    """Whether it has a digest, so that its provider can be asked later whether it still holds."""

    outcome: ClassVar[str] = "included"


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Another frame stands for it, which was itself included or was over the budget."""

    of: FrameId
    by: Sameness

    outcome: ClassVar[str] = "duplicate"


@dataclass(frozen=True, slots=True)
class OverBudget:
    """Its block costs more than remained when its turn came."""

    cost: int
    remaining: int

    outcome: ClassVar[str] = "over_budget"


@dataclass(frozen=True, slots=True)
class Rejected:
    """It breaks rules of the protocol, so it was set aside before anything was composed (COMP7)."""

    reasons: tuple[str, ...]

    outcome: ClassVar[str] = "rejected"


Exclusion: TypeAlias = Duplicate | OverBudget | Rejected
"""Why a frame is not in the prompt. That evidence for it is missing or wrong is never among the reasons (F9)."""

Disposition: TypeAlias = Included | Exclusion
"""What became of a frame."""


class AuditEntry(NamedTuple):
    """What became of one frame."""

    frame: FrameId
    disposition: Disposition
    evidence: Evidence | None = None
    """What attests it; None if nothing does."""

    @property
    def verdict(self) -> Verdict:
        """Whether the frame is what the holder of a key vouched for. `covers_content` tells a signature over its
        content from one over its identity alone (F15, F16)."""
        return UNATTESTED if self.evidence is None else self.evidence.verdict

    @property
    def is_included(self) -> bool:
        """Whether the frame is in the prompt."""
        return isinstance(self.disposition, Included)


class Audit(NamedTuple):
    """Every frame that was offered, as often as it was, in canonical order."""

    entries: tuple[AuditEntry, ...]
    global_budget: int
    tokens_used: int
    ranking: str
    """The name of the policy that decided who was first."""

    @property
    def included(self) -> tuple[AuditEntry, ...]:
        """The frames in the prompt."""
        return tuple(entry for entry in self.entries if entry.is_included)

    @property
    def excluded(self) -> tuple[AuditEntry, ...]:
        """The frames that are not."""
        return tuple(entry for entry in self.entries if not entry.is_included)

    def plain(self) -> dict[str, Any]:
        """The audit as plain JSON values."""
        return {
            "global_budget": self.global_budget,
            "tokens_used": self.tokens_used,
            "ranking": self.ranking,
            "entries": [_entry(entry) for entry in self.entries],
        }


def _entry(entry: AuditEntry) -> dict[str, Any]:
    shown: dict[str, Any] = {"frame": plain(entry.frame), "outcome": entry.disposition.outcome}
    match entry.disposition:
        case Included(position, rank, cost, verifiable):
            shown |= {"position": position, "rank": rank, "cost": cost, "verifiable": verifiable}
        case Duplicate(of, by):
            shown |= {"of": plain(of), "by": by.value}
        case OverBudget(cost, remaining):
            shown |= {"cost": cost, "remaining": remaining}
        case Rejected(reasons):
            shown["reasons"] = list(reasons)
    shown["evidence"] = _evidence(entry)
    return shown


def _evidence(entry: AuditEntry) -> dict[str, Any]:
    """The key is the one here that the signatures were checked with. What an attestation claims of its issuer and its
    time is not shown, as no signature covers it (F18)."""
    verdict, evidence = entry.verdict, entry.evidence
    shown: dict[str, Any] = {
        "status": verdict.status.value,
        "covers_content": verdict.covers_content,
        "finding": None if verdict.finding is None else verdict.finding.value,
        "checked_with": None if verdict.key is None else plain(verdict.key),
    }
    if (
        evidence is not None
        and evidence.inclusion_proof is not None
        and evidence.result_attestation is not None
    ):
        shown["inclusion_proof"] = plain(evidence.inclusion_proof)
        shown["root"] = evidence.result_attestation.signed_commitment
    return shown
