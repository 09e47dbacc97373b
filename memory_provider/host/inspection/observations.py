"""What was seen of a provider, requirement by requirement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from ..errors import peer_text
from .requirements import BY_ID, Level

LONGEST_EVIDENCE: Final = 400
"""Bytes of a message that are shown."""
MOST_KEPT: Final = 5
"""How many breaches of one requirement are kept in full, of its MUST and of its SHOULD each; all are counted."""


class Exchange(NamedTuple):
    """A message that was sent, and what came of it."""

    sent: bytes | None = None
    came: bytes | None = None


class Observation(NamedTuple):
    """One sight of a requirement being kept or broken."""

    holds: bool
    level: Level
    what: str
    """What was seen, in words."""
    sent: str | None = None
    came: str | None = None
    """What the provider wrote, cut and harmless."""

    def plain(self) -> dict[str, Any]:
        """The same for JSON."""
        return {"holds": self.holds, "what": self.what, "sent": self.sent, "came": self.came}


class Observations:
    """Collects what checks see. Nothing said of a requirement here is taken back: one breach outweighs all else."""

    def __init__(self, secret: str | None = None) -> None:
        self._secret = secret
        self.seen: dict[str, list[Observation]] = defaultdict(list)
        self.counts: dict[str, int] = defaultdict(int)
        self.unseen: dict[str, str] = {}
        self.inapplicable: dict[str, str] = {}

    def met(self, id: str, what: str, exchange: Exchange | None = None) -> None:
        """The requirement was kept, where it could have been broken."""
        self._add(id, True, what, exchange, None)

    def broken(
        self, id: str, what: str, exchange: Exchange | None = None, *, level: Level | None = None
    ) -> None:
        """The requirement was broken. `level` is given where only the part of it was that is no MUST."""
        self._add(id, False, what, exchange, level)

    def holds(
        self,
        id: str,
        holds: bool,
        kept: str,
        breach: str,
        exchange: Exchange | None = None,
        *,
        level: Level | None = None,
    ) -> bool:
        """The one or the other; answers which."""
        if holds:
            self.met(id, kept, exchange)
        else:
            self.broken(id, breach, exchange, level=level)
        return holds

    def not_seen(self, ids: str | Iterable[str], why: str) -> None:
        """Why a requirement could not be looked at. The first reason stays."""
        for id in [ids] if isinstance(ids, str) else ids:
            self.unseen.setdefault(id, why)

    def does_not_apply(self, ids: str | Iterable[str], why: str) -> None:
        """Why a requirement is none on this provider."""
        for id in [ids] if isinstance(ids, str) else ids:
            self.inapplicable.setdefault(id, why)

    def has_seen(self, id: str) -> bool:
        """Whether the requirement was looked at."""
        return id in self.seen

    def is_broken(self, id: str) -> bool:
        """Whether it was broken."""
        return any(not each.holds for each in self.seen.get(id, ()))

    def _add(self, id: str, holds: bool, what: str, exchange: Exchange | None, level: Level | None) -> None:
        self.counts[id] += 1
        kept, level = self.seen[id], level or BY_ID[id].level
        alike = sum(each.holds is holds and each.level == level for each in kept)
        if alike >= (1 if holds else MOST_KEPT):
            return
        sent, came = exchange or Exchange()
        kept.append(
            Observation(
                holds,
                level,
                what if self._secret is None else what.replace(self._secret, "…"),
                self._shown(sent),
                self._shown(came),
            )
        )

    def _shown(self, data: bytes | None) -> str | None:
        if data is None:
            return None
        if self._secret is not None:
            data = data.replace(self._secret.encode(), "…".encode())
        shown = peer_text(data[:LONGEST_EVIDENCE])
        return f"{shown}… ({len(data)} bytes)" if len(data) > LONGEST_EVIDENCE else shown
