"""A provider of the Context Graph Protocol in plain Python, to ask beside a memory: a few notes, one message a line."""

import json
import re
import sys
from hashlib import sha256

NOTES = {
    "note:1": "Noor's flat in Lisbon has no lift, so deliveries stay with the concierge.",
    "note:2": "The tram stop next to where Noor lives is closed until spring.",
    "note:3": "Water the basil on the balcony twice a week.",
}
AS_OF = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
PROVIDER = {
    "name": "notes-example",
    "version": "1.0",
    "data_flow": {"reads": True, "writes": False, "egress": False},
}


def digest(text):
    return "sha256:" + sha256(text.encode()).hexdigest()


def frames(query):
    if not AS_OF.fullmatch(query.get("as_of") or "2026-01-01T00:00:00Z"):
        raise ValueError("as_of is no timestamp")
    asked, left = set(re.findall(r"\w+", query["goal"].lower())), query["max_tokens"]
    shared = {id: len(asked & set(re.findall(r"\w+", NOTES[id].lower()))) for id in NOTES}
    wanted = "doc" in (query.get("kinds") or ["doc"])
    found = [id for id in sorted(shared, key=lambda id: -shared[id]) if wanted and shared[id]]
    served = []
    for id in found:
        text = NOTES[id]
        cost = (len(text.encode()) + 3) // 4
        if cost <= left and len(served) < query["max_frames"]:
            left -= cost
            frame = {
                "id": id,
                "kind": "doc",
                "title": text[:30],
                "content": text,
                "content_digest": digest(text),
            }
            frame |= {
                "score": shared[id] / len(asked),
                "token_cost": cost,
                "citation_label": f"note {id[5:]}",
            }
            served.append(frame)
    return {"frames": served, "truncated": len(served) < len(found)}


def verdict(frame):
    text = NOTES.get(frame["frame_id"])
    if text is None or not frame.get("content_digest"):
        return {"frame": frame, "status": "unknown"}
    return {"frame": frame, "status": "valid" if frame["content_digest"] == digest(text) else "stale"}


def answer(asked):
    match asked["type"]:
        case "handshake" if asked["protocol_version"].split(".")[0] == "contextgraph/1":
            can = {"query": {"kinds": ["doc"]}, "verify": True, "correlation": True}
            said = {"type": "handshake_ack", "protocol_version": "contextgraph/1.0"}
            return {**said, "provider": PROVIDER, "capabilities": can}
        case "handshake":
            return {"type": "error", "code": "incompatible_version", "message": "this speaks contextgraph/1"}
        case "query":
            return {"type": "frames", "result": frames(asked["query"])}
        case "verify":
            verdicts = [verdict(frame) for frame in asked["request"]["frames"]]
            return {"type": "verified", "response": {"verdicts": verdicts}}
    return {
        "type": "error",
        "code": "bad_request",
        "message": "expected handshake, query, verify or shutdown",
    }


def main():
    for line in sys.stdin.buffer:
        asked = None
        try:
            asked = json.loads(line)
            if asked["type"] == "shutdown":
                break
            said = answer(asked)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
            message = f"{type(problem).__name__}: {problem}"[:200]
            said = {"type": "error", "code": "bad_request", "message": message}
        if isinstance(asked, dict) and "id" in asked and said["type"] != "handshake_ack":
            said["id"] = asked["id"]
        print(json.dumps(said), flush=True)


main()
