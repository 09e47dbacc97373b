"""A span and the counts of each message. Imports OpenTelemetry's API: ask `presence` before importing this."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from opentelemetry.trace import Span, SpanKind, Status, StatusCode, use_span

from . import attributes, instruments

if TYPE_CHECKING:
    from .requests import Outcome, Request


class RequestSpan:
    """The span of a message that is being answered."""

    def __init__(self, span: Span, request: Request) -> None:
        self._span = span
        self._request = request

    def end(self, outcome: Outcome) -> None:
        """Tell what it was answered with."""
        ended = time.time_ns()
        told = {attributes.REQUEST_TYPE: self._request.type, attributes.OUTCOME: outcome.code}
        instruments.REQUESTS.add(1, told)
        instruments.REQUEST_DURATION.record((ended - self._request.began) / 1e9, told)
        self._span.set_attribute(attributes.OUTCOME, outcome.code)
        if outcome.code != "ok":
            self._span.set_attribute(attributes.ERROR_TYPE, outcome.code)
            self._span.set_status(Status(StatusCode.ERROR))
            instruments.ERRORS.add(1, told)
        if outcome.served is not None:
            self._span.set_attribute(attributes.FRAMES, outcome.frames)
            self._span.set_attribute(attributes.TOKENS, outcome.tokens)
            self._span.set_attribute(attributes.TRUNCATED, outcome.truncated)
            for frames, served in outcome.served.items():
                of_them = {
                    attributes.FRAME_KIND: frames.kind,
                    attributes.FRAME_REPRESENTATION: frames.representation,
                }
                instruments.FRAMES.add(served.frames, of_them)
                instruments.TOKENS.add(served.tokens, of_them)
        self._span.end(ended)


@contextmanager
def request_span(request: Request) -> Iterator[RequestSpan]:
    """A span that begins when the message came and is current meanwhile. Whoever has the outcome ends it."""
    told: dict[str, str | tuple[str, ...]] = {attributes.REQUEST_TYPE: request.type}
    if request.kinds:
        told[attributes.REQUEST_KINDS] = request.kinds
    span = instruments.TRACER.start_span(
        f"contextgraph {request.type}",
        kind=SpanKind.SERVER,
        attributes=told,
        start_time=request.began,
        record_exception=False,
        set_status_on_exception=False,
    )
    with use_span(span, record_exception=False, set_status_on_exception=False):
        yield RequestSpan(span, request)
