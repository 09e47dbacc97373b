"""A span and a duration for each call of a store. Imports OpenTelemetry's API: ask `presence` before importing this.

An error is told by its type alone. Its text is not: it may hold what was asked, or an address.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from opentelemetry.trace import Span, SpanKind, Status, StatusCode, set_span_in_context, use_span

from . import attributes, instruments

Attributes = Mapping[str, str | int]

EMBEDDED: Final = frozenset({"sqlite"})
"""Systems that run in this process: the conventions have their calls internal, not a client's."""


class Arm(NamedTuple):
    """One arm of a search."""

    name: str
    hits: int
    limit: int | None
    times: tuple[int, int] | None
    """Its beginning and its end in nanoseconds since 1970; None where only the whole search was timed."""


class StoreCall:
    """A call that is being made."""

    def __init__(self, span: Span, started: int) -> None:
        self.span = span
        self.started = started
        self.ended: int | None = None
        """Set by `answered`."""

    def answered(self, rows: int | None) -> None:
        """The answer is there; what is done with it from now on is none of the store's time."""
        self.ended = time.time_ns()
        if rows is not None:
            self.span.set_attribute(attributes.DB_RESPONSE_RETURNED_ROWS, rows)

    def within(self, scope_hash: str | None) -> None:
        """Tell the scope, as a hash."""
        if scope_hash is not None:
            self.span.set_attribute(attributes.SCOPE_HASH, scope_hash)

    def searched(self, arms: Iterable[Arm]) -> None:
        """Tell the arms of a search, each as a span in this one's."""
        parent = set_span_in_context(self.span)
        for arm in arms:
            started, ended = arm.times or (self.started, self.ended or time.time_ns())
            told: dict[str, str | int | bool] = {
                attributes.ARM: arm.name,
                attributes.ARM_HITS: arm.hits,
                attributes.ARM_TIMED: arm.times is not None,
            }
            if arm.limit is not None:
                told[attributes.ARM_LIMIT] = arm.limit
            instruments.TRACER.start_span(
                f"search {arm.name}", parent, attributes=told, start_time=started
            ).end(ended)
            instruments.ARM_HITS.record(arm.hits, {attributes.ARM: arm.name})


@contextmanager
def store_call(system: str, operation: str, about: Attributes) -> Iterator[StoreCall]:
    """A span around a call of a store, current while it lasts, and its duration."""
    call = begin(system, operation, about)
    kind: str | None = None
    try:
        with use_span(call.span, record_exception=False, set_status_on_exception=False):
            yield call
    except BaseException as problem:
        kind = type(problem).__name__
        raise
    finally:
        end(call, system, operation, about, kind)


def begin(system: str, operation: str, about: Attributes) -> StoreCall:
    """Start the span of a call without making it current."""
    started = time.time_ns()
    span = instruments.TRACER.start_span(
        f"{operation} {system}",
        kind=SpanKind.INTERNAL if system in EMBEDDED else SpanKind.CLIENT,
        attributes={attributes.DB_SYSTEM_NAME: system, attributes.DB_OPERATION_NAME: operation, **about},
        start_time=started,
        record_exception=False,
        set_status_on_exception=False,
    )
    return StoreCall(span, started)


def end(call: StoreCall, system: str, operation: str, about: Attributes, error: str | None) -> None:
    """End the span of a call, and count its time; `error` is the type of what it raised."""
    told: dict[str, str | int] = {
        attributes.DB_SYSTEM_NAME: system,
        attributes.DB_OPERATION_NAME: operation,
        **about,
    }
    if error is not None:
        told[attributes.ERROR_TYPE] = error
        call.span.set_attribute(attributes.ERROR_TYPE, error)
        call.span.set_status(Status(StatusCode.ERROR))
    ended = call.ended or time.time_ns()
    instruments.STORE_DURATION.record((ended - call.started) / 1e9, told)
    call.span.end(ended)
