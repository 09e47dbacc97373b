"""The wire types as values, the rules their members keep among each other, versions and error codes."""

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

from memory_provider.protocol import (
    BAD_REQUEST,
    DRAFT_VERSION,
    INCOMPATIBLE_VERSION,
    INTERNAL,
    UNAVAILABLE,
    VERSION,
    ContextQuery,
    DataFlow,
    DecodeError,
    Error,
    FrameId,
    Frames,
    HandshakeAck,
    IncompatibleVersion,
    InvalidMember,
    ProviderInfo,
    Query,
    Relation,
    Shutdown,
    Verified,
    Verify,
    answer_version,
    decode,
    encode,
    family,
    is_compatible,
    known_code,
)


def test_objects_are_values() -> None:
    one = Relation(rel="knows", target_uri="memory:entity/Bob", extra={"since": 1999})
    same = Relation(rel="knows", target_uri="memory:entity/Bob", display_name=None, extra={"since": 1999})
    assert one == same
    assert hash(one) == hash(same)
    assert one != one.replace(rel="likes")
    assert one != one.replace(extra={})
    assert one.replace(rel="likes").extra == {"since": 1999}
    assert FrameId(provider_id="p", frame_id="f") != one
    assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    assert repr(one) == "Relation(rel='knows', target_uri='memory:entity/Bob')"


def test_objects_do_not_change() -> None:
    relation: Any = Relation(rel="knows", target_uri="memory:entity/Bob")
    with pytest.raises(AttributeError, match="replace"):
        relation.rel = "likes"
    with pytest.raises(AttributeError):
        del relation.rel
    assert relation.rel == "knows"


def test_objects_say_which_member_is_wrong() -> None:
    relation: Any = Relation
    with pytest.raises(TypeError, match="Relation needs the member target_uri"):
        relation(rel="knows")
    with pytest.raises(TypeError, match="Relation has no member colour"):
        relation(rel="knows", target_uri="x", colour="red")
    identity: Any = FrameId
    with pytest.raises(TypeError, match="FrameId has no member extra"):
        identity(provider_id="p", frame_id="f", extra={})


@pytest.mark.parametrize("scope", ["org-tenant", "third-party-index", "third-party-model", "teapot:vault"])
def test_an_off_machine_scope_needs_egress(scope: str) -> None:
    flow = DataFlow(reads=True, writes=False, egress=True, egress_scopes=("local-only", scope))
    assert flow.off_machine_scopes == (scope,)
    with pytest.raises(InvalidMember, match="C5"):
        flow.replace(egress=False)


@pytest.mark.parametrize("scope", ["", "cloud", ":", "teapot:", ":vault", " : "])
def test_a_scope_of_a_vendor_is_namespaced(scope: str) -> None:
    with pytest.raises(InvalidMember, match="vendor:name"):
        DataFlow(reads=True, writes=False, egress=True, egress_scopes=(scope,))


def test_a_local_provider_may_say_so() -> None:
    flow = DataFlow(reads=True, writes=True, egress=False, egress_scopes=("local-only",))
    assert flow.off_machine_scopes == ()


@pytest.mark.parametrize("blank", ["", " \t"])
def test_a_provider_has_a_name_and_a_version(blank: str) -> None:
    flow = DataFlow(reads=True, writes=False, egress=False)
    with pytest.raises(InvalidMember, match=r"name: .*\(H2\)"):
        ProviderInfo(name=blank, version="1", data_flow=flow)
    with pytest.raises(InvalidMember, match=r"version: .*\(H2\)"):
        ProviderInfo(name="p", version=blank, data_flow=flow)


def test_identities_sort_by_bytes_and_without_a_digest_first() -> None:
    in_order = [
        FrameId(provider_id="Z", frame_id="b"),
        FrameId(provider_id="a", frame_id="b"),
        FrameId(provider_id="a", frame_id="b", content_digest=""),
        FrameId(provider_id="a", frame_id="b", content_digest="x"),
        FrameId(provider_id="a", frame_id="c"),
        FrameId(provider_id="a", frame_id="\uffff"),
        FrameId(provider_id="a", frame_id="\U0001fad6"),
    ]
    shuffled = [in_order[index] for index in (3, 0, 6, 2, 5, 1, 4)]
    assert sorted(shuffled, key=lambda identity: identity.sort_key) == in_order


