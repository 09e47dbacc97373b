"""An OpenTelemetry SDK that keeps what it is told."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import Counter, Histogram, MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


@dataclass
class Told:
    """What OpenTelemetry has been told since the test began."""

    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader

    def spans(self, name: str | None = None) -> list[ReadableSpan]:
        """Spans that have ended, in that order."""
        found = self.exporter.get_finished_spans()
        return [span for span in found if name is None or span.name == name]

    def one(self, name: str) -> ReadableSpan:
        """The only span of a name."""
        [span] = self.spans(name)
        return span

    def points(self) -> dict[str, list[Any]]:
        """The points of each metric since the last look."""
        data = self.reader.get_metrics_data()
        found: dict[str, list[Any]] = {}
        for resource in data.resource_metrics if data else []:
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    found[metric.name] = list(metric.data.data_points)
        return found

    def everything(self) -> str:
        """All of it as text."""
        spans = [span.to_json(indent=None) for span in self.spans()]
        data = self.reader.get_metrics_data()
        return "\n".join([*spans, json.dumps(json.loads(data.to_json())) if data else ""])


@pytest.fixture(scope="session")
def sdk() -> Told:
    """A process can have one SDK only, and keeps it."""
    exporter = InMemorySpanExporter()
    tracing = TracerProvider()
    tracing.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(tracing)
    delta = AggregationTemporality.DELTA
    reader = InMemoryMetricReader({Counter: delta, Histogram: delta})
    metrics.set_meter_provider(MeterProvider([reader]))
    return Told(exporter, reader)


@pytest.fixture
def told(sdk: Told) -> Told:
    """The SDK, with nothing told yet."""
    sdk.exporter.clear()
    sdk.points()
    return sdk
