"""What to do about an error (SPEC 10)."""

from __future__ import annotations

from enum import Enum
from typing import Final

from ..protocol import (
    BAD_REQUEST,
    BUDGET_UNSATISFIABLE,
    INCOMPATIBLE_VERSION,
    SHUTTING_DOWN,
    UNAVAILABLE,
    UNSUPPORTED_KIND,
    UNSUPPORTED_REPRESENTATION,
    known_code,
)
from .errors import (
    AnswerTimeout,
    ConnectionClosed,
    HandshakeTimeout,
    HostError,
    NotOffered,
    PlaintextRefused,
    ProviderCrashed,
    ProviderError,
    Unauthorized,
    VersionMismatch,
    WireError,
)


class Reaction(Enum):
    """What to do next."""

    DO_NOT_RETRY = "do_not_retry"
    """The same question would fail again."""
    NARROW_OR_SKIP = "narrow_or_skip"
    """Ask for what the provider serves, or leave it out."""
    DROP_PROVIDER = "drop_provider"
    """Ask it no more (X3)."""
    RAISE_BUDGET = "raise_budget"
    """A larger budget may help."""
    BACK_OFF = "back_off"
    """Ask later."""
    RESPAWN = "respawn"
    """Ask a new process or connection."""
    REPORT_AND_COUNT = "report_and_count"
    """Nothing is known about it."""


_BY_CODE: Final = {
    BAD_REQUEST: Reaction.DO_NOT_RETRY,
    UNSUPPORTED_KIND: Reaction.NARROW_OR_SKIP,
    UNSUPPORTED_REPRESENTATION: Reaction.NARROW_OR_SKIP,
    INCOMPATIBLE_VERSION: Reaction.DROP_PROVIDER,
    BUDGET_UNSATISFIABLE: Reaction.RAISE_BUDGET,
    UNAVAILABLE: Reaction.BACK_OFF,
    SHUTTING_DOWN: Reaction.RESPAWN,
}

_BY_ERROR: Final[tuple[tuple[type[HostError], Reaction], ...]] = (
    (VersionMismatch, Reaction.DROP_PROVIDER),
    (PlaintextRefused, Reaction.DROP_PROVIDER),
    (Unauthorized, Reaction.DO_NOT_RETRY),
    (NotOffered, Reaction.NARROW_OR_SKIP),
    (ProviderCrashed, Reaction.RESPAWN),
    (WireError, Reaction.RESPAWN),
    (ConnectionClosed, Reaction.BACK_OFF),
    (HandshakeTimeout, Reaction.BACK_OFF),
    (AnswerTimeout, Reaction.BACK_OFF),
)


def reaction_to_code(code: str | None) -> Reaction:
    """What to do about an error code; one that is unknown or absent means `internal` (X1, X2)."""
    return _BY_CODE.get(known_code(code), Reaction.REPORT_AND_COUNT)


def reaction_to(error: HostError) -> Reaction:
    """What to do about an error of an exchange."""
    if isinstance(error, ProviderError):
        return reaction_to_code(error.code)
    return next((do for kind, do in _BY_ERROR if isinstance(error, kind)), Reaction.REPORT_AND_COUNT)
