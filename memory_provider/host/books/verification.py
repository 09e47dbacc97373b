"""Which held frames may still be used: only those that their provider says are valid, of all others why not (V3).

Identities are those known here, with the host's own id of each provider; the connection says the declared name in its
place and translates back (D5, V5). Nothing here asks anybody: `plan_verification` says what to ask of whom, and
`settle` what the answers mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ...protocol import FrameId, FrameVerdict
from ...protocol.digests import is_digest


@dataclass(frozen=True, slots=True)
class Stale:
    """The frame says something else now."""

    replacement_digest: str | None = None
    """Which bytes, if the provider told: to recognise them by, not to serve the held ones under."""


@dataclass(frozen=True, slots=True)
class Gone:
    """The frame is no more. The one reason for which asking again is of no use."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The provider cannot say, or did not (V2)."""


@dataclass(frozen=True, slots=True)
class NoDigest:
    """The frame came without a digest, so there is nothing to compare (D3)."""


@dataclass(frozen=True, slots=True)
class VerifyUnsupported:
    """Its provider does not verify."""


@dataclass(frozen=True, slots=True)
class UnknownProvider:
    """No provider of that id is connected."""


@dataclass(frozen=True, slots=True)
class NotConsented:
    """Its provider may not be asked: what was held would leave the machine as part of the question."""

    missing: tuple[str, ...] = ()
    """The scopes that lack a receipt; none where it is the consent to egress that is missing."""


@dataclass(frozen=True, slots=True)
class VerifyFailed:
    """Its provider was asked, and there is no answer."""

    error: str


Impediment: TypeAlias = VerifyUnsupported | NotConsented | VerifyFailed
"""Why a provider that is known is not asked."""

Reason: TypeAlias = Stale | Gone | Unknown | NoDigest | UnknownProvider | Impediment
"""Why a held frame may not be used."""


class Dropped(NamedTuple):
    """A held frame that may not be used, and why."""

    frame: FrameId
    reason: Reason

    @property
    def worth_asking_again(self) -> bool:
        """Whether a new query may bring what the frame says now."""
        return not isinstance(self.reason, Gone)


class Verification(NamedTuple):
    """Every held frame, once: retained, or dropped with a reason. Both in the order in which they were given."""

    retained: tuple[FrameId, ...]
    dropped: tuple[Dropped, ...]

    @property
    def worth_asking_again(self) -> tuple[FrameId, ...]:
        """The frames that a new query may bring back."""
        return tuple(each.frame for each in self.dropped if each.worth_asking_again)


class VerificationPlan(NamedTuple):
    """What to ask, and what need not be asked."""

    held: tuple[FrameId, ...]
    questions: Mapping[str, tuple[FrameId, ...]]
    """By provider: identities with a digest, and nothing but identities (V1)."""
    refused: Mapping[FrameId, Reason]


def plan_verification(
    held: Iterable[FrameId], providers: Mapping[str, Impediment | None]
) -> VerificationPlan:
    """What to ask of each provider. `providers` are those connected; one that has an impediment is not asked (V3h)."""
    frames = tuple(dict.fromkeys(held))
    questions: dict[str, list[FrameId]] = {}
    refused: dict[FrameId, Reason] = {}
    for frame in frames:
        reason = _reason_not_to_ask(frame, providers)
        if reason is None:
            questions.setdefault(frame.provider_id, []).append(frame)
        else:
            refused[frame] = reason
    asked = {provider: tuple(identities) for provider, identities in questions.items()}
    return VerificationPlan(frames, asked, refused)


def settle(
    plan: VerificationPlan, answers: Mapping[str, Iterable[FrameVerdict] | Impediment]
) -> Verification:
    """What the answers mean for every held frame.

    A frame is retained only where its provider says so of its whole identity and says nothing else of it. Verdicts on
    frames that the provider was not asked about count for nothing.
    """
    reasons: dict[FrameId, Reason | None] = dict(plan.refused)
    for provider, frames in plan.questions.items():
        answer = answers.get(provider, VerifyFailed("it was not asked"))
        if isinstance(answer, Impediment):
            reasons.update(dict.fromkeys(frames, answer))
            continue
        verdicts: dict[FrameId, list[FrameVerdict]] = {frame: [] for frame in frames}
        for verdict in answer:
            if verdict.frame in verdicts:
                verdicts[verdict.frame].append(verdict)
        reasons.update((frame, _reason_to_drop(said)) for frame, said in verdicts.items())
    return Verification(
        tuple(frame for frame in plan.held if reasons[frame] is None),
        tuple(Dropped(frame, reason) for frame in plan.held if (reason := reasons[frame]) is not None),
    )


def _reason_not_to_ask(frame: FrameId, providers: Mapping[str, Impediment | None]) -> Reason | None:
    if frame.provider_id not in providers:
        return UnknownProvider()
    return NoDigest() if frame.content_digest is None else providers[frame.provider_id]


def _reason_to_drop(verdicts: list[FrameVerdict]) -> Reason | None:
    """None where all that was said is that the frame is valid, and that was said."""
    statuses = {verdict.status for verdict in verdicts}
    if statuses == {"valid"}:
        return None
    if statuses == {"gone"}:
        return Gone()
    if statuses == {"stale"}:
        named = {verdict.replacement_digest for verdict in verdicts}
        digest = named.pop() if len(named) == 1 else None
        return Stale(digest if digest is not None and is_digest(digest) else None)
    return Unknown()
