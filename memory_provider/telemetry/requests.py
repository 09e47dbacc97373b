"""Each message that was answered: a span, what is counted, and a line in the log, as far as anybody listens."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from .presence import opentelemetry_is_used

if TYPE_CHECKING:
    from .request_spans import RequestSpan

LOGGER: Final = "memory_provider.requests"
"""The logger that hears of each request, at level INFO."""

CANCELLED: Final = "cancelled"
"""The outcome of a request that was given up before there was an answer."""


class Request(NamedTuple):
    """A message that came. Nothing of it is a text that a peer made up."""

    type: str
    kinds: tuple[str, ...]
    """Kinds of frame that were asked for."""
    began: int
    """In nanoseconds since 1970."""


class Frames(NamedTuple):
    """Frames of one kind in one representation."""

    kind: str
    representation: str


class Served(NamedTuple):
    """What some frames came to."""

    frames: int
    tokens: int


class Outcome(NamedTuple):
    """What a message was answered with."""

    code: str = "ok"
    """`ok`, or the code of the error."""
    served: Mapping[Frames, Served] | None = None
    """None where the answer is none of frames."""
    truncated: bool = False

    @property
    def frames(self) -> int:
        return sum(each.frames for each in (self.served or {}).values())

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in (self.served or {}).values())


def requests_are_told() -> bool:
    """Whether OpenTelemetry or the log wants to hear of requests; loads neither."""
    return opentelemetry_is_used() or _logged()


def answered(request: Request, outcome: Outcome) -> None:
    """Tell of a message that was answered at once."""
    with answering(request) as answer:
        answer.outcome = outcome


class Answer:
    """Where the outcome goes, once it is known."""

    outcome: Outcome | None = None


@contextmanager
def answering(request: Request) -> Iterator[Answer]:
    """While a message is being answered: its span is the current one, and it is told when it ends."""
    answer = Answer()
    if not opentelemetry_is_used():
        try:
            yield answer
        finally:
            _log(request, answer.outcome)
        return
    from .request_spans import request_span

    span: RequestSpan
    with request_span(request) as span:
        try:
            yield answer
        finally:
            span.end(answer.outcome or Outcome(CANCELLED))
            _log(request, answer.outcome)


def _logged() -> bool:
    if "logging" not in sys.modules:
        return False
    import logging  # another thread may have begun to, and then this waits until it is whole

    return logging.getLogger(LOGGER).isEnabledFor(logging.INFO)


def _log(request: Request, outcome: Outcome | None) -> None:
    if not _logged():
        return
    import logging

    told: dict[str, object] = {
        "type": request.type,
        "outcome": outcome.code if outcome else CANCELLED,
        "ms": round((time.time_ns() - request.began) / 1e6, 3),
    }
    if request.kinds:
        told["kinds"] = list(request.kinds)
    if outcome and outcome.served is not None:
        told |= {"frames": outcome.frames, "tokens": outcome.tokens, "truncated": outcome.truncated}
    text = " ".join(
        f"{name}={','.join(value) if isinstance(value, list) else value}" for name, value in told.items()
    )
    logging.getLogger(LOGGER).info("request %s", text, extra={"members": told})
