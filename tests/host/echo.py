"""Answers with the goal as the id of a frame, and notes the id of its process: `python echo.py MODE [FILE]`."""

import json
import os
import sys

MODE = sys.argv[1]
if sys.argv[2:]:
    with open(sys.argv[2], "a") as pids:
        print(os.getpid(), file=pids)
FLOW = {"reads": True, "writes": False, "egress": False}
ACK = {
    "type": "handshake_ack",
    "protocol_version": "contextgraph/1.0",
    "provider": {"name": "echo", "version": "1", "data_flow": FLOW},
    "capabilities": {"query": {"kinds": ["fact"]}, "correlation": True},
}

for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "handshake":
        print(json.dumps(ACK), flush=True)
    elif asked["type"] == "shutdown":
        break
    elif asked["type"] == "query":
        content = "x" * 200_000 if MODE == "long answers" else ""
        frame = {
            "id": asked["query"]["goal"][:1000],
            "kind": "fact",
            "title": "t",
            "content": content,
            "score": 0.5,
            "token_cost": len(content) // 4,
        }
        answer = {"type": "frames", "id": asked["id"], "result": {"frames": [frame], "truncated": False}}
        for _ in range(2 if MODE == "twice" else 1):
            print(json.dumps(answer), flush=True)
