"""Which frame is packed before which: policies of the host, named in the audit.

Scores are comparable within one provider only (F10). `ByScore` compares them across providers all the same, which is a
policy and no more; `RoundRobin` does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import ClassVar, Protocol

from ..offers import Offered


class Ranking(Protocol):
    """A policy: an order of frames."""

    @property
    def name(self) -> str:
        """What the audit calls it."""
        ...

    def ranked(self, frames: Sequence[Offered]) -> Sequence[Offered]:
        """All of the frames, best first. They come in canonical order, so a stable sort is deterministic."""
        ...


@dataclass(frozen=True, slots=True)
class ByScore:
    """The highest score first, whoever gave it; equal scores in canonical order."""

    name: ClassVar[str] = "by_score"

    def ranked(self, frames: Sequence[Offered]) -> Sequence[Offered]:
        return sorted(frames, key=lambda offered: -offered.frame.score)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """The best of each provider, then the second of each and so on, providers in the order of their ids."""

    name: ClassVar[str] = "round_robin"

    def ranked(self, frames: Sequence[Offered]) -> Sequence[Offered]:
        by_provider: dict[str, list[Offered]] = defaultdict(list)
        for offered in ByScore().ranked(frames):
            by_provider[offered.provider_id].append(offered)
        rounds = zip_longest(*(by_provider[provider] for provider in sorted(by_provider, key=str.encode)))
        return [offered for each in rounds for offered in each if offered is not None]


@dataclass(frozen=True, slots=True)
class PerProviderQuota:
    """By score, but a provider's frames beyond its first `quota` come after those that are within theirs."""

    quota: int = 3

    @property
    def name(self) -> str:
        return f"per_provider_quota_{self.quota}"

    def ranked(self, frames: Sequence[Offered]) -> Sequence[Offered]:
        within: list[Offered] = []
        beyond: list[Offered] = []
        taken: dict[str, int] = defaultdict(int)
        for offered in ByScore().ranked(frames):
            taken[offered.provider_id] += 1
            (within if taken[offered.provider_id] <= self.quota else beyond).append(offered)
        return [*within, *beyond]


BY_SCORE = ByScore()
ROUND_ROBIN = RoundRobin()
