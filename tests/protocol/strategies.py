"""Envelopes of every shape, as the strict schema allows them, for Hypothesis."""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from hypothesis import strategies as st

from memory_provider.protocol import (
    MAX_TIMESTAMP,
    MIN_TIMESTAMP,
    AttesterKey,
    Capabilities,
    ContentFidelity,
    ContentRef,
    ContextFrame,
    ContextQuery,
    ContextQueryResult,
    DataFlow,
    Envelope,
    Error,
    FrameAttestation,
    FrameEmbedding,
    FrameId,
    Frames,
    FrameVerdict,
    Handshake,
    HandshakeAck,
    InclusionProof,
    InclusionStep,
    InlineContentRequirement,
    ProvenanceAttestation,
    ProvenanceLink,
    ProviderInfo,
    Query,
    QueryCapability,
    Relation,
    Representation,
    Shutdown,
    Transform,
    VerdictStatus,
    Verified,
    Verify,
    VerifyRequest,
    VerifyResponse,
    WireObject,
    format_timestamp,
    token_cost,
)
from memory_provider.protocol.envelopes import ENVELOPES
from memory_provider.protocol.frames import FRAME_KINDS


def one_of(literal: object) -> st.SearchStrategy[Any]:
    assert get_origin(literal) is Literal
    return st.sampled_from(get_args(literal))


def tuples(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=3).map(tuple)


