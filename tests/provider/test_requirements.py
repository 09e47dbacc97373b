"""What the protocol asks of a provider, one test or more for each obligation, named by its id in `requirements.json`.

Obligations on a process are in `tests/transports/test_stdio_requirements.py`; docs/requirements.md lists them all.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import pytest

from memory_provider.memory.evidence import frames
from memory_provider.protocol import Error, Frames, Query, Shutdown, decode
from memory_provider.protocol.lifecycle.capability import LIFECYCLE
from memory_provider.provider import EXPLAIN, KNOWN_AT, SCOPE, Provider, data_flow
from memory_provider.provider.questions import KINDS

from .conftest import Ask
from .kettle import FEBRUARY, GOAL, JULY, MARCH, NEXT_DAY, Kettle
from .wire import assert_good_frame, assert_keeps

pytestmark = pytest.mark.anyio


def query(goal: str = GOAL, id: str | None = "q", **members: Any) -> dict[str, Any]:
    asked = {"goal": goal, "max_frames": 50, "max_tokens": 100_000, **members}
    return {"type": "query", "query": asked} | ({} if id is None else {"id": id})


def verify(*frames: tuple[str, str | None], provider_id: str = "memory-provider") -> dict[str, Any]:
    named = [
        {"provider_id": provider_id, "frame_id": id} | ({"content_digest": digest} if digest else {})
        for id, digest in frames
    ]
    return {"type": "verify", "request": {"frames": named}}


async def frames_of(ask: Ask, goal: str = GOAL, **members: Any) -> list[dict[str, Any]]:
    reply = await ask(query(goal, **members))
    assert reply["type"] == "frames", reply
    assert_keeps(reply, query(goal, **members)["query"])
    found: list[dict[str, Any]] = reply["result"]["frames"]
    return found


async def ack(ask: Ask, version: str = "contextgraph/1.0") -> dict[str, Any]:
    reply: dict[str, Any] = await ask({"type": "handshake", "protocol_version": version})
    assert reply["type"] == "handshake_ack", reply
    return reply


def targets(frame: dict[str, Any]) -> set[str]:
    return {frame["uri"], *(each["target_uri"] for each in frame.get("relations", []))}


# --- messages ---------------------------------------------------------------------------------------------------


def junk(value: Any) -> Any:
    """The same with a member nobody knows in every object."""
    if isinstance(value, dict):
        return {name: junk(each) for name, each in value.items()} | {"x-junk": {"deep": [None]}}
    return [junk(each) for each in value] if isinstance(value, list) else value


async def test_T2_members_nobody_knows_change_nothing(ask: Ask, kettle: Kettle) -> None:
    for message in (
        {"type": "handshake", "protocol_version": "contextgraph/1.0"},
        query(as_of=MARCH, kinds=["fact"], anchors=["kettle"]),
        verify((kettle.fact, kettle.digest), (kettle.fact, "sha256:00")),
    ):
        assert await ask(junk(message)) == await ask(message)


async def test_U1_removed_draft_flags_are_members_nobody_knows(ask: Ask) -> None:
    assert await ask(query(filters={"a": 1}, upsert=True, subscribe=[])) == await ask(query())


async def test_T3_unknown_types(ask: Ask) -> None:
    reply = await ask({"type": "neighbors", "id": "w", "request": {}})
    assert (reply["type"], reply["code"], reply["id"]) == ("error", "bad_request", "w")
    assert await ask({"type": "weather"}) is None
    assert await ask({"type": "weather", "id": None}) is None


@pytest.mark.parametrize("kind", ["frames", "verified", "handshake_ack", "error"])
async def test_T3_what_only_a_provider_sends_is_ignored(kind: str, ask: Ask) -> None:
    assert await ask({"type": kind}) is None
    assert await ask({"type": kind, "id": "w", "message": "m"}) is None


async def test_R1_what_cannot_be_read_is_a_bad_request(ask: Ask) -> None:
    for line in (
        b"this is not valid json {{{",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b"",
        b"[" * 100_000,
        b'{"type":"query"}',
    ):
        reply = await ask(line)
        assert (reply["type"], reply["code"]) == ("error", "bad_request")
    assert await frames_of(ask)


@pytest.mark.parametrize(
    "wrong",
    [
        {"as_of": "2026-03-01"},
        {"as_of": "2026-03-01T00:00:00+00:00"},
        {"max_tokens": -1},
        {"max_tokens": 4_294_967_296},
        {"max_frames": 1.5},
        {"max_frames": 2.0},
        {"max_frames": None},
        {"goal": None},
        {"kinds": None},
        {KNOWN_AT: "yesterday"},
        {KNOWN_AT: "2026-02-30T00:00:00Z"},
        {KNOWN_AT: 1_767_225_600},
        {KNOWN_AT: ["2026-03-01T00:00:00Z"]},
        {EXPLAIN: "yes"},
        {EXPLAIN: 1},
    ],
    ids=str,
)
async def test_QFMT_a_query_outside_the_format_is_a_bad_request(wrong: dict[str, Any], ask: Ask) -> None:
    reply = await ask(query(**wrong))
    assert (reply["type"], reply["code"], reply["id"]) == ("error", "bad_request", "q")
    assert next(iter(wrong)) in reply["message"]


async def test_schema_of_answers_to_everything(ask: Ask, kettle: Kettle) -> None:
    """`ask` checks each reply with both schemas."""
    assert (await ack(ask))["capabilities"]["query"]["kinds"]
    assert (await ask(query()))["result"]["truncated"] is False
    assert (await ask(verify((kettle.fact, kettle.digest))))["type"] == "verified"
    assert (await ask(verify()))["response"] == {"verdicts": []}
    assert (await ask(b"?"))["message"]


async def test_U4_members_mean_what_the_protocol_says(ask: Ask) -> None:
    """Whatever this provider adds stands under a name of its own; the block `lifecycle` is the profile's."""
    reply = await ack(ask)
    known = {"query", "correlation", "graph", "verify", "representations", "resolve", LIFECYCLE}
    extensions = set(reply["capabilities"]) - known
    assert {EXPLAIN, KNOWN_AT, SCOPE} <= extensions
    assert all(name.startswith("memory-provider:") for name in extensions)
    assert ":" in KNOWN_AT