@pytest.mark.parametrize(
    ("requested", "answer"),
    [
        ("contextgraph/1.0", VERSION),
        ("contextgraph/1.14", VERSION),
        ("contextgraph/1.0-draft", DRAFT_VERSION),
        ("contextgraph/1.1-draft", VERSION),
        ("contextgraph/1", VERSION),
    ],
)
def test_versions_of_one_family_agree(requested: str, answer: str) -> None:
    assert is_compatible(requested)
    assert answer_version(requested) == answer
    assert family(answer) == "contextgraph/1"


@pytest.mark.parametrize(
    "requested",
    ["contextgraph/2.0", "contextgraph/10.0", "contextgraph/1-draft.0", "contextgraph", "", "x" * 1000],
)
def test_versions_of_another_family_do_not(requested: str) -> None:
    assert not is_compatible(requested)
    with pytest.raises(IncompatibleVersion) as caught:
        answer_version(requested)
    assert caught.value.code == INCOMPATIBLE_VERSION
    assert len(caught.value.message) < 200


def test_codes_nobody_knows_are_internal() -> None:
    assert known_code(UNAVAILABLE) == UNAVAILABLE
    assert known_code("teapot:short_and_stout") == INTERNAL
    assert known_code(None) == INTERNAL
    assert Error(message="m").effective_code == INTERNAL
    assert Error(message="m", code=UNAVAILABLE).effective_code == UNAVAILABLE


def test_an_error_becomes_an_envelope() -> None:
    error = DecodeError("query.goal: expected a text, got null", id="q1", type="query")
    assert Error.of(error) == Error(
        id="q1", code=BAD_REQUEST, message="query.goal: expected a text, got null"
    )


def test_messages_are_one_short_line() -> None:
    with pytest.raises(DecodeError) as caught:
        decode(b'{"type":"' + b"\\n\\u202e" * 10_000 + b'","id":"q"}')
    assert caught.value.message.isprintable()
    assert len(caught.value.message) <= 400


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        (
            b'{"type":"query","query":{"goal":"g","max_tokens":1}}',
            "query: expected a member max_frames, got none",
        ),
        (b'{"type":"query","query":null}', "query: expected an object, got null"),
        (
            b'{"type":"query","query":{"kinds":["fact",null]}}',
            r"query\.kinds\[1\]: expected a text, got null",
        ),
        (b'{"type":"query","query":{"goal":["a"]}}', r"query\.goal: expected a text, got a list"),
        (b'{"type":"query","query":{"max_frames":' + b"9" * 300 + b"}}", "got an integer of 997 bits"),
        (b'{"type":"query","query":{"goal":"g","max_tokens":false}}', r"max_tokens: .*, got false"),
        (b'{"type":"query","query":{"kinds":null}}', r"query\.kinds: expected a list, got null"),
        (b'{"type":"query","query":{"max_tokens":-1}}', "expected an integer from 0 to 4294967295, got -1"),
        (
            b'{"type":"query","query":{"embedding":[1,true]}}',
            r"embedding\[1\]: expected a number, got true",
        ),
        (
            b'{"type":"query","query":{"representation_preferences":["holographic"]}}',
            "expected one of full, compact, reference, got the text 'holographic'",
        ),
        (
            b'{"type":"frames","result":{"frames":[{"id":"a","kind":"fact","title":"t","score":0,"token_cost":0},'
            b'{"id":"a","kind":"fact","title":"t","score":"1"}],"truncated":false}}',
            r"result\.frames\[1\]\.score: expected a number, got the text '1'",
        ),
        (
            b'{"type":"frames","result":{"frames":[],"truncated":null}}',
            r"result\.truncated: expected true or false, got null",
        ),
        (
            b'{"type":"verify","request":{"frames":[{"provider_id":"p"}]}}',
            r"request\.frames\[0\]: expected a member frame_id, got none",
        ),
        (
            b'{"type":"handshake_ack","provider":{"data_flow":{"reads":true,"writes":false,"egress":false,'
            b'"egress_scopes":["org-tenant"]}}}',
            r"provider\.data_flow\.egress_scopes: expected only local-only where egress is false \(C5\)",
        ),
    ],
)
def test_messages_say_where_and_what(message: bytes, complaint: str) -> None:
    with pytest.raises(DecodeError, match=complaint):
        decode(message)


