"""A provider that offers everything, keeps every requirement, and can be made to break one at a time."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from memory_provider.attestation import Attester, SigningKey
from memory_provider.protocol import (
    ContextQueryResult,
    DecodeError,
    GetResponse,
    decode,
    is_compatible,
    parse_timestamp,
    token_cost,
)
from memory_provider.protocol.encoding import plain
from memory_provider.protocol.shapes import read

from .pantry import record

Json = dict[str, Any]

NAME: Final = "small"
KEY: Final = SigningKey.from_seed(b"k" * 32)
LONG: Final = "The kettle was bought by Ada, who has had it ever since, and nobody else may use it. " * 8
SHORT: Final = LONG[:84]
HERE: Final = Path(__file__)
LINES: Final = b"".join(HERE.read_bytes().splitlines(keepends=True)[:2])


class Exit(Exception):
    """The process ends with this code."""


def digest(data: str | bytes) -> str:
    return f"sha256:{sha256(data.encode() if isinstance(data, str) else data).hexdigest()}"


def frame(id: str, content: str, **members: Any) -> Json:
    return {
        "id": id,
        "kind": "fact",
        "title": f"about {id}",
        "content": content,
        "content_digest": digest(content),
        "score": 0.5,
        "token_cost": token_cost(content),
        "recorded_at": "2026-02-01T08:30:00.5Z",
        "citation_label": f"notes on {id}",
        **members,
    }


def relation(target: str, rel: str = "small:about") -> Json:
    return {"rel": rel, "target_uri": target, "display_name": f"the {target.rpartition('/')[2]}"}


COMMAND: Final = {"requirement_kind": "command", "execution_approval_ref": "Ada"}
RECORDS: Final = {
    each["record_id"]: each
    for each in (
        record(
            "r1",
            "memory",
            statement="The kettle is on the shelf.",
            record_links=[{"rel": "by", "target_record_id": each} for each in ("r2", "r3", "r4")],
            confidence=0.9,
        ),
        record("r2", "directive", directive_kind="procedure", statement="Boil.", procedure_steps=["Heat."]),
        record("r3", "directive", directive_kind="constraint", statement="No.", constraint_effect="forbid"),
        record("r4", "artifact_contract", contract_name="tea", requirements=[COMMAND]),
    )
}

FILE: Final = {"type": "file", "uri": HERE.as_uri(), "range": "L1-2", "digest": digest(LINES)}
FRAMES: Final = (
    frame(
        "file",
        "It was descaled in March.",
        score=0.9,
        valid_from="2026-03-01T00:00:00Z",
        provenance=[FILE],
    ),
    frame(
        "shelf",
        "The kettle is on the shelf.",
        kind="memory",
        score=0.8,
        relations=[relation("mem:place/shelf")],
        provenance=[{"type": "record", "uri": "memory:record/r1"}],
    ),
    frame(
        "lent",
        "The kettle was lent to Ben.",
        score=0.7,
        valid_from="2026-02-01T00:00:00Z",
        valid_to="2026-08-01T00:00:00Z",
        relations=[relation("mem:person/ben")],
    ),
    frame("long", LONG, score=0.6, uri="mem:long", relations=[relation("mem:person/ada")]),
)

BLOCK: Final[Json] = {
    "profile": "contextgraph/lifecycle/1.0-draft",
    "operations": [
        {
            "operation": "context/records/get",
            "request": "memory-provider:records_get",
            "answer": "memory-provider:records",
        },
        {
            "operation": "context/records/append",
            "request": "memory-provider:records_append",
            "answer": "memory-provider:records_appended",
        },
        {
            "operation": "erase",
            "request": "memory-provider:records_erase",
            "answer": "memory-provider:records_erased",
        },
        {
            "operation": "context/resolve",
            "request": "memory-provider:resolve",
            "answer": "memory-provider:resolved",
        },
    ],
}


def acknowledgement() -> Json:
    return {
        "type": "handshake_ack",
        "protocol_version": "contextgraph/1.0",
        "provider": {
            "name": NAME,
            "version": "1",
            "data_flow": {"reads": True, "writes": False, "egress": False, "egress_scopes": ["local-only"]},
        },
        "capabilities": {
            "query": {"kinds": ["fact", "memory"]},
            "correlation": True,
            "graph": True,
            "embeddings_fingerprint": "m/3/l2",
            "verify": True,
            "representations": ["full", "compact", "reference"],
            "resolve": True,
            "lifecycle": copy.deepcopy(BLOCK),
        },
        "attester_keys": [plain(KEY.public)],
    }


Spoil = Callable[[str, Json, Any], Any]
"""What a mode makes of a moment (`request`, `reply`, …), of what was asked, and of what would be done."""


class SmallProvider:
    """Bytes in, bytes out. `spoil` may change what is said, at moments that have names."""

    def __init__(self, spoil: Spoil) -> None:
        self.spoil = spoil
        self.records = dict(RECORDS)
        self.keys: dict[str, str] = {}

    def hear(self, line: bytes) -> list[bytes]:
        """The lines that answer one. Raises `Exit`."""
        if not line.strip():
            return []
        raw = self.spoil("line", {}, line)
        if isinstance(raw, list):
            return raw
        try:
            decode(raw)
        except DecodeError as error:
            if not error.reply:
                ignored = self.spoil("notification", {}, None)
                return [] if ignored is None else [written(ignored)]
            id = {} if error.id is None else {"id": error.id}
            refusal = {"type": "error", **id, "code": "bad_request", "message": "no"}
            return self._said("refusal", self._asked(raw), refusal)
        asked = json.loads(raw)
        reply = getattr(self, asked["type"].rpartition(":")[2], lambda asked: None)(asked)
        if reply is not None and asked.get("id") is not None:
            reply["id"] = asked["id"]
        return self._said(asked["type"], asked, reply)

    def _said(self, moment: str, asked: Json, reply: Any) -> list[bytes]:
        reply = self.spoil(moment, asked, reply)
        if reply is None:
            return []
        if isinstance(reply, bytes):
            return [reply]
        return [written(each) for each in (reply if isinstance(reply, list) else [reply])]

    def _asked(self, raw: bytes) -> Json:
        try:
            asked = json.loads(raw)
        except (ValueError, RecursionError):
            return {}
        return asked if isinstance(asked, dict) else {}

    # --- answers

    def handshake(self, asked: Json) -> Json:
        if not is_compatible(asked["protocol_version"]):
            return {"type": "error", "code": "incompatible_version", "message": "no"}
        return acknowledgement()

    def query(self, asked: Json) -> Json:
        query = asked["query"]
        if (vector := query.get("embedding")) is not None and len(vector) != 3:
            return {"type": "error", "code": "bad_request", "message": "3 numbers"}
        result: Json = {"frames": self.spoil("served", query, self.found(query)), "truncated": False}
        result = self.spoil("unsigned", query, result)
        try:
            typed = read(ContextQueryResult, result)
        except Exception:
            return {"type": "frames", "result": result}
        return {"type": "frames", "result": plain(Attester(KEY, NAME).attest(typed))}

    def found(self, query: Json) -> list[Json]:
        frames = [copy.deepcopy(each) for each in FRAMES]
        if query.get("kinds"):
            frames = [each for each in frames if each["kind"] in query["kinds"]]
        if query.get("as_of"):
            at = parse_timestamp(query["as_of"])
            frames = [each for each in frames if holds(each, at)]
        for anchor in query.get("anchors") or ():
            frames.sort(key=lambda each: not near(each, anchor))
        served, left = [], query["max_tokens"]
        for each in frames:
            carried = carry(each, query.get("representation_preferences") or ["full"])
            if carried["token_cost"] <= left and len(served) < query["max_frames"]:
                served.append(carried)
                left -= carried["token_cost"]
        return served

    def verify(self, asked: Json) -> Json:
        verdicts = []
        for each in asked["request"]["frames"]:
            bare = {
                name: each[name] for name in ("provider_id", "frame_id", "content_digest") if name in each
            }
            verdicts.append({"frame": bare, **self.verdict(bare)})
        return {"type": "verified", "response": {"verdicts": verdicts}}

    def verdict(self, bare: Json) -> Json:
        frame = next((each for each in FRAMES if each["id"] == bare["frame_id"]), None)
        if frame is None or "content_digest" not in bare:
            return {"status": "unknown"}
        if bare["content_digest"] in (frame["content_digest"], digest(SHORT)):
            return {"status": "valid"}
        return {"status": "stale", "replacement_digest": frame["content_digest"]}

    def records_get(self, asked: Json) -> Json:
        found = []
        for id in asked["request"]["record_ids"]:
            document = self.spoil("record", asked, copy.deepcopy(self.records.get(id)))
            status = {"status": "not_found"} if document is None else {"status": "found", "record": document}
            found.append({"record_id": id, **status})
        response = Attester(KEY, NAME).attest_records(read(GetResponse, {"records": found}))
        return {"type": "memory-provider:records", "response": plain(response)}

    def records_append(self, asked: Json) -> Json:
        request = asked["request"]
        [document] = request["records"]
        key, id, hash = request.get("idempotency_key"), document["record_id"], document["record_hash"]
        if request.get("requested_retention"):
            return {"type": "error", "code": "retention_rejected", "message": "no"}
        if key is not None and self.keys.setdefault(key, hash) != hash:
            return {"type": "error", "code": "idempotency_conflict", "message": "no"}
        receipt = {"record_id": id, "status": "duplicate" if id in self.records else "accepted"}
        if self.records.setdefault(id, document)["record_hash"] != hash:
            receipt |= {"status": "rejected", "code": "record_identity_conflict"}
        return {"type": "memory-provider:records_appended", "response": {"receipts": [receipt]}}

    def records_erase(self, asked: Json) -> Json:
        erased = [id for id in asked["request"]["record_ids"] if self.records.pop(id, None) is not None]
        receipts = [{"record_id": id, "status": "erased"} for id in erased]
        return {"type": "memory-provider:records_erased", "response": {"receipts": receipts}}

    def resolve(self, asked: Json) -> Json:
        request = asked["request"]
        id = request["content_ref"]["uri"].removeprefix("small:")
        frame = next((each for each in FRAMES if each["id"] == id), None)
        code = None
        if frame is None:
            code = "reference_not_found"
        elif request.get("canonical_content_hash", digest(frame["content"])) != digest(frame["content"]):
            code = "content_hash_mismatch"
        if code is not None or frame is None:
            return {"type": "error", "code": code, "message": "no"}
        return {
            "type": "memory-provider:resolved",
            "response": {
                "content_ref": request["content_ref"],
                "content": frame["content"],
                "canonical_content_hash": digest(frame["content"]),
            },
        }

    def shutdown(self, asked: Json) -> None:
        raise self.spoil("shutdown", asked, Exit(0))


def holds(frame: Json, at: int) -> bool:
    begins, ends = frame.get("valid_from"), frame.get("valid_to")
    return not (begins and at < parse_timestamp(begins)) and not (ends and at >= parse_timestamp(ends))


def near(frame: Json, anchor: str) -> bool:
    return frame.get("uri") == anchor or anchor in [each["target_uri"] for each in frame.get("relations", [])]


def carry(frame: Json, preferences: list[str]) -> Json:
    """The frame in the first representation that is wanted and can be had."""
    way = next((each for each in preferences if each != "compact" or frame["id"] == "long"), "full")
    if way not in ("compact", "reference"):
        return frame
    whole = frame["content"]
    carried = frame | {
        "representation": way,
        "canonical_content_hash": digest(whole),
        "content_ref": {"provider_id": NAME, "uri": f"small:{frame['id']}"},
    }
    if way == "reference":
        del carried["content"], carried["content_digest"]
        return carried | {"token_cost": 0}
    return carried | {
        "content": SHORT,
        "content_digest": digest(SHORT),
        "token_cost": token_cost(SHORT),
        "transform": {"method": "extract", "implementation": NAME, "version": "1"},
    }


def written(message: Json) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode()


__all__ = ["FRAMES", "Exit", "SmallProvider", "Spoil", "written"]
