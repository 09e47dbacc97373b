"""Damaged lines: the process lives, every line it writes is a message, the next question is answered."""

from __future__ import annotations

import json

import pytest

from tests.provider.kettle import GOAL

from .conftest import Kitchen
from .fuzzing import MUTANTS, ROUND, assert_answer, mutants


@pytest.mark.slow
def test_the_process_lives(kitchen: Kitchen) -> None:
    answered = 0
    with kitchen.host() as host:
        for seed in range(MUTANTS // ROUND):
            # One line, and never a goodbye: the process has to be there for the next one.
            lines = [
                mutant.replace(b"\n", b" ").replace(b"shutdown", b"shutd0wn")
                for mutant in mutants(seed, kitchen.kettle)
            ]
            query = {"goal": GOAL, "max_frames": 8, "max_tokens": 4096}
            after = {"type": "query", "id": f"after {seed}", "query": query}
            last = {"type": "verify", "id": f"last {seed}", "request": {"frames": []}}
            host.send(b"\n".join([*lines, json.dumps(after).encode(), json.dumps(last).encode(), b""]))
            waited_for = {f"after {seed}": "frames", f"last {seed}": "verified"}
            while waited_for:
                reply = assert_answer(host.line(), thoroughly=answered % 50 == 0)
                answered += 1
                if reply.get("id") in waited_for:
                    assert reply["type"] == waited_for.pop(reply["id"])
            assert answered <= (seed + 1) * (ROUND + 2), (
                "answers may overtake each other, also into the next round"
            )
            # What is still on its way belongs to this round.
            host.send({"type": "handshake", "protocol_version": "contextgraph/1.0"})
            while assert_answer(host.line())["type"] != "handshake_ack":
                pass
        host.send({"type": "shutdown"})
        code, _, rest = host.end()
        assert (code, rest, host.errors()) == (0, [], "")
