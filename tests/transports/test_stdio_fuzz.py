"""Damaged lines: the process lives, every line it writes is a message, the next question is answered."""

from __future__ import annotations

import json
import random

import pytest

from tests.provider.kettle import GOAL
from tests.provider.wire import CASES, raw

from .conftest import Kitchen
from .host import Host

ROUNDS = 40
LINES_A_ROUND = 25
TOKENS = (
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"null", b"NaN", b"1e999", b"-0", b"\xff", b"\xed\xa0\x80",
    b"\\ud800", b"\\u0000", b"\x00", b"\r", b"\xef\xbb\xbf", b'"id":', b'"type":"query",', b"9" * 400, b"[" * 300,
    b'"as_of":"0000-01-01T00:00:00Z",', b'"max_tokens":4294967295,', b" " * 100, "\u2028\U0001fad6".encode(),
)  # fmt: skip


def damaged(line: bytes, chance: random.Random) -> bytes:
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
    # One line, and never a goodbye: the process has to be there for the next one.
    return bytes(data).replace(b"\n", b" ").replace(b"shutdown", b"shutd0wn")


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_the_process_lives(seed: int, host: Host, kitchen: Kitchen) -> None:
    chance = random.Random(seed)
    lines = [line for case in CASES if len(line := raw(case, kitchen.kettle)) < 10_000]
    for _ in range(LINES_A_ROUND):
        host.send(damaged(chance.choice(lines).rstrip(b"\r\n"), chance) + b"\n")
    after = {
        "type": "query",
        "id": f"after {seed}",
        "query": {"goal": GOAL, "max_frames": 8, "max_tokens": 4096},
    }
    host.send(json.dumps(after).encode() + b"\n")
    host.send({"type": "verify", "id": f"last {seed}", "request": {"frames": []}})
    waited_for = {f"after {seed}", f"last {seed}"}
    answered = 0
    while waited_for:
        reply = host.receive()  # checks that it is a message of the protocol
        answered += 1
        assert reply.get("code") in (
            None,
            "bad_request",
            "incompatible_version",
            "unsupported_representation",
        )
        if reply.get("id") in waited_for:
            waited_for.remove(reply["id"])
            assert reply["type"] in ("frames", "verified")
    assert answered <= LINES_A_ROUND + 2
    # What is still on its way belongs to this round.
    host.send({"type": "handshake", "protocol_version": "contextgraph/1.0"})
    while host.receive()["type"] != "handshake_ack":
        pass
