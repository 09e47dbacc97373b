"""A provider of the Context Graph Protocol in plain Python, to ask beside a memory: a few notes, one message a line."""

import json
import re
import sys
from datetime import datetime
from hashlib import sha256

NOTES = {
    "note:1": "Noor's flat in Lisbon has no lift, so deliveries stay with the concierge.",
    "note:2": "The tram stop next to where Noor lives is closed until spring.",
    "note:3": "Water the basil on the balcony twice a week.",
}
FLOW = {"reads": True, "writes": False, "egress": False}
HELLO = {
    "type": "handshake_ack",
    "protocol_version": "contextgraph/1.0",
    "provider": {"name": "notes-example", "version": "1.0", "data_flow": FLOW},
    "capabilities": {"query": {"kinds": ["doc"]}, "verify": True, "correlation": True},
}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:([0-5]\d|60)(\.\d+)?Z", re.ASCII)


def digest(text):
    return "sha256:" + sha256(text.encode()).hexdigest()


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def frame(id, score):
    text = NOTES[id]
    cost = (len(text.encode()) + 3) // 4
    label = f"note {id[5:]}"
    said = {"id": id, "kind": "doc", "title": text[:30], "content": text, "content_digest": digest(text)}
    return said | {"score": score, "token_cost": cost, "citation_label": label}


def limit(number):
    if type(number) is not int or not 0 <= number < 2**32:
        raise ValueError("a limit is a whole number from 0 to 2^32 - 1")
    return number


def found(query):
    as_of = query.get("as_of")
    if as_of is not None:
        if not INSTANT.fullmatch(as_of):
            raise ValueError("as_of is no instant")
        datetime.fromisoformat(as_of[:16])  # raises for a day that does not exist
    asked, kinds = words(query["goal"]), query.get("kinds") or ["doc"]
    scores = {id: len(asked & words(text)) / (len(asked) or 1) for id, text in NOTES.items()}
    offered = [frame(id, score) for id, score in scores.items() if score and "doc" in kinds]
    served, left, most = [], limit(query["max_tokens"]), limit(query["max_frames"])
    for each in sorted(offered, key=lambda each: -each["score"]):
        if each["token_cost"] <= left and len(served) < most:
            served.append(each)
            left -= each["token_cost"]
    return {"frames": served, "truncated": len(served) < len(offered)}


def verdict(held):
    held = {name: held[name] for name in ("provider_id", "frame_id", "content_digest") if name in held}
    text = NOTES.get(held["frame_id"])
    if text is None or held.get("content_digest") is None:
        return {"frame": held, "status": "unknown"}
    return {"frame": held, "status": "valid" if held["content_digest"] == digest(text) else "stale"}


def error(code, message):
    return {"type": "error", "code": code, "message": message}


def answer(asked):
    match asked["type"]:
        case "handshake" if asked["protocol_version"].split(".")[0] == "contextgraph/1":
            return HELLO
        case "handshake":
            return error("incompatible_version", "this speaks contextgraph/1")
        case "query":
            return {"type": "frames", "result": found(asked["query"])}
        case "verify":
            verdicts = [verdict(each) for each in asked["request"]["frames"]]
            return {"type": "verified", "response": {"verdicts": verdicts}}
    # Somebody waits for an answer to what has an id; the rest are notices.
    return error("bad_request", "there is no answer to that here") if "id" in asked else None


for line in sys.stdin.buffer:
    id = None
    try:
        asked = json.loads(line)
        if asked["type"] == "shutdown":
            break
        if not isinstance(asked.get("id", ""), str):
            raise TypeError("an id is a text")
        id = asked.get("id")
        said = answer(asked)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        said = error("bad_request", f"{type(problem).__name__}: {problem}"[:200])
    if said is not None:
        print(json.dumps(said if id is None or said is HELLO else said | {"id": id}), flush=True)