def test_members_nobody_knows_are_kept_and_written_back() -> None:
    line = b'{"type":"shutdown","reason":"end of day","extra":{"type":1}}'
    assert decode(line) == Shutdown(extra={"reason": "end of day", "extra": {"type": 1}})
    assert encode(decode(line)) == line
    query = decode(b'{"type":"query","query":{"goal":"g","max_frames":1,"max_tokens":2,"vendor:x":[null]}}')
    assert isinstance(query, Query)
    assert query.query.extra == {"vendor:x": [None]}


def test_known_members_win_over_extra_ones() -> None:
    assert encode(Shutdown(extra={"type": "query", "a": 1})) == b'{"type":"shutdown","a":1}'
    error = Error(message="m", extra={"message": "x", "code": "y"})
    assert encode(error) == b'{"type":"error","message":"m"}'


def test_what_is_said_about_an_identity_or_a_verdict_is_never_repeated() -> None:
    asked = decode(
        b'{"type":"verify","id":"w-18","request":{"frames":[{"provider_id":"p","frame_id":"f","content":"secret"}]}}'
    )
    assert isinstance(asked, Verify)
    assert asked.id == "w-18"
    assert b"secret" not in encode(asked)
    told = decode(
        b'{"type":"verified","response":{"verdicts":[{"frame":{"provider_id":"p","frame_id":"f"},'
        b'"status":"stale","content":"secret"}]}}'
    )
    assert isinstance(told, Verified)
    assert b"secret" not in encode(told)


def test_absent_and_null_are_the_same() -> None:
    bare = b'{"type":"query","query":{"goal":"g","max_frames":1,"max_tokens":2}}'
    nulls = (
        b'{"type":"query","id":null,"query":{"goal":"g","max_frames":1,"max_tokens":2,'
        b'"query_text":null,"embedding":null,"as_of":null}}'
    )
    assert decode(nulls) == decode(bare)
    assert encode(decode(nulls)) == bare


def test_required_lists_and_booleans_are_always_written() -> None:
    frames = b'{"type":"frames","result":{"frames":[],"truncated":false}}'
    assert encode(decode(frames)) == frames
    assert isinstance(decode(frames), Frames)
    acknowledged = decode(
        b'{"type":"handshake_ack","protocol_version":"contextgraph/1.0","provider":{"name":"p","version":"1",'
        b'"data_flow":{"reads":true,"writes":false,"egress":false}},"capabilities":{"query":{"kinds":[]}}}'
    )
    assert isinstance(acknowledged, HandshakeAck)
    assert encode(acknowledged).endswith(
        b'"capabilities":{"query":{"kinds":[]},"correlation":false,"graph":false,"verify":false,"resolve":false}}'
    )


def test_an_embedding_of_no_numbers_is_not_the_absence_of_one() -> None:
    query = Query(query=ContextQuery(goal="g", max_frames=1, max_tokens=1, embedding=()))
    assert decode(encode(query)) == query
    assert b'"embedding":[]' in encode(query)


def test_loading_it_loads_nothing_heavy() -> None:
    program = (
        "import sys, memory_provider.protocol; "
        "print(*({'pydantic', 'pydantic_core', 'anyio', 'asyncio', 'neo4j', 'dataclasses'} & set(sys.modules)))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert loaded.stdout.strip() == ""


def test_a_member_type_that_is_not_the_envelopes_own_is_kept_as_any_other() -> None:
    line = b'{"type":"query","query":{"goal":"g","max_frames":1,"max_tokens":2,"type":"note"},"vendor:x":{"type":1}}'
    assert encode(decode(line)) == line
