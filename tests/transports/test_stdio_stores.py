"""The provider over each store, and over stores that are not there."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_provider import Entity
from memory_provider.sync import Memory
from scripts.neo4j_server import Server

from .host import Host


def seed(store: str, scope: str) -> None:
    with Memory.open(store, scope=scope) as memory:
        said = memory.add_episode("Alice: we moved to Lyon!", speaker="Alice")
        memory.assert_fact("Alice", "lives in", Entity("Lyon"), episode=said.episode_id)


def frames_of(host: Host, id: str = "q") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = host.query("where does Alice live", id=id)["result"]["frames"]
    return found


def verdicts_on(host: Host, frames: list[dict[str, Any]]) -> set[str]:
    held = [{"provider_id": "p", "frame_id": f["id"], "content_digest": f["content_digest"]} for f in frames]
    reply = host.ask({"type": "verify", "id": "v", "request": {"frames": held}})
    assert reply["type"] == "verified", (reply, host.errors())
    return {verdict["status"] for verdict in reply["response"]["verdicts"]}


def test_every_store_is_served(store_address: str, scope: str) -> None:
    if store_address == "memory:":
        pytest.skip("a store in memory cannot be written by another process")
    seed(store_address, scope)
    with Host(store_address, scope) as host:
        ack = host.ask({"type": "handshake", "protocol_version": "contextgraph/1.0"})
        assert ack["provider"]["data_flow"]["egress"] is False
        frames = frames_of(host)
        assert {frame["kind"] for frame in frames} == {"fact", "episode", "graph"}
        assert verdicts_on(host, frames) == {"valid"}
        host.send({"type": "shutdown"})
        code, seconds, rest = host.end()
        assert (code, rest, host.errors()) == (0, [], "")
        assert seconds < 2


def test_a_store_in_memory_is_served_and_empty() -> None:
    with Host("memory:", "s", backend="trio") as host:
        assert frames_of(host) == []


@pytest.mark.parametrize("place", ["missing directory", "a directory", "no database"])
def test_a_file_that_cannot_be_opened_is_unavailable(place: str, tmp_path: Path) -> None:
    match place:
        case "missing directory":
            path = tmp_path / "missing" / "memory.db"
        case "a directory":
            path = tmp_path
        case _:
            path = tmp_path / "notes.txt"
            path.write_text("not a database at all, but long enough to be looked at as one" * 100)
    with Host(f"sqlite:///{path}", "secret-scope") as host:
        for id in ("a", "b"):
            reply = host.query("anything", id=id)
            assert (reply["type"], reply["code"], reply["id"]) == ("error", "unavailable", id)
            assert str(tmp_path) not in reply["message"]
        assert (
            host.ask({"type": "handshake", "protocol_version": "contextgraph/1.0"})["type"] == "handshake_ack"
        )
        host.send({"type": "shutdown"})
        assert host.end()[::2] == (0, [])
        assert host.errors(), "the operator is told"


def test_a_file_that_appears_later_is_served(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'later' / 'memory.db'}"
    with Host(store, "s") as host:
        assert host.query("anything", id="a")["code"] == "unavailable"
        (tmp_path / "later").mkdir()
        seed(store, "s")
        assert frames_of(host)


def test_a_server_that_nobody_runs_is_unavailable() -> None:
    with Host("bolt://user:hunter2@127.0.0.1:1", "s") as host:
        reply = host.query("anything", id="a")
        assert (reply["code"], reply["id"]) == ("unavailable", "a")
        host.send({"type": "shutdown"})
        assert host.end()[::2] == (0, [])
        assert "hunter2" not in host.errors() + reply["message"]


@pytest.mark.neo4j
@pytest.mark.slow
def test_a_server_that_stops_is_unavailable(start_neo4j: Callable[..., Server], scope: str) -> None:
    server = start_neo4j()
    seed(server.uri, scope)
    with Host(server.uri, scope) as host:
        held = frames_of(host)
        assert held
        server.kill()
        began = time.monotonic()
        reply = host.query("where does Alice live", id="b")
        assert (reply["type"], reply["code"], reply["id"]) == ("error", "unavailable", "b")
        assert host.ask({"type": "verify", "id": "c", **_verify(held)})["code"] == "unavailable"
        assert time.monotonic() - began < 60
        host.send({"type": "shutdown"})
        assert host.end()[0] == 0


def _verify(frames: list[dict[str, Any]]) -> dict[str, Any]:
    held = [{"provider_id": "p", "frame_id": f["id"], "content_digest": f["content_digest"]} for f in frames]
    return {"request": {"frames": held}}
