"""Envelopes put out of shape: the authored cases, each with a few bytes inserted, deleted, changed or repeated."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from memory_provider.memory.evidence.addressing import content_uri
from memory_provider.protocol import Handshake, Query, Resolve, Shutdown, Verify, decode
from memory_provider.protocol.lifecycle.codes import LIFECYCLE_CODES
from memory_provider.protocol.lifecycle.envelopes import AppendRecords, EraseRecords, GetRecords
from memory_provider.provider.extensions import EXPLAIN, KNOWN_AT, SCOPE
from tests.provider.kettle import Kettle
from tests.provider.wire import CASES, DATA, assert_valid, raw

MUTANTS = 50_000
"""How many each transport has to live through."""

ROUND = 1000
"""After how many of them a good question is asked."""

CODES = LIFECYCLE_CODES | {
    *(None, "bad_request", "incompatible_version", "unsupported_representation", "budget_unsatisfiable")
}
"""What a peer may hear of its own mistakes. `internal` is none: it would be one of ours."""

HOSTS_SAY = (Handshake, Query, Verify, Resolve, AppendRecords, GetRecords, EraseRecords, Shutdown)

TOKENS = (
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"null", b"NaN", b"1e999", b"-0", b"\xff", b"\xed\xa0\x80",
    b"\\ud800", b"\\u0000", b"\x00", b"\r", b"\xef\xbb\xbf", b'"id":', b'"type":"query",', b"9" * 400, b"[" * 300,
    b'"as_of":"0000-01-01T00:00:00Z",', b'"max_tokens":4294967295,', b" " * 100, "\u2028\U0001fad6".encode(),
)  # fmt: skip


def mutants(seed: int, kettle: Kettle, count: int = ROUND) -> Iterator[bytes]:
    """So many damaged messages, the same for the same seed."""
    chance = random.Random(seed)
    whole = [line for case in CASES if len(line := raw(case, kettle)) < 10_000] + extensions(kettle) * 4
    for _ in range(count):
        yield damaged(chance.choice(whole).rstrip(b"\r\n"), chance)


def extensions(kettle: Kettle) -> list[bytes]:
    """What hosts may ask beyond the protocol's own messages."""
    records = [json.loads(path.read_bytes()) for path in sorted((DATA / "fixtures").glob("*.json"))]
    records = [record for record in records if "record_id" in record]
    assert len(records) > 10
    ids = [record["record_id"] for record in records]
    known_at = {"goal": "kettle", "max_frames": 4, "max_tokens": 600, KNOWN_AT: "2026-07-01T00:00:00Z"}
    handle = {"provider_id": "p", "uri": content_uri(kettle.fact, kettle.digest, None)}
    messages: list[dict[str, Any]] = [
        {"type": "query", "id": "k", "query": known_at},
        {"type": "query", "id": "e", "query": {**known_at, EXPLAIN: True}},
        {"type": "query", "id": "s", "query": {**known_at, SCOPE: "elsewhere"}},
        *({"type": AppendRecords.type, "id": "a", "request": {"records": [record]}} for record in records),
        {"type": GetRecords.type, "id": "g", "request": {"record_ids": ids}},
        {"type": EraseRecords.type, "id": "x", "request": {"record_ids": ids[:2], "reason": "asked to"}},
        {
            "type": "query",
            "id": "c",
            "query": {**known_at, "representation_preferences": ["compact", "reference"]},
        },
        {
            "type": Resolve.type,
            "id": "r",
            "request": {"content_ref": handle, "canonical_content_hash": kettle.digest},
        },
    ]
    return [json.dumps(message).encode() for message in messages]


def damaged(line: bytes, chance: random.Random) -> bytes:
    """One of them."""
    data = bytearray(line)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[at:at] = chance.choice(TOKENS)
            case 1:
                del data[at : at + chance.randint(1, 12)]
            case 2:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 3:
                data[at:at] = data[: chance.randint(0, 40)]
            case _:
                end = min(len(data), at + chance.randint(1, 30))
                data[at:end] = chance.choice(TOKENS)
    return bytes(data)


def assert_answer(data: bytes, *, thoroughly: bool = False) -> dict[str, Any]:
    """An answer is a message that says nothing of what is inside here."""
    assert b"Traceback" not in data
    assert b'.py"' not in data
    envelope = decode(data)
    assert type(envelope) not in HOSTS_SAY
    reply: dict[str, Any] = json.loads(data)
    assert reply["type"] == envelope.type
    assert reply.get("code") in CODES, reply
    if thoroughly and ":" not in envelope.type:
        assert_valid(reply)
    return reply
