"""What the wire says: the authored cases put in this provider's terms, and every rule a reply has to keep."""

from __future__ import annotations

import base64
import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema

from memory_provider.protocol import parse_timestamp
from memory_provider.protocol.lifecycle.capability import LIFECYCLE
from memory_provider.provider import KNOWN_AT

from .kettle import Kettle

DATA = Path(__file__).parents[1] / "data" / "protocol"
KINDS = ("fact", "episode", "graph", "memory")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")

CARRIED = {
    "full": {"content", "content_digest"},
    "compact": {"content", "content_digest", "canonical_content_hash", "transform", "content_ref"},
    "reference": {"content_ref", "canonical_content_hash"},
}
"""The members that frames of each representation are served with here."""
OF_REPRESENTATION = set().union(*CARRIED.values())

CASES: list[dict[str, Any]] = [
    case
    for case in json.loads((DATA / "wire_cases.json").read_bytes())["cases"]
    if case["direction"] == "host_to_provider"
]
STANDS_FOR_THE_DIGEST = "sha256:7f07c3366d7ea146c4ff497b3812260d02d1e8bf7bec4645893963f89490d0e6"
DECLARES_A_SPACE = "provider declares model/8/l2"
"""Cases that need an embedding space, which is not served yet."""


def raw(case: dict[str, Any], kettle: Kettle) -> bytes:
    """The bytes of a case, with its line end; `memory` and `mem:42` stand for a kind and a frame of ours."""
    if "raw_base64" in case:
        return base64.b64decode(case["raw_base64"])
    if "raw_recipe" in case:
        recipe = case["raw_recipe"]
        middle = recipe["open"] * recipe["depth"] + recipe["close"] * recipe["depth"]
        return f"{recipe['prefix']}{middle}{recipe['suffix']}".encode()
    text = json.dumps(case["message"]).replace('"memory"', '"fact"').replace('"mem:42"', f'"{kettle.fact}"')
    return text.replace(STANDS_FOR_THE_DIGEST, kettle.digest).encode() + b"\n"


def assert_expected(reply: dict[str, Any] | None, expected: dict[str, Any]) -> None:
    """A reply is what the case says a careful implementation answers."""
    if "one_of" in expected:
        problems = []
        for choice in expected["one_of"]:
            try:
                return assert_expected(reply, choice)
            except AssertionError as problem:
                problems.append(problem)
        raise AssertionError(f"none of the answers that are allowed: {problems}")
    if "type" not in expected:
        assert reply is None
        return None
    assert reply is not None
    frames = reply.get("result", {}).get("frames", [])
    for what, wanted in expected.items():
        match what:
            case "type" | "code" | "id":
                assert reply.get(what) == wanted
            case "id_absent":
                assert "id" not in reply
            case "frames":
                assert len(frames) == wanted
            case "max_frames":
                assert len(frames) <= wanted
            case "only_kinds":
                assert {frame["kind"] for frame in frames} <= {"fact" if k == "memory" else k for k in wanted}
            case "verdicts":
                assert [each["status"] for each in reply["response"]["verdicts"]] == wanted
            case "process_alive":
                pass  # the caller asks again
            case _:
                raise AssertionError(f"a case expects {what}, which no test looks at")
    return None


@cache
def _schema(name: str) -> jsonschema.protocols.Validator:
    schema = json.loads((DATA / f"contextgraph-envelope{name}.schema.json").read_bytes())
    return jsonschema.Draft202012Validator(schema)


def assert_valid(reply: dict[str, Any]) -> dict[str, Any]:
    """A reply is a message of the protocol by both of its JSON Schemas, and keeps the rules they cannot say.

    The schemas are closed, so what the protocol leaves open is taken out first: this provider's extensions, the id of
    a verification, which SPEC 9 has and the schema does not, and an empty id, which is echoed to who sent one.
    """
    plain = json.loads(json.dumps(reply))
    for holder in (plain.get("capabilities", {}), plain.get("result", {})):
        for name in [name for name in holder if name.startswith("memory-provider:") or name == LIFECYCLE]:
            del holder[name]
    if plain["type"] == "verified" or plain.get("id") == "":
        plain.pop("id", None)
    if not plain["type"].startswith("memory-provider:"):  # an extension, which the schemas do not know
        _schema(".v1").validate(plain)
        plain.pop("attester_keys", None)  # what 1.0 added to the draft
        for name in ("frame_attestations", "result_attestation"):
            plain.get("result", {}).pop(name, None)
        _schema("").validate(plain)
    for frame in reply.get("result", {}).get("frames", []):
        assert_good_frame(frame)
    return reply


def assert_good_frame(frame: dict[str, Any]) -> None:
    """F1-F5, P1-P4, D1, B3, G1 and G2 of one frame."""
    content = frame["content"].encode() if "content" in frame else None
    assert 0 <= frame["score"] <= 1, "F1"
    assert frame["title"].strip(), "F2"
    assert frame["citation_label"].strip(), "F3"
    assert frame["id"] not in (frame["citation_label"], frame["title"]), "F3: a label, not an id"
    for name in ("valid_from", "valid_to", "recorded_at"):
        if name in frame:
            parse_timestamp(frame[name])  # F4
    for link in frame.get("provenance", []):
        assert link["type"] != "file" or DIGEST.fullmatch(link["digest"]), "F5"
    representation = frame.get("representation", "full")
    assert frame.get("representation") != "full", "P1"
    assert OF_REPRESENTATION & set(frame) == CARRIED[representation], "P1, P2, P3"
    if content is None:
        assert frame["token_cost"] == 0, "P4"
    else:
        assert frame["content_digest"] == f"sha256:{sha256(content).hexdigest()}", "D1"
        assert frame["token_cost"] == -(-len(content) // 4), "B3"
    for relation in frame.get("relations", []):
        assert relation["display_name"].strip(), "G1"
        assert relation["target_uri"].strip(), "G2"
        vendor, _, name = relation["rel"].partition(":")
        assert vendor, "U3"
        assert name, "U3"
    assert frame["kind"] in KINDS
    assert frame["provenance"], "every frame says where it comes from"


def assert_keeps(reply: dict[str, Any], query: dict[str, Any]) -> None:
    """The frames keep to the query's filter, its instant and its budget: Q1, Q2, B1, B4."""
    frames = reply["result"]["frames"]
    assert len(frames) <= query["max_frames"], "B4"
    assert sum(frame["token_cost"] for frame in frames) <= query["max_tokens"], "B1"
    assert len({frame["id"] for frame in frames}) == len(frames)
    if query.get("kinds"):
        assert {frame["kind"] for frame in frames} <= set(query["kinds"]), "Q1"
    if query.get("as_of"):
        at = parse_timestamp(query["as_of"])
        for frame in frames:
            assert "valid_from" not in frame or parse_timestamp(frame["valid_from"]) <= at, "Q2"
            assert "valid_to" not in frame or at < parse_timestamp(frame["valid_to"]), "Q2"
    if query.get(KNOWN_AT):
        known_at = parse_timestamp(query[KNOWN_AT])
        assert all(parse_timestamp(frame["recorded_at"]) <= known_at for frame in frames)
