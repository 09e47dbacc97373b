"""Records over HTTP: what a token grants and whom it speaks for decide, and the log says who wrote what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memory_provider.access import Right
from memory_provider.access.token_file import TokenFile
from memory_provider.access.tokens import make_token
from memory_provider.temporal.instants import now
from tests.provider.records import append, erase, get, record

from .server import Server


def test_tokens_decide_about_records(tmp_path: Path) -> None:
    tokens, log = TokenFile(tmp_path / "tokens.json"), tmp_path / "audit.jsonl"

    def token(name: str, *rights: Right, **labels: str) -> dict[str, str]:
        kept, text = make_token(
            name, "acme", rights=rights, labels=tuple(labels.items()), expires_at=None, now=now()
        )
        tokens.add(kept)
        return {"Authorization": f"Bearer {text}"}

    writer = token("writer", Right.READ, Right.WRITE)
    reader = token("reader", Right.READ)
    bob = token("bob", Right.READ, Right.WRITE, Right.ERASE, user_id="bob")
    options = ("--tokens", f"{tokens.path}", "--audit", f"{log}")
    with Server(f"sqlite:///{tmp_path / 'memory.db'}", "other", *options) as server:

        def said(message: Any, headers: dict[str, str]) -> Any:
            answer = server.post(message, **headers)
            assert answer.status == 200
            return answer.envelope

        kept = said(append(record("r"), idempotency_key="k"), writer)["response"]["receipts"]
        assert [each["status"] for each in kept] == ["accepted"]
        again = said(append(record("r"), idempotency_key="k"), writer)["response"]["receipts"]
        assert [each["status"] for each in again] == ["duplicate"]
        assert said(append(record("s")), reader)["code"] == "consent_required"
        assert said(erase("r"), writer)["code"] == "consent_required"
        [found, missing] = said(get("r", "s"), reader)["response"]["records"]
        assert (found["record"], missing["status"]) == (record("r"), "not_found")
        [denied] = said(get("r"), bob)["response"]["records"]
        assert (denied["status"], denied["code"]) == ("denied", "scope_denied")
        [receipt] = said(append(record("t")), bob)["response"]["receipts"]
        assert (receipt["status"], receipt["code"]) == ("rejected", "scope_denied")
        [receipt] = said(erase("r"), bob)["response"]["receipts"]
        assert (receipt["status"], receipt["code"]) == ("denied", "scope_denied")
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(each["who"], each["right"], each["outcome"], each.get("ids", [])) for each in entries] == [
        ("writer", "write", "answered", ["r"]),
        ("writer", "write", "answered", ["r"]),
        ("reader", "write", "refused", []),
        ("writer", "erase", "refused", []),
        ("reader", "read", "answered", ["r"]),
        ("bob", "read", "answered", []),
        ("bob", "write", "answered", []),
        ("bob", "erase", "answered", []),
    ]
    assert "kettle" not in log.read_text()