def given_or_not(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


# What the strict schema allows: no empty names, no member outside of it.
text = st.text()
name = st.text(min_size=1)
version = st.sampled_from(["contextgraph/1.0", "contextgraph/1.0-draft", "contextgraph/1.14"])
u32 = st.integers(0, 2**32 - 1)
numbers = st.floats(allow_nan=False, allow_infinity=False)
timestamp = st.integers(MIN_TIMESTAMP, MAX_TIMESTAMP).map(format_timestamp)
sha256 = st.binary(min_size=32, max_size=32).map(lambda digest: f"sha256:{digest.hex()}")
hexadecimal = st.binary(min_size=1, max_size=8).map(bytes.hex)

frame_ids = st.builds(FrameId, provider_id=name, frame_id=name, content_digest=given_or_not(sha256 | text))
content_refs = st.builds(ContentRef, provider_id=name, uri=name, expires_at=given_or_not(timestamp))
frame_members: dict[str, st.SearchStrategy[Any]] = {
    "id": name,
    "kind": st.sampled_from(FRAME_KINDS),
    "title": name,
    "uri": given_or_not(text),
    "content_fidelity": given_or_not(one_of(ContentFidelity)),
    "minimum_content_fidelity": given_or_not(one_of(ContentFidelity)),
    "inline_content_requirement": given_or_not(one_of(InlineContentRequirement)),
    "score": st.floats(0, 1),
    "canonical_token_cost": given_or_not(u32),
    "tokenizer_ref": given_or_not(name),
    "valid_from": given_or_not(timestamp),
    "valid_to": given_or_not(timestamp),
    "recorded_at": given_or_not(timestamp),
    "provenance": tuples(
        st.builds(
            ProvenanceLink,
            type=name,
            uri=given_or_not(text),
            range=given_or_not(text),
            digest=given_or_not(sha256),
            method=given_or_not(text),
            by=given_or_not(text),
        )
    ),
    "citation_label": given_or_not(name),
    "embedding": given_or_not(
        st.builds(FrameEmbedding, fingerprint=name, vector=given_or_not(tuples(numbers)))
    ),
    "relations": tuples(st.builds(Relation, rel=name, target_uri=name, display_name=given_or_not(text))),
}


def frame(content: str | None = None, **members: Any) -> ContextFrame:
    return ContextFrame(content=content, token_cost=token_cost(content), **members)


frames = (
    st.builds(frame, content=text, content_digest=given_or_not(sha256), **frame_members)
    | st.builds(
        frame,
        representation=st.just("compact"),
        content=text,
        content_digest=sha256,
        canonical_content_hash=sha256,
        transform=st.builds(Transform, method=name, implementation=name, version=name),
        content_ref=content_refs,
        **frame_members,
    )
    | st.builds(
        frame,
        representation=st.just("reference"),
        canonical_content_hash=sha256,
        content_ref=content_refs,
        **frame_members,
    )
)
attestations = st.builds(
    ProvenanceAttestation,
    signed_commitment=sha256,
    key_id=name,
    algorithm=name,
    attester_id=name,
    signature=hexadecimal,
    issued_at=timestamp,
)
proofs = st.builds(
    InclusionProof,
    leaf_index=u32,
    leaf_count=st.integers(1, 2**32),
    path=tuples(st.builds(InclusionStep, sibling=sha256, sibling_is_left=st.booleans())),
)
frame_attestations = tuples(
    st.builds(
        FrameAttestation,
        frame=frame_ids,
        attestation=given_or_not(attestations),
        inclusion_proof=given_or_not(proofs),
    )
)


def results(signed: bool) -> st.SearchStrategy[ContextQueryResult]:
    signatures: dict[str, st.SearchStrategy[Any]] = {
        "frame_attestations": frame_attestations,
        "result_attestation": given_or_not(attestations),
    }
    return st.builds(
        ContextQueryResult,
        frames=tuples(frames),
        truncated=st.booleans(),
        dropped_estimate=given_or_not(u32),
        **(signatures if signed else {}),
    )


data_flows = st.builds(
    DataFlow,
    reads=st.booleans(),
    writes=st.booleans(),
    egress=st.just(True),
    egress_scopes=tuples(st.sampled_from(["local-only", "org-tenant", "teapot:vault"])),
) | st.builds(DataFlow, reads=st.booleans(), writes=st.booleans(), egress=st.just(False))
capabilities = st.builds(
    Capabilities,
    query=st.builds(QueryCapability, kinds=tuples(text)),
    correlation=st.booleans(),
    graph=st.booleans(),
    embeddings_fingerprint=given_or_not(st.just("model/384/l2")),
    verify=st.booleans(),
    representations=tuples(one_of(Representation)),
    resolve=st.just(True),
) | st.builds(
    Capabilities,
    query=st.builds(QueryCapability, kinds=tuples(text)),
    representations=tuples(st.just("full")),
)
printable_name = st.text(alphabet="abc é🫖-", min_size=1).filter(str.strip)
queries = st.builds(
    ContextQuery,
    goal=name,
    query_text=given_or_not(text),
    embedding=given_or_not(tuples(numbers)),
    kinds=tuples(st.sampled_from(FRAME_KINDS)),
    anchors=tuples(text),
    max_frames=u32,
    max_tokens=u32,
    as_of=given_or_not(timestamp),
    representation_preferences=tuples(one_of(Representation)),
)
verdicts = st.builds(
    FrameVerdict, frame=frame_ids, status=one_of(VerdictStatus), replacement_digest=given_or_not(sha256)
)


def envelopes(signed: bool) -> st.SearchStrategy[Envelope]:
    keys = tuples(st.builds(AttesterKey, key_id=name, algorithm=name, public_key=hexadecimal))
    return st.one_of(
        st.builds(Handshake, protocol_version=version),
        st.builds(
            HandshakeAck,
            protocol_version=version,
            provider=st.builds(
                ProviderInfo, name=printable_name, version=printable_name, data_flow=data_flows
            ),
            capabilities=capabilities,
            attester_keys=keys if signed else st.just(()),
        ),
        st.builds(Query, id=given_or_not(name), query=queries),
        st.builds(Frames, id=given_or_not(name), result=results(signed)),
        st.builds(Verify, request=st.builds(VerifyRequest, frames=tuples(frame_ids))),
        st.builds(Verified, response=st.builds(VerifyResponse, verdicts=tuples(verdicts))),
        st.builds(Shutdown),
        st.builds(Error, id=given_or_not(name), code=st.none() | text, message=name),
    )


EXTENSIONS = [shape for name, shape in ENVELOPES.items() if name.startswith("memory-provider:")]


def any_envelopes() -> st.SearchStrategy[Envelope]:
    """Envelopes of the protocol and of this project's extensions, which no schema of the protocol knows."""
    return envelopes(signed=True) | st.one_of(*map(built, EXTENSIONS))


def built(annotation: Any) -> st.SearchStrategy[Any]:
    """Whatever an annotation of a wire type allows."""
    if isinstance(annotation, type) and issubclass(annotation, WireObject):
        members = {name: built(member.annotation) for name, member in annotation.wire_members.items()}
        return st.builds(annotation, **members)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return one_of(annotation)
    if origin is tuple:
        return tuples(built(arguments[0]))
    if origin is Mapping:
        return st.dictionaries(text, json_values, max_size=3)
    if type(None) in arguments:
        return given_or_not(built(arguments[0]))
    return {str: text, bool: st.booleans(), float: numbers}[annotation]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | numbers | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)


def objects_in(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(found for item in value.values() for found in objects_in(item))]
    if isinstance(value, list):
        return [found for item in value for found in objects_in(item)]
    return []