# --- handshake --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("contextgraph/1.0", "contextgraph/1.0"),
        ("contextgraph/1.0-draft", "contextgraph/1.0-draft"),
        ("contextgraph/1.9", "contextgraph/1.0"),
    ],
)
async def test_H1_the_answer_is_of_the_host_s_family(asked: str, answered: str, ask: Ask) -> None:
    assert (await ack(ask, asked))["protocol_version"] == answered


async def test_H2_name_and_version_say_something(ask: Ask) -> None:
    provider = (await ack(ask))["provider"]
    assert provider["name"] == "memory-provider"
    assert provider["version"].strip()


@pytest.mark.parametrize(
    "version", ["contextgraph/2.0", "contextgraph/10.0", "contextgraph", "", "othergraph/1.0"]
)
async def test_H3_another_family_is_named_as_incompatible(version: str, ask: Ask) -> None:
    reply = await ask({"type": "handshake", "protocol_version": version})
    assert (reply["type"], reply["code"]) == ("error", "incompatible_version")


async def test_H7_families_are_compared_up_to_the_first_dot(ask: Ask) -> None:
    for version in (
        "contextgraph/1.0-draft",
        "contextgraph/1.0",
        "contextgraph/1.9",
        "contextgraph/1.14-rc.1",
    ):
        assert await ack(ask, version)
    reply = await ask({"type": "handshake", "protocol_version": "contextgraph/1-beta.0"})
    assert reply["code"] == "incompatible_version"


@pytest.mark.parametrize("id", ["cgp-conformance-h4-7f3a", "", " ", "\U0001fad6", "x" * 10_000, '"\\\n'])
async def test_H4_ids_come_back_as_they_were(id: str, ask: Ask, kettle: Kettle) -> None:
    assert (await ack(ask))["capabilities"]["correlation"] is True
    assert (await ask(query(id=id)))["id"] == id
    assert (await ask(query(id=id, embedding=[1.0])))["id"] == id
    assert (await ask(query(id=id, max_tokens="many")))["id"] == id
    assert (await ask(verify((kettle.fact, kettle.digest)) | {"id": id}))["id"] == id
    assert "id" not in await ask(query(id=None))
    assert "id" not in await ask(verify())


# --- data flow --------------------------------------------------------------------------------------------------


