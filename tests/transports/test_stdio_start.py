"""A handshake needs neither event loop nor memory nor driver: none is loaded before it is answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Kitchen
from .host import SERVE, Host

HEAVY = (
    *("pydantic", "anyio", "asyncio", "sqlite3", "neo4j", "logging", "cryptography", "rfc8785"),
    *("memory_provider.memory.api", "memory_provider.attestation"),
)

TELLING = SERVE.replace(
    "sys.exit(",
    f"""import atexit
atexit.register(lambda: print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr))
sys.exit(""",
)
HANDSHAKE = {"type": "handshake", "protocol_version": "contextgraph/1.0"}


@pytest.mark.parametrize("store", ["memory:", "bolt://localhost:1", "neo4j+s://graph.acme.example"])
def test_a_handshake_loads_nothing_heavy(store: str) -> None:
    with Host(store, "s", program=TELLING) as host:
        assert host.ask(HANDSHAKE)["type"] == "handshake_ack"
        assert host.ask(b"not json\n")["code"] == "bad_request"
        query = {"goal": "g", "max_frames": 1, "max_tokens": 1, "kinds": ["symbol"]}
        assert host.ask({"type": "query", "query": query})["result"]["frames"] == []
        host.send({"type": "shutdown"})
        assert host.end()[::2] == (0, [])
        assert host.errors() == "[]\n"


def test_a_question_loads_what_it_needs(kitchen: Kitchen) -> None:
    with kitchen.host(program=TELLING) as host:
        host.query("kettle")
        host.send({"type": "shutdown"})
        host.end()
        assert "'anyio'" in host.errors()
        assert "'neo4j'" not in host.errors()


@pytest.mark.parametrize(
    ("store", "egress", "scopes"),
    [
        ("memory:", False, ["local-only"]),
        ("sqlite:///nowhere/memory.db", False, ["local-only"]),
        ("bolt://127.0.0.1:1", False, ["local-only"]),
        ("neo4j://user:pass-word@[::1]:1", False, ["local-only"]),
        ("neo4j://user:pass-word@10.0.0.7:7687", True, ["org-tenant"]),
        ("neo4j+s://graph.acme.example", True, ["org-tenant"]),
        ("neo4j+s://1234abcd.databases.neo4j.io", True, ["third-party-index"]),
    ],
)
def test_the_data_flow_follows_the_store_s_address(store: str, egress: bool, scopes: list[str]) -> None:
    with Host(store, "s") as host:
        ack = host.ask(HANDSHAKE)
    flow = {"reads": True, "writes": True, "egress": egress, "egress_scopes": scopes}
    assert ack["provider"]["data_flow"] == flow
    assert "pass-word" not in json.dumps(ack)


def test_an_address_that_names_no_store_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with Host("postgres://x", "s") as host:
        code, _, lines = host.end()
        assert code != 0
        assert lines == []
        assert "InvalidAddress" in host.errors()
