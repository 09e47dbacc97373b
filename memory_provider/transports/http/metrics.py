"""What the server counts, in the Prometheus format. Labels come from closed sets, and nothing a peer wrote is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response

from ..._version import __version__
from ...protocol import ERROR_CODES, Envelope, Error
from ...protocol.lifecycle.codes import LIFECYCLE_CODES

CODES = ERROR_CODES | LIFECYCLE_CODES
BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._answers = Counter(
            "memory_provider_answers",
            "Messages answered, by the type of the answer and, for errors, its code.",
            ("answer", "code"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "memory_provider_answer_seconds",
            "From a request received to its answer, by the type of the answer.",
            ("answer",),
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._refused = Counter(
            "memory_provider_refused",
            "Requests not given to the provider: credential, origin, tokens, large, slow, busy.",
            ("why",),
            registry=self._registry,
        )
        self._in_hand = Gauge(
            "memory_provider_requests_in_hand",
            "Requests received and not answered yet.",
            registry=self._registry,
        )
        self._store = Gauge(
            "memory_provider_store_ready",
            "Whether the store answered, with all migrations applied, when readiness was last asked for.",
            registry=self._registry,
        )
        build = Gauge(
            "memory_provider_build_info", "The version that runs.", ("version",), registry=self._registry
        )
        build.labels(version=__version__).set(1)

    @contextmanager
    def in_hand(self) -> Iterator[float]:
        """While a request is being answered; gives when it began."""
        with self._in_hand.track_inprogress():
            yield perf_counter()

    def answered(self, answer: Envelope | None, began: float) -> None:
        """An answer has been found."""
        kind = "none" if answer is None else answer.type
        code = (answer.code if answer.code in CODES else "other") if isinstance(answer, Error) else ""
        self._answers.labels(answer=kind, code=code).inc()
        self._seconds.labels(answer=kind).observe(perf_counter() - began)

    def refused(self, why: str) -> None:
        """A request has been refused."""
        self._refused.labels(why=why).inc()

    def store(self, ready: bool) -> None:
        """Readiness has been asked for."""
        self._store.set(ready)

    def show(self, request: Request) -> Response:
        """All of it, in the format that the scraper prefers."""
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(self._registry), headers={"content-type": content_type})
