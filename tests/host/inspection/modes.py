"""Every way to break requirements that is tried, and the requirements that each breaks.

`LP-ID1` is left out: whatever breaks a MUST of the core breaks it, as the small provider offers the profile.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from memory_provider.attestation import Attester, SigningKey
from memory_provider.protocol import ContextQueryResult
from memory_provider.protocol.encoding import plain
from memory_provider.protocol.shapes import read

from .small_provider import KEY, LONG, NAME, Exit, Json, Spoil, written
from .spoiling import (
    GONE,
    OTHER,
    ack,
    acknowledges,
    at,
    contents_that_change,
    dies,
    empty,
    error,
    everything,
    frames,
    holding,
    id_of,
    is_goodbye,
    links,
    member,
    of_record,
    references,
    refused,
    relations,
    resolved,
    says,
    says_nothing,
    served,
    signed,
    unread,
    verdicts,
    with_,
    with_lent,
)


class Mode(NamedTuple):
    """One way."""

    breaks: set[str]
    spoil: Spoil


LINES: Final = {
    "a log line": Mode({"T1", "R1"}, at("refusal", lambda asked, said: said if asked else b"INFO refused")),
    "no type": Mode({"T1", "R1"}, at("refusal", lambda asked, said: said if asked else {"no": "type"})),
    "a member twice": Mode(
        {"T1", "R1"},
        at("refusal", lambda asked, said: said if asked else written(said)[:-1] + b',"code":"internal"}'),
    ),
    "a line after the goodbye": Mode({"T1"}, at("shutdown", lambda asked, exit: Exit(0, b'{"type":"bye"}'))),
    "a fraction for a count": Mode(
        {"schema"}, at("unsigned", lambda asked, result: result | {"dropped_estimate": 1.0})
    ),
    "null for a list": Mode({"schema"}, ack(None, "provider", "data_flow", "egress_scopes")),
    "no truncated": Mode({"schema"}, at("unsigned", lambda asked, result: with_(result, GONE, "truncated"))),
    "no message on errors": Mode({"schema"}, at("refusal", lambda asked, said: with_(said, GONE, "message"))),
    "a code of nobody": Mode(
        {"U3", "LO-R3"},
        resolved(lambda asked, said: said | ({"code": "lost"} if "found" in str(said.get("code")) else {})),
    ),
}

UNKNOWN: Final = {
    "junk refused in a handshake": Mode(
        {"T2", "U1"},
        unread(lambda line: b'"handshake"' in line and b"unknown" in line, says(error("bad_request"))),
    ),
    "junk refused in a question": Mode(
        {"T2", "U1"}, refused(lambda query: "inspection:unknown" in query, "bad_request")
    ),
    "junk changes an answer": Mode(
        {"T2", "U1"}, served(lambda query: "inspection:unknown" in query, lambda query, frames: frames[:1])
    ),
    "a notification is answered": Mode({"T3"}, at("notification", lambda asked, none: error("bad_request"))),
    "an unknown request is ignored": Mode(
        {"T3"}, unread(lambda line: b"unheard-of" in line and b'"id"' in line, says_nothing)
    ),
    "an unknown request ends it": Mode({"T3"}, unread(holding(b"unheard-of"), dies)),
    "an unknown request is internal": Mode(
        {"T3"},
        at("refusal", lambda asked, said: said | {"code": "internal"} if "unheard" in str(asked) else said),
    ),
}

HANDSHAKES: Final = {
    "another family": Mode({"H1"}, ack("contextgraph/2.0", "protocol_version")),
    "a draft host is refused": Mode(
        {"H1", "H7"}, unread(holding(b"1.0-draft"), says(error("incompatible_version")))
    ),
    "a blank version": Mode({"H2"}, ack(" ", "provider", "version")),
    "any host": Mode({"H3", "H7"}, acknowledges("")),
    "a host of 2.0": Mode({"H3"}, acknowledges("/2.0")),
    "a host of 10.0": Mode({"H3", "H7"}, acknowledges("/10.0")),
    "another host is left waiting": Mode({"H3"}, unread(holding(b"contextgraph/2.0"), says_nothing)),
    "a scope lie": Mode({"C5"}, ack(["org-tenant"], "provider", "data_flow", "egress_scopes")),
    "a scope of nobody": Mode(
        {"C5", "U3"},
        ack(
            {"reads": True, "writes": False, "egress": True, "egress_scopes": ["moon"]},
            "provider",
            "data_flow",
        ),
    ),
    "compact without resolve": Mode({"P6"}, ack(False, "capabilities", "resolve")),
}

IDS: Final = {
    "no id on one answer": Mode(
        {"H4"}, at("query", lambda asked, said: with_(said, GONE, "id") if asked.get("id") == "17" else said)
    ),
    "no id on errors": Mode({"H4"}, at("refusal", lambda asked, said: with_(said, GONE, "id"))),
    "another id": Mode(
        {"H4"}, at("query", lambda asked, said: said | {"id": "0"} if asked.get("id") == "🫖" else said)
    ),
    "an id where none was": Mode({"H4"}, at("query", lambda asked, said: {"id": "0"} | said)),
}

QUESTIONS: Final = {
    "kinds are ignored": Mode({"Q1"}, served(lambda query: query.get("kinds"), everything)),
    "an unknown kind is a bad request": Mode(
        {"Q1"}, refused(lambda query: query.get("kinds") == ["snippet"], "bad_request")
    ),
    "as_of is ignored": Mode({"Q2"}, served(lambda query: query.get("as_of"), everything)),
    "the end of a window is in it": Mode(
        {"Q2"}, served(lambda query: query.get("as_of") == "2026-08-01T00:00:00Z", with_lent)
    ),
    "no as_of at all": Mode({"Q2"}, refused(lambda query: query.get("as_of"), "unavailable")),
    "any embedding": Mode(
        {"E1p"},
        at("query", lambda asked, said: empty(asked, said) if "embedding" in asked["query"] else said),
    ),
    "an unknown representation is internal": Mode(
        {"P5p"},
        at("refusal", lambda asked, said: said | {"code": "internal"} if "of-none" in str(asked) else said),
    ),
    "references unasked": Mode({"P5p"}, served(lambda query: query["max_frames"] == 64, references)),
    "a bad as_of is taken": Mode(
        {"QFMT"}, at("refusal", lambda asked, said: empty(asked, said) if "as_of" in str(asked) else said)
    ),
    "a query without a goal is internal": Mode(
        {"QFMT"},
        at("refusal", lambda asked, said: said | {"code": "internal"} if no_goal(asked) else said),
    ),
    "max_tokens is ignored": Mode(
        {"B1"}, served(lambda query: query["max_tokens"] < 4096 and query["max_frames"] == 8, everything)
    ),
    "a small budget is internal": Mode({"B1"}, refused(lambda query: query["max_tokens"] == 0, "internal")),
    "max_frames is ignored": Mode(
        {"B4"},
        served(lambda query: query["max_frames"] == 1, lambda query, frames: everything(query, frames)[:2]),
    ),
    "no frames are an error": Mode({"B4"}, refused(lambda query: query["max_frames"] == 0, "unavailable")),
}

FRAMES: Final = {
    "a score above 1": Mode({"F1"}, member("score", 1.5)),
    "a blank title": Mode({"F2"}, member("title", " ")),
    "a blank label": Mode({"F3"}, member("citation_label", " ")),
    "the id for a label": Mode({"F3"}, frames(lambda frame: with_(frame, frame["id"], "citation_label"))),
    "an offset": Mode({"F4"}, member("recorded_at", "2026-02-01T08:30:00+00:00")),
    "30 February": Mode({"F4"}, member("recorded_at", "2026-02-30T00:00:00Z")),
    "a file without a digest": Mode({"F5"}, links("digest", GONE)),
    "a file of other bytes": Mode({"F5"}, links("digest", OTHER)),
    "a range that ends before it begins": Mode({"F17"}, links("range", "L2-1")),
    "a range from 0": Mode({"F17"}, links("range", "L0")),
    "a range of two Ls": Mode({"F17"}, links("range", "L1-L2")),
    "a cost that is too low": Mode({"B3", "P4"}, member("token_cost", 1, of="full")),
    "a reference that costs": Mode({"B3", "P4"}, member("token_cost", 4, of="reference")),
    "a digest of other bytes": Mode({"D1", "V2p", "V5p"}, member("content_digest", OTHER, of="full")),
    "a digest that is none": Mode({"D1", "V2p", "V5p"}, member("content_digest", "sha1:0", of="full")),
    "one digest for all bytes": Mode({"D1", "D1b", "V2p", "V5p"}, contents_that_change()),
    "full with a hash": Mode({"P1"}, member("canonical_content_hash", OTHER, of="full")),
    "full that says so": Mode({"P1"}, member("representation", "full", of="full")),
    "compact without a transform": Mode({"P2"}, member("transform", GONE, of="compact")),
    "a reference with content": Mode({"P3"}, member("content", "", of="reference")),
    "a blank display name": Mode({"G1"}, relations("display_name", " ")),
    "a blank target": Mode({"G2"}, relations("target_uri", " ")),
    "a rel of nobody": Mode({"U3"}, relations("rel", ":kept_on")),
    "anchors are forgotten": Mode(
        {"G3"},
        served(
            lambda query: query.get("anchors"),
            lambda query, frames: sorted(frames, key=lambda f: -f["score"]),
        ),
    ),
    "nothing at an anchor": Mode(
        {"G3", "G4"},
        served(
            lambda query: query.get("anchors"),
            lambda query, frames: [each for each in frames if not is_at(each, query["anchors"])],
        ),
    ),
}

SIGNATURES: Final = {
    "a signature inside a frame": Mode({"F6"}, member("signature", "00")),
    "another commitment": Mode(
        {"F7"},
        signed(lambda result: with_(entry(result), OTHER, "attestation", "signed_commitment")),
    ),
    "a forged signature": Mode({"F7"}, signed(lambda result: forge(result))),
    "an entry of no frame": Mode(
        {"F11"}, signed(lambda result: with_(entry(result), "x", "frame", "frame_id"))
    ),
    "the root of fewer frames": Mode({"F12"}, signed(lambda result: sign_fewer(result))),
    "a proof of another frame": Mode({"F12"}, signed(lambda result: swap_proofs(result))),
    "a frame without a digest": Mode({"F14"}, member("content_digest", GONE, of="full")),
}

VERDICTS: Final = {
    "verify is refused": Mode({"V2", "V5p"}, at("verify", lambda asked, said: error("unavailable"))),
    "everything is valid": Mode({"V2p"}, verdicts(lambda each: {"frame": each["frame"], "status": "valid"})),
    "nothing is known": Mode(
        {"V2p", "V5p"}, verdicts(lambda each: {"frame": each["frame"], "status": "unknown"})
    ),
    "no verdicts": Mode(
        {"V2p", "V5p"}, at("verify", lambda asked, said: with_(said, [], "response", "verdicts"))
    ),
    "identities under another name": Mode(
        {"V2p", "V5p"}, verdicts(lambda each: with_(each, "other", "frame", "provider_id"))
    ),
    "a body in a verdict": Mode({"V4"}, verdicts(lambda each: each | {"note": LONG})),
    "an echoed body": Mode(
        {"V4"},
        at("verify", lambda asked, said: said | {"response": said["response"] | bodies(asked)}),
    ),
    "another name spoils all": Mode(
        {"V5p"},
        at("verify", lambda asked, said: error("bad_request") if "of-another" in str(asked) else said),
    ),
}

ENDINGS: Final = {
    "dies of invalid UTF-8": Mode({"R1"}, unread(holding(b"caf\xe9"), dies)),
    "dies of nesting": Mode({"R1"}, unread(holding(b"[[[["), dies)),
    "dies of a long line": Mode({"R1"}, unread(lambda line: len(line) > 2**24, dies)),
    "dies of two objects": Mode({"R1"}, unread(holding(b'}{"type":"shutdown"}'), dies)),
    "dies of a good question": Mode({"R1"}, unread(holding(b"near/3"), dies)),
    "hangs on a NUL": Mode({"R1"}, unread(holding(b"u0000"), says_nothing)),
    "says nothing to garbage": Mode({"R1"}, unread(holding(b"{{{"), says_nothing)),
    "garbage is internal": Mode(
        {"R1"}, at("refusal", lambda asked, said: said | ({} if asked else {"code": "internal"}))
    ),
    "an exit code": Mode({"R2"}, at("shutdown", lambda asked, exit: Exit(1))),
    "stays": Mode({"R2", "T2", "U1"}, unread(is_goodbye, says_nothing)),
    "stays where the goodbye has junk": Mode(
        {"R2", "T2", "U1"}, unread(lambda line: is_goodbye(line) and b"unknown" in line, says_nothing)
    ),
}

PROFILE: Final = {
    "another schema version": Mode(
        {"LP-ID2"}, of_record("r1", "contextgraph/lifecycle/2.0", "schema_version")
    ),
    "a block in the wrong place": Mode({"LP-ID3"}, at("handshake", lambda asked, said: misplaced(said))),
    "a wrong hash": Mode(
        {"LH1", "LH2", "LC4"},
        at("record", lambda asked, document: document and document | {"record_hash": OTHER}),
    ),
    "an attestation inside a record": Mode({"LH3"}, of_record("r1", {}, "attestation")),
    "no lineage": Mode({"LR1"}, of_record("r1", GONE, "lineage_id")),
    "a status of its own": Mode({"LR3"}, of_record("r1", "superseded", "record_status")),
    "a date for an instant": Mode({"LR4"}, of_record("r1", "2026-02-01", "observed_at")),
    "a confidence of 2": Mode({"LR5"}, of_record("r1", 2, "confidence")),
    "a thirteenth kind": Mode({"LR6"}, of_record("r1", "rumour", "record_kind")),
    "an extension of nobody": Mode({"LR7"}, of_record("r1", {"colour": 1}, "extensions")),
    "an unknown directive": Mode({"LD1"}, of_record("r2", "wish", "directive_kind")),
    "a constraint that allows": Mode({"LD2"}, of_record("r3", "allow", "constraint_effect")),
    "a procedure without steps": Mode({"LD4"}, of_record("r2", [], "procedure_steps")),
    "a command nobody approved": Mode(
        {"LX1"}, of_record("r4", [{"requirement_kind": "command"}], "requirements")
    ),
    "an eighth key of a scope": Mode({"LS1"}, of_record("r1", "x", "scope", "planet_id")),
    "an unknown sharing scope": Mode({"LS2"}, of_record("r1", "world", "sharing_scope")),
    "a tenant in a scope": Mode({"LS3"}, of_record("r1", "x", "scope", "tenant_id")),
    "no origin provider": Mode({"LC1"}, of_record("r1", GONE, "provenance", "origin_provider_id")),
    "a declared guess": Mode({"LC2"}, of_record("r1", "guess", "provenance", "derivation_kind")),
    "no resolving": Mode(
        {"LO-R1"}, resolved(lambda asked, said: said if said["type"] == "error" else error("unavailable"))
    ),
    "another content": Mode(
        {"LO-R2"},
        resolved(
            lambda asked, said: said if said["type"] == "error" else with_(said, "tea", "response", "content")
        ),
    ),
    "hashes are ignored": Mode(
        {"LO-R2"},
        resolved(
            lambda asked, said: said | ({"code": "internal"} if "hash" in str(said.get("code")) else {})
        ),
    ),
    "a dead handle is internal": Mode(
        {"LO-R3"},
        resolved(
            lambda asked, said: said | ({"code": "internal"} if "found" in str(said.get("code")) else {})
        ),
    ),
}

APPEND: Final = "memory-provider:records_append"
WRITES: Final = {
    "all is new": Mode(
        {"LO-ID1"}, at(APPEND, lambda asked, said: taken(asked) if "duplicate" in str(said) else said)
    ),
    "a key is good for anything": Mode(
        {"LO-ID1"}, at(APPEND, lambda asked, said: taken(asked) if "idempotency" in str(said) else said)
    ),
    "an id is good for anything": Mode(
        {"LO-ID1"}, at(APPEND, lambda asked, said: taken(asked) if "identity" in str(said) else said)
    ),
    "any retention": Mode(
        {"LO-ID2"}, at(APPEND, lambda asked, said: taken(asked) if "retention" in str(said) else said)
    ),
    "a correction rewrites": Mode(
        {"LR2"}, at("record", lambda asked, record: record | {"note": "x"} if is_probe(record) else record)
    ),
}
"""Of what is seen by writing."""

MODES: Final = {
    name: mode
    for modes in (
        *(LINES, UNKNOWN, HANDSHAKES, IDS, QUESTIONS, FRAMES, SIGNATURES, VERDICTS, ENDINGS, PROFILE),
    )
    for name, mode in modes.items()
}


def taken(asked: Json) -> Json:
    accepted = {"receipts": [{"status": "accepted"}]}
    return {"type": "memory-provider:records_appended", **id_of(asked), "response": accepted}


def is_probe(record: Json | None) -> bool:
    return record is not None and record["record_id"].startswith("inspection-")


def no_goal(asked: Json) -> bool:
    query = asked.get("query")
    return isinstance(query, dict) and "goal" not in query and bool(id_of(asked))


def is_at(frame: Json, anchors: list[str]) -> bool:
    return (
        any(each["target_uri"] in anchors for each in frame.get("relations", []))
        or frame.get("uri") in anchors
    )


def bodies(asked: Json) -> Json:
    return {"bodies": [each["content"] for each in asked["request"]["frames"] if "content" in each]}


def misplaced(said: Json) -> Json:
    if said["type"] == "handshake_ack":
        said["lifecycle"] = said["capabilities"].pop("lifecycle")
    return said


def entry(result: Json) -> Json:
    found: Json = result["frame_attestations"][0]
    return found


def forge(result: Json) -> None:
    """The signature of somebody else over the right commitment."""
    forger = Attester(SigningKey.from_seed(b"f" * 32), NAME)
    theirs = plain(forger.attest(read(ContextQueryResult, result)))
    entry(result)["attestation"]["signature"] = entry(theirs)["attestation"]["signature"]


def sign_fewer(result: Json) -> None:
    """A good signature, over a part of the result."""
    fewer = read(ContextQueryResult, result | {"frames": result["frames"][1:]})
    result["result_attestation"] = plain(Attester(KEY, NAME).attest(fewer)).get(
        "result_attestation", result["result_attestation"] | {"signed_commitment": OTHER}
    )


def swap_proofs(result: Json) -> None:
    entries = result["frame_attestations"]
    if len(entries) > 1:
        first, last = entries[0], entries[-1]
        first["inclusion_proof"], last["inclusion_proof"] = last["inclusion_proof"], first["inclusion_proof"]