def test_C3_a_store_elsewhere_is_egress() -> None:
    assert data_flow(local=True).egress is False
    assert data_flow(local=True).egress_scopes == ("local-only",)
    assert data_flow(local=False, host="graph.acme.example").egress is True
    assert data_flow(local=False, host="graph.acme.example").egress_scopes == ("org-tenant",)
    assert data_flow(local=False, host="abc.databases.NEO4J.io.").egress_scopes == ("third-party-index",)
    assert data_flow(local=False, host="neo4j.io.acme.example").egress_scopes == ("org-tenant",)
    for flow in (data_flow(local=True), data_flow(local=False)):
        assert (flow.reads, flow.writes) == (True, True)


async def test_C5_no_off_machine_scope_without_egress(ask: Ask) -> None:
    flow = (await ack(ask))["provider"]["data_flow"]
    assert flow == {"reads": True, "writes": True, "egress": False, "egress_scopes": ["local-only"]}
    assert data_flow(local=False).off_machine_scopes  # building it checks C5


# --- query ------------------------------------------------------------------------------------------------------


def test_Q1_the_kinds_declared_are_the_memory_s() -> None:
    assert KINDS == frames.KINDS


@pytest.mark.parametrize("kinds", [["fact"], ["episode"], ["graph"], ["graph", "fact"], ["fact", "symbol"]])
async def test_Q1_kinds_are_a_filter(kinds: list[str], ask: Ask) -> None:
    found = await frames_of(ask, kinds=kinds)
    assert {frame["kind"] for frame in found} == set(kinds) - {"symbol"}


async def test_Q1_anchors_do_not_bring_other_kinds(ask: Ask, kettle: Kettle) -> None:
    anchors = [f"memory:frame/{kettle.fact}", f"memory:episode/{kettle.episode}", "memory:entity/kettle"]
    for kind in KINDS:
        assert {frame["kind"] for frame in await frames_of(ask, kinds=[kind], anchors=anchors)} == {kind}


async def test_Q1_kinds_nobody_serves_get_no_frames(ask: Ask) -> None:
    reply = await ask(query(kinds=["symbol", "doc"]))
    assert reply["result"] == {"frames": [], "truncated": False}


async def test_Q2_windows_are_half_open_and_compared_as_instants(ask: Ask) -> None:
    async def lent(as_of: str) -> bool:
        found = await frames_of(ask, "who was the kettle lent to", as_of=as_of, kinds=["fact"])
        return any("lent to Ben" in frame["content"] for frame in found)

    assert not await lent("2026-01-31T23:59:59.999999999Z")
    assert not await lent("2026-01-31T23:59:59.999999Z")
    assert await lent("2026-01-31T23:59:60Z")  # the next second
    assert await lent(FEBRUARY)
    assert await lent("2026-02-01T00:00:00.0000000001Z")
    assert await lent("2026-02-01T23:59:59.99999999999Z")
    assert not await lent(NEXT_DAY)
    assert not await lent("2026-02-02T00:00:00.000000000001Z")


async def test_Q2_at_the_two_pins_and_at_the_ends_of_time(ask: Ask) -> None:
    for as_of in ("2026-07-01T00:00:00Z", "2026-10-01T00:00:00Z"):
        assert await frames_of(ask, as_of=as_of)
    always, first = "kettle is kept on shelf (at all times)", "kettle made of copper (since 0001-01-01)"
    for as_of in ("0000-01-01T00:00:00Z", "0000-12-31T23:59:59.9999999Z"):
        found = await frames_of(ask, as_of=as_of, kinds=["fact"])
        assert [frame["content"] for frame in found] == [always], as_of
    for as_of in ("0000-12-31T23:59:60Z", "0001-01-01T00:00:00Z"):
        found = await frames_of(ask, as_of=as_of, kinds=["fact"])
        assert {frame["content"] for frame in found} == {always, first}, as_of
    for as_of in ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:60Z"):
        contents = [frame["content"] for frame in await frames_of(ask, as_of=as_of)]
        assert "kettle sold to the museum (since 2099-01-01)" in contents
        assert not any("lent" in content for content in contents)


async def test_Q2_recorded_time_is_not_filtered_by_as_of(ask: Ask) -> None:
    found = await frames_of(ask, as_of="2026-01-15T00:00:00Z")
    assert any(frame["recorded_at"] > "2026-01-15" for frame in found)


async def test_E1p_no_space_is_declared_so_every_embedding_is_refused(ask: Ask) -> None:
    assert "embeddings_fingerprint" not in (await ack(ask))["capabilities"]
    for embedding in ([], [0.5], [0.5] * 384):
        reply = await ask(query(embedding=embedding))
        assert (reply["code"], reply["id"]) == ("bad_request", "q")
    assert await frames_of(ask, embedding=None)


