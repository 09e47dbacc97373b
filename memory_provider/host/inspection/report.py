"""What an inspection comes to: a line for every requirement, with the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from .observations import Observation, Observations
from .requirements import REQUIREMENTS, Level, Requirement


class Status(StrEnum):
    """What became of one requirement."""

    BROKEN = "broken"
    MET = "met"
    """Kept wherever it could be looked at."""
    NOT_OBSERVED = "not observed"
    """It applies, and nothing that happened shows whether it is kept."""
    NOT_APPLICABLE = "not applicable"
    """It is no obligation on a provider that is reached like this and offers what this one does."""


class Result(NamedTuple):
    """One requirement."""

    requirement: Requirement
    status: Status
    level: Level
    """Of a broken one, what was broken of it: a SHOULD in a requirement that also has a MUST is a SHOULD."""
    reason: str | None
    """Why it was not observed, or does not apply."""
    evidence: tuple[Observation, ...]
    """Breaches first; some of them where there are many."""
    observations: int
    """How often it was looked at."""

    def plain(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "id": self.requirement.id,
            "level": self.level,
            "requirement": self.requirement.text,
            "status": self.status.value,
            "reason": self.reason,
            "observations": self.observations,
            "evidence": [each.plain() for each in self.evidence],
        }


@dataclass(frozen=True)
class Report:
    """All requirements on a provider, in the order of the protocol's documents."""

    transport: str
    """`stdio` or `http`."""
    name: str | None
    """Who the provider says it is, as it wrote it; None where it never said."""
    version: str | None
    protocol_version: str | None
    was_asked: bool
    """Whether anything but handshakes was sent."""
    frames: int
    """How many frames an ordinary question got. Without any, little can be seen."""
    results: tuple[Result, ...]

    def of(self, status: Status) -> tuple[Result, ...]:
        """The requirements of a status."""
        return tuple(each for each in self.results if each.status is status)

    def broken(self, level: Level) -> tuple[Result, ...]:
        """Those of which a MUST, or only a SHOULD, is broken."""
        return tuple(each for each in self.of(Status.BROKEN) if each.level == level)

    def __getitem__(self, id: str) -> Result:
        """The result of a requirement by its id."""
        for each in self.results:
            if each.requirement.id == id:
                return each
        raise KeyError(id)

    def passes(self, *, strict: bool = False) -> bool:
        """Whether no MUST is broken; with `strict`, no SHOULD either."""
        return not self.broken("MUST") and not (strict and self.broken("SHOULD"))

    def plain(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "transport": self.transport,
            "provider": {
                "name": self.name,
                "version": self.version,
                "protocol_version": self.protocol_version,
            },
            "asked": self.was_asked,
            "frames": self.frames,
            "counts": {status.value: len(self.of(status)) for status in Status},
            "requirements": [each.plain() for each in self.results],
        }


def results_of(observations: Observations) -> tuple[Result, ...]:
    """A result for every requirement."""
    return tuple(_result(each, observations) for each in REQUIREMENTS)


def _result(requirement: Requirement, observations: Observations) -> Result:
    id = requirement.id
    seen = tuple(sorted(observations.seen.get(id, ()), key=lambda each: (each.holds, each.level)))
    count = observations.counts.get(id, 0)
    breaches = [each for each in seen if not each.holds]
    if breaches:
        level: Level = "MUST" if any(each.level == "MUST" for each in breaches) else "SHOULD"
        return Result(requirement, Status.BROKEN, level, None, seen, count)
    if seen:
        return Result(requirement, Status.MET, requirement.level, None, seen, count)
    if id in observations.inapplicable:
        reason = observations.inapplicable[id]
        return Result(requirement, Status.NOT_APPLICABLE, requirement.level, reason, (), 0)
    reason = requirement.unseen or observations.unseen.get(id, "nothing that happened shows it")
    return Result(requirement, Status.NOT_OBSERVED, requirement.level, reason, (), 0)
