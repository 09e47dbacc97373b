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
LISTS = {"kinds": str, "anchors": str, "embedding": (int, float)}
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


def read(line):
    # Nothing is guessed: no byte order mark, no member given twice, no NaN, no half of a character.
    asked = json.loads(line.decode(), object_pairs_hook=members, parse_constant=refuse)
    json.dumps(asked, ensure_ascii=False).encode()
    return asked


def members(pairs):
    return dict(pairs) if len(dict(pairs)) == len(pairs) else refuse("a member given twice")


def refuse(what):
    raise ValueError(f"{what} is no JSON here")


def check_lists(query):
    for name, of in LISTS.items():
        value = query.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, of) for each in value):
            raise TypeError(f"{name} is no list of what belongs there")


def found(query):
    check_lists(query)
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
            frames = asked["request"]["frames"]
            if not isinstance(frames, list):
                raise TypeError("frames is no list")
            return {"type": "verified", "response": {"verdicts": [verdict(each) for each in frames]}}
    # Somebody waits for an answer to what has an id; the rest are notices.
    return error("bad_request", "there is no answer to that here") if "id" in asked else None


for line in sys.stdin.buffer:
    id = None
    try:
        asked = read(line)
        if asked["type"] == "shutdown":
            break
        if not isinstance(asked["type"], str) or not isinstance(asked.get("id", ""), str):
            raise TypeError("a type is a text, and so is an id")
        id = asked.get("id")
        said = answer(asked)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        said = error("bad_request", f"{type(problem).__name__}: {problem}"[:200])
    if said is not None:
        print(json.dumps(said if id is None or said is HELLO else said | {"id": id}), flush=True)