async def test_query_text_is_searched_for_if_there_is_one(ask: Ask) -> None:
    async def contents(**members: Any) -> list[str]:
        return [frame["content"] for frame in await frames_of(ask, kinds=["fact"], **members)]

    assert (await contents(goal="please help", query_text="descaled"))[0].startswith(
        "kettle descaled in March"
    )
    assert not await contents(goal="descaled", query_text="xylophone")
    for nothing in (None, "", " \t"):
        assert (await contents(goal="descaled", query_text=nothing))[0].startswith("kettle descaled in March")


# --- frames -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
async def served(ask: Ask) -> list[dict[str, Any]]:
    """Frames of every kind, with every sort of provenance; each was looked at by `assert_good_frame`."""
    found = await frames_of(ask, as_of=JULY) + await frames_of(ask, "who was it lent to", as_of=FEBRUARY)
    found = list({frame["id"]: frame for frame in found}.values())
    assert {frame["kind"] for frame in found} == set(KINDS)
    types = {link["type"] for frame in found for link in frame["provenance"]}
    assert types == {"episode", "file", "agent", "derived", "record"}
    return found


def broken(frame: dict[str, Any], **changes: Any) -> bool:
    """Whether the check sees that a frame has been changed for the worse."""
    try:
        assert_good_frame(frame | changes)
    except (AssertionError, KeyError, ValueError):
        return True
    return False


@pytest.mark.parametrize("score", [-0.1, 1.1])
def test_F1_scores(served: list[dict[str, Any]], score: float) -> None:
    assert all(0 <= frame["score"] <= 1 for frame in served)
    assert broken(served[0], score=score)


def test_F2_titles(served: list[dict[str, Any]]) -> None:
    assert broken(served[0], title=" ")
    for frame in served:
        assert frame["title"].strip()
        assert len(frame["title"]) <= 200
        assert "\n" not in frame["title"]


def test_F3_citations_are_what_a_person_would_write(served: list[dict[str, Any]]) -> None:
    assert broken(served[0], citation_label=" ")
    labels = [frame["citation_label"] for frame in served]
    assert "Ada, 2026-02-01" in labels
    assert any(label.startswith("kettle descaled in March (recorded 2026-02-") for label in labels)
    for frame in served:
        assert frame["id"] not in frame["citation_label"]
        assert not any(prefix in frame["citation_label"] for prefix in ("fact_", "ep_", "ent_", "memory:"))


def test_F4_instants(served: list[dict[str, Any]]) -> None:
    assert broken(served[0], recorded_at="2026-03-01 00:00:00Z")
    always = next(
        frame for frame in served if frame["kind"] == "fact" and "(at all times)" in frame["content"]
    )
    assert {"valid_from", "valid_to"}.isdisjoint(always), "an unbounded side is absent"
    ended = next(frame for frame in served if "lent to" in frame["content"])
    assert (ended["valid_from"], ended["valid_to"]) == (FEBRUARY, NEXT_DAY)
    assert all(frame["recorded_at"] for frame in served)
    assert all("valid_to" not in frame for frame in served if frame["kind"] == "episode")


def test_F5_file_links_have_the_digest_of_the_bytes(served: list[dict[str, Any]], kettle: Kettle) -> None:
    links = [link for frame in served for link in frame["provenance"] if link["type"] == "file"]
    assert links
    assert {(link["uri"], link["by"]) for link in links} == {(kettle.file.as_uri(), "Ben")}
    assert broken(served[0], provenance=[{"type": "file", "uri": "file:///x"}])


def test_F17_ranges_of_files_are_lines(served: list[dict[str, Any]], kettle: Kettle) -> None:
    for link in (link for frame in served for link in frame["provenance"] if link["type"] == "file"):
        assert link["range"] == "L2"
        line = kettle.file.read_bytes().split(b"\n")[1] + b"\n"
        assert link["digest"] == f"sha256:{sha256(line).hexdigest()}"


async def test_F6_nothing_claims_to_be_attested(ask: Ask) -> None:
    assert "attester_keys" not in await ack(ask)
    assert set((await ask(query()))["result"]) == {"frames", "truncated"}


def test_P1_full_frames_say_nothing_of_representation(served: list[dict[str, Any]]) -> None:
    for name in ("representation", "content_ref", "transform", "canonical_content_hash"):
        assert not any(name in frame for frame in served)
        assert broken(served[0], **{name: "full"})


