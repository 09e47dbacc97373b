"""What can go wrong on the wire, and the codes that name it.

The vocabulary of codes is open (SPEC, "Errors"): a code nobody knows, or none at all, means `internal`.
"""

from typing import Final

BAD_REQUEST: Final = "bad_request"
"""The message is malformed or asks for something contradictory; do not retry it."""
UNSUPPORTED_KIND: Final = "unsupported_kind"
"""None of the frame kinds asked for is served here."""
UNSUPPORTED_REPRESENTATION: Final = "unsupported_representation"
"""None of the representations asked for is served here."""
INCOMPATIBLE_VERSION: Final = "incompatible_version"
"""The peers speak different major families; never retry (X3)."""
BUDGET_UNSATISFIABLE: Final = "budget_unsatisfiable"
"""Nothing fits in `max_tokens`; a larger budget may help."""
UNAVAILABLE: Final = "unavailable"
"""Not now, for example because the store is locked; retry with backoff."""
SHUTTING_DOWN: Final = "shutting_down"
"""The provider is going away; ask a new one."""
INTERNAL: Final = "internal"
"""Anything else that went wrong inside the peer."""

ERROR_CODES: Final = frozenset(
    {
        BAD_REQUEST,
        UNSUPPORTED_KIND,
        UNSUPPORTED_REPRESENTATION,
        INCOMPATIBLE_VERSION,
        BUDGET_UNSATISFIABLE,
        UNAVAILABLE,
        SHUTTING_DOWN,
        INTERNAL,
    }
)
"""Every code the protocol defines. A vendor's own code is `vendor:name` (U3)."""

_LONGEST_EXCERPT = 48
_LONGEST_MESSAGE = 400


def known_code(code: str | None) -> str:
    """The code to act on: itself if the protocol or its lifecycle profile defines it, else `internal` (X1, X2)."""
    if code in ERROR_CODES:
        return code
    from .lifecycle.codes import LIFECYCLE_CODES

    return code if code in LIFECYCLE_CODES else INTERNAL


class ProtocolError(Exception):
    """Base of every error of this package; `str(error)` is one line and safe to show.

    `code` is the error code to answer with; `id` is the correlation id to echo, if one is known.
    """

    code: str = INTERNAL

    def __init__(self, message: str, *, id: str | None = None) -> None:
        self.message = clamp(message)
        self.id = id
        super().__init__(self.message)


class DecodeError(ProtocolError):
    """Bytes from a peer that are no envelope.

    `type` is the envelope's `type` where it could be read. `reply` says whether the sender waits for an
    answer: it is false only for a notification of an unknown type, which is to be ignored (T3).
    """

    code = BAD_REQUEST

    def __init__(
        self, message: str, *, id: str | None = None, type: str | None = None, reply: bool = True
    ) -> None:
        super().__init__(message, id=id)
        self.type = type
        self.reply = reply


class UnknownTypeError(DecodeError):
    """A well-formed object whose `type` this version does not define (T3).

    With an id it is a request: answer `bad_request`. Without one it is a notification: ignore it.
    """


class EncodeError(ProtocolError):
    """An envelope of ours that cannot be written: not JSON, not Unicode, or longer than a peer would read."""


class InvalidMember(ProtocolError, ValueError):
    """A wire object was built with a member that contradicts the protocol.

    `member` is its name, `expected` what would be right.
    """

    code = BAD_REQUEST

    def __init__(self, member: str, expected: str, value: object) -> None:
        self.member = member
        self.expected = expected
        self.value = value
        super().__init__(f"{member}: expected {expected}, got {describe(value)}")


class TimestampError(ProtocolError, ValueError):
    """A text that is no timestamp of the wire profile, or an instant the profile cannot write (F4)."""

    code = BAD_REQUEST


class IncompatibleVersion(ProtocolError):
    """The peer speaks another major family of the protocol (H3)."""

    code = INCOMPATIBLE_VERSION


def describe(value: object) -> str:
    """A JSON value in a few words for an error message; never more than a short excerpt of it."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return f"the text {excerpt(value)}"
    if isinstance(value, int):
        # A number of hundreds of digits is legal JSON; its length says enough.
        return str(value) if -(10**20) < value < 10**20 else f"an integer of {value.bit_length()} bits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    return f"a {type(value).__name__}"


def excerpt(text: str) -> str:
    """The beginning of a text, quoted on one line, with what cannot be printed escaped."""
    if len(text) <= _LONGEST_EXCERPT:
        return repr(text)
    return f"{text[:_LONGEST_EXCERPT]!r}…"


def clamp(message: str) -> str:
    """A message cut to a length that fits a log line."""
    if len(message) <= _LONGEST_MESSAGE:
        return message
    return message[: _LONGEST_MESSAGE - 1] + "…"
