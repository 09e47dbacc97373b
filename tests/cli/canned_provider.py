"""A provider that says what a file has: `python canned_provider.py FILE`.

What it is sent is appended to FILE.sent, and the environment it was given is written to FILE.environment.
"""

import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

FLOW = {"reads": True, "writes": False, "egress": False}


def frame(id: str, content: str, **members: Any) -> dict[str, Any]:
    """An honest frame, but for the members given."""
    data = content.encode()
    return {
        "id": id,
        "kind": "fact",
        "title": id,
        "content": content,
        "content_digest": f"sha256:{sha256(data).hexdigest()}",
        "score": 0.5,
        "token_cost": (len(data) + 3) // 4,
        "citation_label": f"label {id}",
        **members,
    }


def answer(asked: Any, canned: Any) -> Any:
    """The envelope that answers one."""
    if asked["type"] == "handshake":
        return {
            "type": "handshake_ack",
            "protocol_version": "contextgraph/1.0",
            "provider": {
                "name": canned.get("name", "canned"),
                "version": canned.get("version", "1"),
                "data_flow": canned.get("data_flow", FLOW),
            },
            "capabilities": {
                "query": {"kinds": canned.get("kinds", ["fact"])},
                "verify": canned.get("verify", True),
                **canned.get("capabilities", {}),
            },
        }
    if asked["type"] == "query":
        result = {"frames": canned.get("frames", []), "truncated": False, **canned.get("result", {})}
        return {"type": "frames", "result": result}
    served = {each["id"]: each.get("content_digest") for each in canned.get("frames", [])}
    verdicts = []
    for each in asked["request"]["frames"]:
        is_there = each["frame_id"] in served
        same = served.get(each["frame_id"]) == each["content_digest"]
        verdicts.append({"frame": each, "status": "valid" if same else "stale" if is_there else "gone"})
    return {"type": "verified", "response": {"verdicts": verdicts}}


def main() -> None:
    """Answer until the host says goodbye."""
    path = Path(sys.argv[1])
    path.with_suffix(".environment").write_text(json.dumps(dict(os.environ)))
    for line in sys.stdin:
        asked = json.loads(line)
        with path.with_suffix(".sent").open("a") as sent:
            sent.write(line)
        if asked["type"] == "shutdown":
            return
        print(json.dumps(answer(asked, json.loads(path.read_text()))), flush=True)


if __name__ == "__main__":
    main()
