"""What those who run the server ask: is it up, can it serve, what has it counted."""

from __future__ import annotations

import json
from pathlib import Path

from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_openmetrics
from prometheus_client.parser import text_string_to_metric_families as read_text

from memory_provider import __version__
from tests.provider.kettle import GOAL
from tests.transports.conftest import Kitchen

from .server import Server, query
from .waiting import until


def figures(server: Server, accept: str = "") -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample of /metrics, by its name and labels."""
    answer = server.get("/metrics", Accept=accept)
    assert answer.status == 200
    if accept:
        assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
        families = list(read_openmetrics(answer.body.decode()))
    else:
        assert answer.headers["content-type"].startswith("text/plain; version=")
        families = list(read_text(answer.body.decode()))
    assert all(family.documentation for family in families)
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def test_a_process_that_runs(server: Server) -> None:
    for method in ("GET", "HEAD"):
        answer = server.get("/healthz", method)
        assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert json.loads(server.get("/healthz").body) == {"status": "ok"}


def test_a_store_that_can_be_served(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope) as server:
        answer = server.get("/readyz")
        assert (answer.status, json.loads(answer.body)) == (200, {"status": "ready"})
        assert figures(server)["memory_provider_store_ready", ()] == 1


def test_a_new_store_is_made_ready_without_a_question(tmp_path: Path) -> None:
    for store in (f"sqlite:///{tmp_path / 'new.db'}", "memory:"):
        with Server(store, "s") as server:
            until(lambda server=server: server.get("/readyz").status == 200)


def test_a_store_that_cannot_be_reached() -> None:
    with Server("bolt://user:hunter2@127.0.0.1:1", "s") as server:
        answer = server.get("/readyz")
        assert answer.status == 503
        assert json.loads(answer.body) == {"status": "unavailable", "store": "cannot be reached"}
        assert server.get("/healthz").status == 200
        assert server.ask({"type": "handshake", "protocol_version": "contextgraph/1.0"})
        reply = server.query("anything", "a")
        assert (reply["code"], reply["id"]) == ("unavailable", "a")
        assert figures(server)["memory_provider_store_ready", ()] == 0
        assert figures(server)[
            "memory_provider_answers_total", (("answer", "error"), ("code", "unavailable"))
        ]
        server.signal()
        assert server.end() == 0
        assert "hunter2" not in server.errors()
        assert "cannot be used yet" in server.errors()


def test_a_store_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no database at all, but long enough to be looked at as one" * 100)
    with Server(f"sqlite:///{tmp_path / 'notes.txt'}", "s") as server:
        answer = server.get("/readyz")
        assert answer.status == 503
        assert str(tmp_path) not in answer.body.decode()
        assert server.query("anything")["code"] == "unavailable"


def test_what_is_counted(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope) as server:
        server.ask({"type": "handshake", "protocol_version": "contextgraph/1.0"})
        server.query(GOAL)
        server.query(GOAL)
        server.ask(b"not json")
        server.ask({"type": "handshake", "protocol_version": "other/1"})
        server.post({"type": "shutdown"})
        server.post(query(GOAL), Host="page.example")
        for accept in ("", "application/openmetrics-text; version=1.0.0"):
            found = figures(server, accept)
            answers = {
                dict(labels)["answer"] + dict(labels)["code"]: value
                for (name, labels), value in found.items()
                if name == "memory_provider_answers_total"
            }
            assert answers == {
                "handshake_ack": 1,
                "frames": 2,
                "errorbad_request": 1,
                "errorincompatible_version": 1,
                "none": 1,
            }
            assert found["memory_provider_answer_seconds_count", (("answer", "frames"),)] == 2
            assert found["memory_provider_refused_total", (("why", "origin"),)] == 1
            assert found["memory_provider_requests_in_hand", ()] == 0
            assert found["memory_provider_build_info", (("version", __version__),)] == 1
            assert found["process_resident_memory_bytes", ()] > 0


def test_nothing_that_a_peer_wrote_is_counted_by(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope) as server:
        before = len(figures(server))
        for number in range(50):
            server.post({"type": f"unseen{number}", "id": f"unseen{number}"})
            server.query(f"unseen{number}", f"unseen{number}", kinds=[f"unseen{number}"])
            server.get(f"/unseen{number}")
        text = server.get("/metrics").body.decode()
        assert "unseen" not in text
        assert kitchen.scope not in text
        assert len(figures(server)) < before + 60