def test_P4_the_cost_is_of_the_inline_bytes(served: list[dict[str, Any]]) -> None:
    assert broken(served[0], token_cost=served[0]["token_cost"] + 1)
    accents = next(frame for frame in served if "très" in frame["content"])
    assert accents["token_cost"] > len(accents["content"]) / 4


def test_D1_digests_cover_the_inline_bytes(served: list[dict[str, Any]]) -> None:
    assert broken(served[0], content=served[0]["content"] + ".")


async def test_D1b_the_same_identity_has_the_same_bytes(served: list[dict[str, Any]], ask: Ask) -> None:
    """Whatever was asked, and however little would fit."""
    said = {(frame["id"], frame["content_digest"]): frame for frame in served}
    for goal in ("shelf", "Ada", "who keeps the teapot", "minutes"):
        for limits in ({"max_frames": 3}, {"max_tokens": 60}, {"kinds": ["graph"]}):
            for frame in await frames_of(ask, goal, as_of=JULY, **limits):
                known = said.setdefault((frame["id"], frame["content_digest"]), frame)
                assert known | {"score": 0} == frame | {"score": 0}
    assert len({id for id, _ in said}) == len(said)


async def test_B1_B3_B4_budgets(ask: Ask) -> None:
    everything = (await ask(query()))["result"]
    assert everything["truncated"] is False
    count = len(everything["frames"])
    tokens = sum(frame["token_cost"] for frame in everything["frames"])
    for limits in (
        {"max_frames": 0},
        {"max_frames": 1},
        {"max_frames": count - 1},
        {"max_tokens": tokens - 1},
    ):
        result = (await ask(query(**limits)))["result"]
        assert_keeps({"result": result}, query(**limits)["query"])
        assert result["truncated"] is True
        assert result["dropped_estimate"] >= 1
    assert not await frames_of(ask, max_tokens=0)
    assert len(await frames_of(ask, max_frames=count, max_tokens=tokens)) == count
    assert len(await frames_of(ask, max_frames=2**32 - 1, max_tokens=2**32 - 1)) == count


@pytest.mark.parametrize("max_tokens", [0, 1, 9, 10, 11, 50, 700])
async def test_B1_tokens(max_tokens: int, ask: Ask) -> None:
    found = await frames_of(ask, max_tokens=max_tokens)
    assert sum(frame["token_cost"] for frame in found) <= max_tokens
    assert bool(found) == (max_tokens >= 10)


@pytest.mark.parametrize("max_frames", [0, 1, 2, 3])
async def test_B4_frames(max_frames: int, ask: Ask) -> None:
    assert len(await frames_of(ask, max_frames=max_frames)) == max_frames


