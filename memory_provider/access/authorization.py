"""From the header `Authorization` to who asks, or to why nobody does (RFC 6750). No I/O."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from ..temporal.instants import Instant, now
from .principal import Principal
from .tokens import Tokens

LONGEST_HEADER: Final = 4096

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*) *", re.IGNORECASE)


class Refused(NamedTuple):
    """Nobody: the answer has status 401. Holds nothing of what was sent."""

    reason: Literal["missing", "malformed", "unknown"]
    message: str
    """For the peer."""
    challenge: str
    """The value of the answer's header `WWW-Authenticate`."""


MISSING: Final = Refused("missing", "this takes a token: Authorization: Bearer …", "Bearer")
MALFORMED: Final = Refused(
    "malformed", "the header Authorization is not one Bearer token", 'Bearer error="invalid_request"'
)
UNKNOWN: Final = Refused(
    "unknown", "this token is not known here, has expired or was revoked", 'Bearer error="invalid_token"'
)


def authorize(header: str | None, tokens: Tokens, at: Instant | None = None) -> Principal | Refused:
    """Who sent a request with this value of `Authorization`, None being no such header.

    Several such headers are none: join their values with a comma, and they are refused.
    """
    if header is None:
        return MISSING
    match = _BEARER.fullmatch(header) if len(header) <= LONGEST_HEADER else None
    if match is None:
        return MALFORMED
    return tokens.holder(match[1], now() if at is None else at) or UNKNOWN
