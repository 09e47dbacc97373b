"""Envelopes put out of shape: the authored cases, each with a few bytes inserted, deleted, changed or repeated."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from tests.provider.kettle import Kettle
from tests.provider.wire import CASES, assert_valid, raw

MUTANTS = 50_000
"""How many each transport has to live through."""

ROUND = 1000
"""After how many of them a good question is asked."""

TYPES = {"frames", "verified", "error", "handshake_ack"}
CODES = {None, "bad_request", "incompatible_version", "unsupported_representation", "budget_unsatisfiable"}
"""What a peer may hear of its own mistakes. `internal` is none: it would be one of ours."""

TOKENS = (
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"null", b"NaN", b"1e999", b"-0", b"\xff", b"\xed\xa0\x80",
    b"\\ud800", b"\\u0000", b"\x00", b"\r", b"\xef\xbb\xbf", b'"id":', b'"type":"query",', b"9" * 400, b"[" * 300,
    b'"as_of":"0000-01-01T00:00:00Z",', b'"max_tokens":4294967295,', b" " * 100, "\u2028\U0001fad6".encode(),
)  # fmt: skip


def mutants(seed: int, kettle: Kettle, count: int = ROUND) -> Iterator[bytes]:
    """So many damaged messages, the same for the same seed."""
    chance = random.Random(seed)
    whole = [line for case in CASES if len(line := raw(case, kettle)) < 10_000]
    for _ in range(count):
        yield damaged(chance.choice(whole).rstrip(b"\r\n"), chance)


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
    reply: dict[str, Any] = json.loads(data)
    assert reply["type"] in TYPES
    assert reply.get("code") in CODES, reply
    if thoroughly:
        assert_valid(reply)
    return reply
