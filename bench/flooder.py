"""A provider that sends more than anybody should read: `python flooder.py MODE`. Nothing but the standard library."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from typing import Any

LIMIT = 16 * 1024 * 1024
MODE = sys.argv[1]


def say(message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(content: str, **members: Any) -> dict[str, Any]:
    data = content.encode()
    frame = {
        "id": "f",
        "kind": "fact",
        "title": "Flood",
        "content": content,
        "content_digest": "sha256:" + sha256(data).hexdigest(),
        "score": 0.5,
        "token_cost": (len(data) + 3) // 4,
        "citation_label": "flood",
    }
    return {"type": "frames", "result": {"frames": [frame], "truncated": False}, **members}


def respond(id: str) -> None:
    if MODE == "short answers":
        say(answer("In the sink.", id=id))
    elif MODE == "lines as long as they may be":
        say(answer("x" * (LIMIT - 1000), id=id))
    elif MODE == "lines as long as they may be, of empty lists":
        sys.stdout.write(f'{{"type": "x", "id": "{id}", "x": [{"[]," * (LIMIT // 3 - 100)}[]]}}\n')
        sys.stdout.flush()
    elif MODE == "a line without an end":
        while True:
            sys.stdout.write("x" * 65536)
    elif MODE == "blank lines without an end":
        while True:
            sys.stdout.write("\n" * 65536)
    elif MODE == "answers to questions that were not asked, without an end":
        say(answer("In the sink.", id=id))
        text = json.dumps(answer("In the sink.", id="other")) + "\n"
        while True:
            sys.stdout.write(text * 100)
    else:
        raise SystemExit(f"no such mode: {MODE}")


for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "handshake":
        flow = {"reads": True, "writes": False, "egress": False}
        say(
            {
                "type": "handshake_ack",
                "protocol_version": "contextgraph/1.0",
                "provider": {"name": "flooder", "version": "1", "data_flow": flow},
                "capabilities": {"query": {"kinds": ["fact"]}, "correlation": True},
            }
        )
    elif asked["type"] == "query":
        respond(asked["id"])
    elif asked["type"] == "shutdown":
        break
