"""The tracer and the instruments. Imports OpenTelemetry's API: ask `presence` before importing this.

Until the application sets up an SDK these are the API's own stand-ins, which turn into the real ones by themselves.
"""

from __future__ import annotations

from typing import Final

from opentelemetry import metrics, trace

from .._version import __version__

NAME: Final = "memory_provider"
"""Instrumentation scope of every span and every metric."""

TRACER: Final = trace.get_tracer(NAME, __version__)
_METER = metrics.get_meter(NAME, __version__)

_SECONDS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0)
"""Bucket boundaries that the conventions give for the durations of database calls."""

STORE_DURATION: Final = _METER.create_histogram(
    "db.client.operation.duration",
    unit="s",
    description="Duration of calls of the store.",
    explicit_bucket_boundaries_advisory=_SECONDS,
)
ARM_HITS: Final = _METER.create_histogram(
    "memory_provider.arm.hits",
    unit="{hit}",
    description="Hits that each arm of a search brought.",
    explicit_bucket_boundaries_advisory=(0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
)
REQUESTS: Final = _METER.create_counter(
    "memory_provider.requests", unit="{request}", description="Messages that were answered."
)
REQUEST_DURATION: Final = _METER.create_histogram(
    "memory_provider.request.duration",
    unit="s",
    description="Time from a message to its answer.",
    explicit_bucket_boundaries_advisory=_SECONDS,
)
FRAMES: Final = _METER.create_counter(
    "memory_provider.frames", unit="{frame}", description="Frames served, by kind and representation."
)
TOKENS: Final = _METER.create_counter(
    "memory_provider.tokens",
    unit="{token}",
    description="Tokens of the frames served, by kind and representation.",
)
ERRORS: Final = _METER.create_counter(
    "memory_provider.errors", unit="{error}", description="Errors sent to peers, by code."
)
