"""With tokens: who brings one is answered what it grants, and nobody else anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_provider.access import Right
from memory_provider.access.token_file import TokenFile
from memory_provider.access.tokens import make_token
from memory_provider.sync import Memory
from memory_provider.temporal.instants import now

from .server import Answer, Server, query, send
from .waiting import until

HANDSHAKE = {"type": "handshake", "protocol_version": "contextgraph/1.0"}


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "tokens.json")


@pytest.fixture
def store(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'memory.db'}"
    for name, town in (("alice", "Lyon"), ("bob", "Rome")):
        with Memory.open(url, scope=f"acme/{name}") as memory:
            memory.assert_fact(name, "lives in", town)
    return url


def granted(tokens: TokenFile, scope: str, *rights: Right, scopes: tuple[str, ...] = ()) -> str:
    kept, text = make_token(
        scope, scope, scopes=scopes, rights=rights or (Right.READ,), expires_at=None, now=now()
    )
    tokens.add(kept)
    return text


def contents(answer: Answer) -> list[str]:
    return [frame["content"] for frame in answer.envelope["result"]["frames"] if frame["kind"] == "fact"]


def test_each_token_is_answered_from_its_own_scope(store: str, tokens: TokenFile) -> None:
    alice, bob = (granted(tokens, f"acme/{name}") for name in ("alice", "bob"))
    asked = query("who lives in Lyon or Rome")
    with Server(store, "somebody else", "--tokens", f"{tokens.path}") as server:
        for _ in range(2):
            [found] = contents(server.post(asked, Authorization=f"Bearer {alice}"))
            assert found.startswith("alice lives in Lyon")
            [found] = contents(server.post(asked, authorization=f"bearer {bob}"))
            assert found.startswith("bob lives in Rome")
        foreign = query("who lives in Rome", **{"memory-provider:scope": "acme/bob"})
        assert server.post(foreign, Authorization=f"Bearer {alice}").envelope["code"] == "bad_request"
        both = granted(tokens, "acme/alice", scopes=("acme/bob",))
        [found] = contents(server.post(foreign, Authorization=f"Bearer {both}"))  # taken without a restart
        assert found.startswith("bob lives in Rome")


def test_an_audit_log_says_who_asked_for_what(store: str, tokens: TokenFile, tmp_path: Path) -> None:
    token, log = granted(tokens, "acme/alice"), tmp_path / "audit.jsonl"
    options = ("--tokens", f"{tokens.path}", "--audit", f"{log}")
    with Server(store, "acme/alice", *options) as server:
        headers = {"Authorization": f"Bearer {token}"}
        answer = server.post(query("alice"), **headers).envelope
        server.post(query("alice"))
        foreign = query("alice", **{"memory-provider:scope": "acme/bob"})
        assert server.post(foreign, **headers).envelope["code"] == "bad_request"
        served, refused = map(json.loads, log.read_text().splitlines())
        assert (served["who"], served["outcome"], served["scope"]) == ("acme/alice", "answered", "acme/alice")
        assert served["ids"] == [frame["id"] for frame in answer["result"]["frames"]]
        assert (refused["outcome"], refused["scope"]) == ("refused", "acme/bob")
        assert "Lyon" not in log.read_text()
        assert token[-43:] not in log.read_text()
        log.unlink()
        log.mkdir()  # it cannot be written: nothing is answered
        assert server.post(query("alice"), **headers).envelope["type"] == "error"


def test_nobody_else_hears_anything(store: str, tokens: TokenFile) -> None:
    token = granted(tokens, "acme/alice")
    with Server(store, "acme/alice", "--tokens", f"{tokens.path}") as server:
        for headers, challenge in (
            ({}, "Bearer"),
            ({"Authorization": token}, 'Bearer error="invalid_request"'),
            ({"Authorization": "Basic YTpi"}, 'Bearer error="invalid_request"'),
            ({"Authorization": f"Bearer {token[:-1]}x"}, 'Bearer error="invalid_token"'),
            ({"Authorization": "Bearer " + "x" * 10_000}, 'Bearer error="invalid_request"'),
        ):
            for message in (HANDSHAKE, query("alice"), b"not json", {"type": "shutdown"}):
                answer = server.post(message, **headers)
                assert answer.status == 401
                assert answer.headers["www-authenticate"] == challenge
                assert b"alice" not in answer.body
                assert token[-43:].encode() not in answer.body
            assert server.get("/metrics", **headers).status == 401
            assert server.get("/healthz", **headers).status == 200
            assert server.get("/readyz", **headers).status == 200
        with server.connection() as line:  # two of them are none
            line.putrequest("POST", "/")
            for _ in range(2):
                line.putheader("Authorization", f"Bearer {token}")
            line.putheader("Content-Length", "0")
            line.endheaders()
            assert line.getresponse().status == 401
        assert server.get("/metrics", Authorization=f"Bearer {token}").status == 403
        admin = granted(tokens, "ops", Right.ADMIN)
        assert server.post(query("alice"), Authorization=f"Bearer {admin}").envelope["code"] == "bad_request"
        metrics = server.get("/metrics", Authorization=f"Bearer {admin}")
        assert metrics.status == 200
        assert b'memory_provider_refused_total{why="credential"} ' in metrics.body
        assert token[4:16].encode() not in metrics.body
        assert b"acme" not in metrics.body
        server.signal()
        assert server.end() == 0
        assert server.errors() == ""


def test_a_token_is_asked_for_before_a_body(store: str, tokens: TokenFile) -> None:
    granted(tokens, "acme/alice")
    with Server(store, "acme/alice", "--tokens", f"{tokens.path}") as server, server.socket() as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
        assert line.recv(65_536).startswith(b"HTTP/1.1 401")


def test_other_machines_are_let_in_with_a_token(store: str, tokens: TokenFile) -> None:
    token = granted(tokens, "acme/alice")
    options = ("--host", "0.0.0.0", "--tokens", f"{tokens.path}")
    with Server(store, "acme/alice", *options) as server:
        server.url = server.url.replace("0.0.0.0", "127.0.0.1")
        headers = {"Host": "memory.example", "Authorization": f"Bearer {token}"}
        assert contents(server.post(query("alice"), **headers))
        assert server.post(query("alice"), Host="memory.example").status == 401


def test_a_revoked_token_is_refused_at_once_on_an_open_connection(store: str, tokens: TokenFile) -> None:
    token = granted(tokens, "acme/alice")
    headers = {"Authorization": f"Bearer {token}"}
    with (
        Server(store, "acme/alice", "--tokens", f"{tokens.path}") as server,
        server.connection() as line,
    ):
        assert contents(send(line, "POST", "/", query("alice"), headers))
        tokens.revoke("acme/alice")
        assert send(line, "POST", "/", query("alice"), headers).status == 401


def test_while_the_file_cannot_be_read_nobody_is_let_in(store: str, tokens: TokenFile) -> None:
    token = granted(tokens, "acme/alice")
    headers = {"Authorization": f"Bearer {token}"}
    with Server(store, "acme/alice", "--tokens", f"{tokens.path}") as server:
        kept = tokens.path.read_text()
        for broken in ("", kept.replace("format", "form"), f"[{kept}]"):
            tokens.path.write_text(broken)
            assert server.post(query("alice"), **headers).status == 503
        tokens.path.write_text(kept)
        until(lambda: server.post(query("alice"), **headers).status == 200)
        server.signal()
        server.end()
        assert server.errors().count("nobody is let in") == 1
        assert json.loads(kept)["tokens"][0]["hash"] not in server.errors()
