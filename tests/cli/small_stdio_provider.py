"""A provider of one frame on its standard streams: `python small_stdio_provider.py [FLAW…]`."""

import json
import re
import sys
from hashlib import sha256
from typing import Any

FLAWS = sys.argv[1:]
CONTENT = "The kettle is on the shelf."
FRAME: dict[str, Any] = {
    "id": "kettle",
    "kind": "fact",
    "title": "Where the kettle is",
    "content": CONTENT,
    "content_digest": "sha256:" + sha256(CONTENT.encode()).hexdigest(),
    "score": 0.9,
    "token_cost": 7,
    "valid_from": "2026-02-01T00:00:00Z",
    "citation_label": "note on the kettle",
    "provenance": [{"type": "note"}],
    "relations": [{"rel": "small:about", "target_uri": "small:kettle", "display_name": "the kettle"}],
}
if "escapes" in FLAWS:
    FRAME |= {"id": "\x1b[2J", "title": " "}
TIME = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?Z", re.A
)


class Bad(ValueError):
    """A request that is none."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise Bad("a member is given twice")
    return dict(pairs)


def refuse(what: str) -> Any:
    raise Bad(what)


def need(holds: object) -> None:
    if not holds:
        raise Bad("no")


def count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**32


def texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def answer(asked: Any) -> Any:
    need(isinstance(asked, dict) and isinstance(asked.get("type"), str))
    match asked["type"]:
        case "handshake":
            version = asked.get("protocol_version")
            need(isinstance(version, str))
            if version.partition(".")[0] != "contextgraph/1":
                return {"type": "error", "code": "incompatible_version", "message": "1.0 is spoken here"}
            flow = {"reads": True, "writes": False, "egress": "egress" in FLAWS}
            who = {"name": "small", "version": "1", "data_flow": flow}
            can = {"query": {"kinds": ["fact"]}, "verify": False}
            return {
                "type": "handshake_ack",
                "protocol_version": "contextgraph/1.0",
                "provider": who,
                "capabilities": can,
            }
        case "query":
            return {"type": "frames", "result": {"frames": found(asked.get("query")), "truncated": False}}
        case "shutdown":
            sys.exit(0)
    need("id" not in asked and asked["type"] not in ("verify",))
    return None


def found(query: Any) -> list[Any]:
    need(isinstance(query, dict) and isinstance(query.get("goal"), str))
    need(count(query.get("max_frames")) and count(query.get("max_tokens")))
    need(texts(query.get("kinds", [])) and texts(query.get("anchors", [])))
    vector = query.get("embedding")
    need(vector is None or all(isinstance(each, float) for each in vector))
    as_of = query.get("as_of")
    if as_of is not None and not is_instant(as_of):
        need("as_of" in FLAWS)
        as_of = None
    fits = query["max_tokens"] >= 7 or "budget" in FLAWS
    wanted = "fact" in query.get("kinds", []) or not query.get("kinds")
    holds = as_of is None or as_of >= FRAME["valid_from"]
    return [FRAME] if fits and wanted and holds and query["max_frames"] and "empty" not in FLAWS else []


def is_instant(text: Any) -> bool:
    no_day = ("2026-02-30", "2027-02-29")
    return isinstance(text, str) and bool(TIME.fullmatch(text)) and not text.startswith(no_day)


for line in sys.stdin.buffer:
    if not line.strip():
        continue
    try:
        asked = json.loads(line.decode(), object_pairs_hook=once, parse_constant=refuse)
        json.dumps(asked, ensure_ascii=False).encode()  # no half of a surrogate pair
        reply = answer(asked)
    except (ValueError, RecursionError, OverflowError):
        reply = {"type": "error", "code": "bad_request", "message": "this is no request"}
    if reply is not None:
        print(json.dumps(reply), flush=True)
