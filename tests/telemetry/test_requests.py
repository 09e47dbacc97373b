"""Each message that a provider answers, as OpenTelemetry hears of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest
from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode

from memory_provider import Memory
from memory_provider.errors import StoreUnavailable
from memory_provider.provider import Pending, Provider, data_flow
from tests.transports import host as stdio
from tests.transports.host import Host
from tests.transports.http import server as http
from tests.transports.http.server import Server

from .conftest import Told

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])]


@pytest.fixture
async def provider(anyio_backend: str) -> AsyncIterator[Provider]:
    async with Memory.open("memory:", scope="acme/zebedee") as memory:
        await memory.assert_fact("Zebedee", "likes", "tea", by="Zebedee")
        await memory.add_episode("Zebedee: I like tea", speaker="Zebedee")
        yield Provider(memory, data_flow=data_flow(local=True))


def query(**members: Any) -> dict[str, Any]:
    asked = {"goal": "what does Zebedee like?", "max_frames": 4, "max_tokens": 600, **members}
    return {"type": "query", "id": "zebedee-17", "query": asked}


async def answer(provider: Provider, message: Any) -> Any:
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    reply = await provider.handle(data)
    return None if reply.data is None else json.loads(reply.data)


async def test_a_query_is_a_span_with_what_was_served(told: Told, provider: Provider) -> None:
    result = (await answer(provider, query(kinds=["fact", "episode", "zebedee's kind"])))["result"]
    span = told.one("contextgraph query")
    assert span.kind is SpanKind.SERVER
    assert span.attributes is not None
    assert dict(span.attributes) == {
        "memory_provider.request.type": "query",
        "memory_provider.request.kinds": ("episode", "fact", "other"),
        "memory_provider.outcome": "ok",
        "memory_provider.frames": 2,
        "memory_provider.tokens": sum(frame["token_cost"] for frame in result["frames"]),
        "memory_provider.truncated": False,
    }
    assert span.status.status_code is StatusCode.UNSET
    call = told.one("candidates sqlite")
    assert call.parent == span.context
    assert span.start_time is not None
    assert call.start_time is not None
    assert span.start_time <= call.start_time
    points = told.points()
    told_of = {"memory_provider.request.type": "query", "memory_provider.outcome": "ok"}
    [requests] = points["memory_provider.requests"]
    assert (dict(requests.attributes), requests.value) == (told_of, 1)
    [duration] = points["memory_provider.request.duration"]
    assert (dict(duration.attributes), duration.count) == (told_of, 1)
    for name, of_frame in (("memory_provider.frames", lambda _: 1), ("memory_provider.tokens", cost)):
        counted = {point.attributes["memory_provider.frame.kind"]: point.value for point in points[name]}
        assert counted == {frame["kind"]: of_frame(frame) for frame in result["frames"]}, name
        assert {point.attributes["memory_provider.frame.representation"] for point in points[name]} == {
            "full"
        }
    assert "memory_provider.errors" not in points


async def test_frames_are_counted_by_what_they_were_served_as(told: Told, provider: Provider) -> None:
    result = (await answer(provider, query(representation_preferences=["reference"])))["result"]
    assert {frame["representation"] for frame in result["frames"]} == {"reference"}
    points = told.points()["memory_provider.frames"]
    counted = {point.attributes["memory_provider.frame.representation"]: point.value for point in points}
    assert counted["reference"] >= 1
    assert set(counted) == {"reference"}
    assert sum(point.value for point in points) == len(result["frames"])


def cost(frame: dict[str, Any]) -> int:
    return int(frame["token_cost"])


@pytest.mark.parametrize(
    ("message", "type", "outcome"),
    [
        ({"type": "handshake", "protocol_version": "contextgraph/1.0"}, "handshake", "ok"),
        ({"type": "handshake", "protocol_version": "zebedee/1"}, "handshake", "incompatible_version"),
        ({"type": "shutdown"}, "shutdown", "ok"),
        ({"type": "verify", "request": {"frames": []}}, "verify", "ok"),
        (
            {
                "type": "verify",
                "request": {"frames": [{"provider_id": "p", "frame_id": "f", "content_digest": "sha256:x"}]},
            },
            "verify",
            "ok",
        ),
        (query(as_of="zebedee"), "query", "bad_request"),
        (query(kinds=["zebedee"]), "query", "ok"),
        (query(representation_preferences=["reference"], embedding=[0.5]), "query", "bad_request"),
        ({"type": "zebedee", "id": "z"}, "other", "bad_request"),
        (b"zebedee", "unreadable", "bad_request"),
    ],
    ids=str,
)
async def test_each_message_is_one_span_with_its_outcome(
    message: Any, type: str, outcome: str, told: Told, provider: Provider
) -> None:
    await answer(provider, message)
    [span] = [span for span in told.spans() if span.name.startswith("contextgraph ")]
    assert span.name == f"contextgraph {type}"
    assert span.attributes is not None
    assert span.attributes["memory_provider.outcome"] == outcome
    assert (span.status.status_code is StatusCode.ERROR) is (outcome != "ok")
    points = told.points()
    assert [point.value for point in points["memory_provider.requests"]] == [1]
    errors = {
        point.attributes["memory_provider.outcome"]: point.value
        for point in points.get("memory_provider.errors", [])
    }
    assert errors == ({} if outcome == "ok" else {outcome: 1})
    assert "zebedee" not in told.everything().lower()


async def test_a_store_that_is_away_is_an_error_with_its_code(told: Told, anyio_backend: str) -> None:
    def gone() -> Memory:
        raise StoreUnavailable("zebedee.db is locked")

    reply = await answer(Provider(gone, data_flow=data_flow(local=True)), query())
    assert reply["code"] == "unavailable"
    span = told.one("contextgraph query")
    assert span.attributes is not None
    assert span.attributes["error.type"] == "unavailable"
    assert span.events == ()
    assert "zebedee" not in told.everything()


async def test_a_request_that_is_given_up_ends_its_span(told: Told, provider: Provider) -> None:
    message = provider.receive(json.dumps(query()).encode())
    assert isinstance(message, Pending)
    assert told.spans("contextgraph query") == []
    with anyio.CancelScope() as scope:
        scope.cancel()
        await provider.settle(message)
    span = told.one("contextgraph query")
    assert span.attributes is not None
    assert span.attributes["memory_provider.outcome"] == "cancelled"
    assert trace.get_current_span() is trace.INVALID_SPAN


async def test_requests_at_the_same_time_keep_their_calls_apart(told: Told, provider: Provider) -> None:
    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(answer, provider, query())
    requests = {span.context.span_id for span in told.spans("contextgraph query") if span.context}
    parents = [span.parent.span_id for span in told.spans("candidates sqlite") if span.parent]
    assert len(parents) == 5
    assert requests == set(parents)


TELL = """
import sys
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
tracing = TracerProvider()
exporter = ConsoleSpanExporter(out=sys.stderr, formatter=lambda span: span.to_json(None) + "\\n")
tracing.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(tracing)
"""


async def test_a_provider_process_tells_its_sdk(anyio_backend: str) -> None:
    """The question is read in one thread and answered in another; it is one span still."""
    with Host("memory:", "s", backend=anyio_backend, program=TELL + stdio.SERVE) as host:
        host.ask({"type": "handshake", "protocol_version": "contextgraph/1.0"})
        host.query("kettle", id="q")
        host.send({"type": "shutdown"})
        assert host.end()[::2] == (0, [])
        spans = {span["name"]: span for span in map(json.loads, host.errors().splitlines())}
    assert {"contextgraph handshake", "contextgraph query", "contextgraph shutdown"} <= set(spans)
    assert_nested(spans)


async def test_a_server_tells_its_sdk(anyio_backend: str) -> None:
    with Server("memory:", "s", program=TELL + http.SERVE) as server:
        server.ask(query())
        server.signal()
        assert server.end() == 0
        spans = {span["name"]: span for span in map(json.loads, server.errors().splitlines())}
    assert_nested(spans)


def assert_nested(spans: dict[str, dict[str, Any]]) -> None:
    """A search is part of its round trip, which is part of the request."""
    request, call = spans["contextgraph query"], spans["candidates sqlite"]
    assert call["parent_id"] == request["context"]["span_id"]
    assert spans["search facts"]["parent_id"] == call["context"]["span_id"]