def test_B3_costs(served: list[dict[str, Any]]) -> None:
    assert all(frame["token_cost"] == -(-len(frame["content"].encode()) // 4) for frame in served)


# --- graph ------------------------------------------------------------------------------------------------------


def test_G1_people_see_names(served: list[dict[str, Any]]) -> None:
    relations = [relation for frame in served for relation in frame.get("relations", [])]
    assert {"kettle", "shelf", "Ada"} <= {relation["display_name"] for relation in relations}
    assert broken(served[0], relations=[{"rel": "a:b", "target_uri": "x:y", "display_name": " "}])


def test_G2_targets_are_uris(served: list[dict[str, Any]]) -> None:
    for frame in served:
        for relation in frame.get("relations", []):
            assert relation["target_uri"] == "memory:entity/" + quote(relation["display_name"], safe="")


def test_U3_vendor_relations_are_namespaced(served: list[dict[str, Any]]) -> None:
    assert {r["rel"].partition(":")[0] for frame in served for r in frame.get("relations", [])} == {"memory"}
    assert broken(served[0], relations=[{"rel": "kept_on", "target_uri": "x:y", "display_name": "x"}])


async def test_G3_frames_near_an_anchor_come_first(ask: Ask) -> None:
    for anchor in ("memory:entity/teapot", "teapot"):
        found = await frames_of(ask, anchors=[anchor], max_frames=1)
        assert "memory:entity/teapot" in targets(found[0])


@pytest.mark.parametrize("goal", [GOAL, "xylophone"])
async def test_G4_every_target_served_can_be_an_anchor(goal: str, ask: Ask) -> None:
    for anchor in sorted({target for frame in await frames_of(ask, as_of=JULY) for target in targets(frame)}):
        found = await frames_of(ask, goal, as_of=JULY, anchors=["mem:nobody/knows", anchor])
        assert any(anchor in targets(frame) for frame in found), anchor


# --- verify -----------------------------------------------------------------------------------------------------


def verdicts(reply: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(each["status"], each.get("replacement_digest")) for each in reply["response"]["verdicts"]]


async def test_V2_verify_is_declared_and_answered(ask: Ask, served: list[dict[str, Any]]) -> None:
    assert (await ack(ask))["capabilities"]["verify"] is True
    held = [(frame["id"], frame["content_digest"]) for frame in served]
    assert verdicts(await ask(verify(*held))) == [("valid", None)] * len(held)


async def test_V2p_only_what_is_served_now_is_valid(ask: Ask, served: list[dict[str, Any]]) -> None:
    mutated = [
        (frame["id"], frame["content_digest"] + "-contextgraph-conformance-mutated") for frame in served
    ]
    reply = await ask(verify(*mutated))
    assert verdicts(reply) == [("stale", frame["content_digest"]) for frame in served]
    echoed = [
        (each["frame"]["frame_id"], each["frame"]["content_digest"]) for each in reply["response"]["verdicts"]
    ]
    assert echoed == mutated


async def test_V2p_identities_come_back_in_full_and_as_received(provider: Provider, kettle: Kettle) -> None:
    held = [
        {"provider_id": "\U0001fad6 tea", "frame_id": kettle.fact, "content_digest": kettle.digest},
        {"provider_id": "", "frame_id": kettle.fact, "content_digest": kettle.digest},
        {"provider_id": "p", "frame_id": kettle.fact},
        {"provider_id": "p", "frame_id": kettle.fact, "content_digest": kettle.digest.upper()},
        {"provider_id": "p", "frame_id": kettle.fact, "content_digest": ""},
        {"provider_id": "p", "frame_id": "no\u0000such \u2028 frame", "content_digest": "d"},
        {"provider_id": "p", "frame_id": "", "content_digest": "d"},
        {"provider_id": "p", "frame_id": "graph:x:y:99999999999999999999", "content_digest": "d"},
        {"provider_id": "p", "frame_id": kettle.fact, "content_digest": kettle.digest},
        {"provider_id": "p", "frame_id": kettle.fact, "content_digest": kettle.digest},
    ]
    message = json.dumps({"type": "verify", "request": {"frames": held}}).encode()
    data = (await provider.handle(message)).data
    answered = json.loads(data or b"")["response"]["verdicts"]
    assert [verdict["frame"] for verdict in answered] == held
    statuses = [verdict["status"] for verdict in answered]
    assert statuses == ["valid", "valid", "unknown", "stale", "stale", *["unknown"] * 3, "valid", "valid"]


async def test_V4_no_bodies_travel(ask: Ask, served: list[dict[str, Any]]) -> None:
    held = [
        {
            "provider_id": "p",
            "frame_id": f["id"],
            "content_digest": d,
            "content": "the kettle moved",
            "title": "t",
        }
        for f in served
        for d in (f["content_digest"], "other")
    ]
    reply = await ask({"type": "verify", "request": {"frames": held}})
    text = json.dumps(reply)
    assert "the kettle moved" not in text
    assert not any(json.dumps(frame["content"])[1:-1] in text for frame in served)


async def test_V5p_an_identity_of_another_provider_spoils_nothing(ask: Ask, kettle: Kettle) -> None:
    reply = await ask(
        verify((kettle.fact, kettle.digest), ("mem:42", "sha256:00"), provider_id="someone-else")
    )
    assert verdicts(reply) == [("valid", None), ("unknown", None)]


# --- envelope to envelope ---------------------------------------------------------------------------------------


async def test_R2_shutdown_is_the_end_and_has_no_answer(provider: Provider, kettle: Kettle) -> None:
    assert await provider.answer(Shutdown()) is None
    reply = await provider.handle(b'{"type":"shutdown"}')
    assert reply == (None, True)


async def test_the_mapping_is_of_envelopes(provider: Provider) -> None:
    asked = decode(json.dumps(query(as_of=JULY)).encode())
    assert isinstance(asked, Query)
    answer = await provider.answer(asked)
    assert isinstance(answer, Frames)
    assert answer.id == "q"
    assert await provider.answer(answer) is None
    refused = await provider.answer(asked.replace(query=asked.query.replace(embedding=(1.0,))))
    assert isinstance(refused, Error)
    assert refused.effective_code == "bad_request"
