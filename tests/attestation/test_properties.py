"""Over any frames: what is signed verifies, any change of it is found, and any part of it keeps its proofs."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from memory_provider.attestation import (
    Finding,
    MerkleTree,
    Status,
    identity_of,
    retain,
    root_from_proof,
    verify_result,
)
from memory_provider.protocol import (
    ContextFrame,
    ContextQueryResult,
    Frames,
    InclusionProof,
    InclusionStep,
    ProvenanceLink,
    decode,
    encode,
)

from .signed import ATTESTER, KEYS, OTHER_KEY, PROVIDER, as_read, frame_lists, result, signed

commitments = st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=40)


def statuses(answer: ContextQueryResult, *, complete: bool = True) -> set[Status]:
    verdicts = verify_result(PROVIDER, answer, KEYS, complete=complete)
    return {each.status for each in verdicts.frames}


def changed(answer: ContextQueryResult, at: int, frame: ContextFrame) -> ContextQueryResult:
    frames = list(answer.frames)
    frames[at] = frame
    return answer.replace(frames=tuple(frames))


def renamed(answer: ContextQueryResult, at: int, frame: ContextFrame) -> ContextQueryResult:
    """The frame in another's place, and its entry under the other's identity: a signature lifted onto it."""
    old = identity_of(PROVIDER, answer.frames[at])
    entries = tuple(
        entry.replace(frame=identity_of(PROVIDER, frame)) if entry.frame == old else entry
        for entry in answer.frame_attestations
    )
    return changed(answer, at, frame).replace(frame_attestations=entries)


@given(frame_lists)
def test_what_is_signed_verifies_in_any_order_and_over_the_wire(frames: list[ContextFrame]) -> None:
    answer = signed(*frames)
    assert answer.frames == tuple(frames)
    read = decode(encode(Frames(result=answer)))
    assert isinstance(read, Frames)
    for each in (answer, read.result, answer.replace(frames=answer.frames[::-1])):
        verdicts = verify_result(PROVIDER, each, KEYS)
        assert verdicts.result.status is Status.VALID
        assert {verdict.status for verdict in verdicts.frames} == {Status.VALID}
        assert all(verdict.covers_content and verdict.key == KEYS[0] for verdict in verdicts.frames)
    assert signed(*frames[::-1]).result_attestation == answer.result_attestation


def change_content(frame: ContextFrame, data: st.DataObject) -> ContextFrame:
    return as_read(frame, content=data.draw(st.text(max_size=12)))


def change_content_and_digest(frame: ContextFrame, data: st.DataObject) -> ContextFrame:
    content = data.draw(st.text(max_size=12))
    return as_read(frame, content=content, content_digest=f"sha256:{sha256(content.encode()).hexdigest()}")


def drop_the_digest(frame: ContextFrame, data: st.DataObject) -> ContextFrame:
    return as_read(frame, content_digest=None)


def change_the_id(frame: ContextFrame, data: st.DataObject) -> ContextFrame:
    return as_read(frame, id=data.draw(st.text(max_size=6)))


def drop_a_link(frame: ContextFrame, data: st.DataObject) -> ContextFrame:
    assume(frame.provenance)
    at = data.draw(st.integers(0, len(frame.provenance) - 1))
    return as_read(frame, provenance=frame.provenance[:at] + frame.provenance[at + 1 :])


def add_a_link(frame: ContextFrame, data: st.DataObject) -> ContextFrame:
    at = data.draw(st.integers(0, len(frame.provenance)))
    link = ProvenanceLink(type=data.draw(st.text(max_size=3)))
    return as_read(frame, provenance=(*frame.provenance[:at], link, *frame.provenance[at:]))


def reorder_the_links(frame: ContextFrame, data: st.DataObject) -> ContextFrame:
    return as_read(frame, provenance=tuple(data.draw(st.permutations(frame.provenance))))


def change_a_link(frame: ContextFrame, data: st.DataObject) -> ContextFrame:
    assume(frame.provenance)
    at = data.draw(st.integers(0, len(frame.provenance) - 1))
    member = data.draw(st.sampled_from(["type", "uri", "range", "digest", "method", "by"]))
    values = st.text(max_size=3) if member == "type" else st.none() | st.text(max_size=3)
    link = frame.provenance[at].replace(**{member: data.draw(values)})
    return as_read(frame, provenance=(*frame.provenance[:at], link, *frame.provenance[at + 1 :]))


def shift_a_border(frame: ContextFrame, data: st.DataObject) -> ContextFrame:
    """Text moved from the end of one member to the beginning of the next: the same characters in the same order."""
    assume(frame.provenance and frame.provenance[0].uri)
    link = frame.provenance[0]
    uri = link.uri or ""
    moved = link.replace(uri=uri[:-1], range=uri[-1] + (link.range or ""))
    return as_read(frame, provenance=(moved, *frame.provenance[1:]))


CHANGES = [
    change_content,
    change_content_and_digest,
    drop_the_digest,
    change_the_id,
    drop_a_link,
    add_a_link,
    reorder_the_links,
    change_a_link,
    shift_a_border,
]


@given(frame_lists, st.sampled_from(CHANGES), st.data())
def test_a_change_of_a_frame_is_found(frames: list[ContextFrame], change: Any, data: st.DataObject) -> None:
    answer = signed(*frames)
    at = data.draw(st.integers(0, len(frames) - 1))
    frame = change(frames[at], data)
    assume(frame != frames[at])
    verdicts = verify_result(PROVIDER, renamed(answer, at, frame), KEYS)
    assert verdicts.frames[at].status is Status.INVALID
    if change is not change_content:  # of which the commitment has the digest
        assert verdicts.result.finding is Finding.COMMITMENT_MISMATCH
    # The others are what was signed, still.
    assert {each.status for place, each in enumerate(verdicts.frames) if place != at} <= {Status.VALID}
    if identity_of(PROVIDER, frame) != identity_of(PROVIDER, frames[at]):
        unnamed = verify_result(PROVIDER, changed(answer, at, frame), KEYS)
        assert not unnamed.frames[at].signature_verifies


@given(frame_lists, st.data())
def test_a_frame_less_or_more_is_found(frames: list[ContextFrame], data: st.DataObject) -> None:
    answer = signed(*frames)
    at = data.draw(st.integers(0, len(frames) - 1))
    less = answer.replace(frames=answer.frames[:at] + answer.frames[at + 1 :])
    more = answer.replace(frames=(*answer.frames, as_read(frames[at], id=f"{frames[at].id}x")))
    twice = answer.replace(frames=(*answer.frames, frames[at]))
    for each in (less, more, twice):
        assert verify_result(PROVIDER, each, KEYS).result.finding is Finding.COMMITMENT_MISMATCH


@given(frame_lists, st.data())
def test_evidence_of_one_frame_is_none_for_another(frames: list[ContextFrame], data: st.DataObject) -> None:
    answer = signed(*frames)
    one, other = (data.draw(st.integers(0, len(frames) - 1)) for _ in range(2))
    assume(one != other)
    entries = list(answer.frame_attestations)
    entries[one] = entries[other].replace(frame=entries[one].frame)
    verdicts = verify_result(PROVIDER, answer.replace(frame_attestations=tuple(entries)), KEYS)
    victim = [identity_of(PROVIDER, frame) for frame in frames].index(entries[one].frame)
    assert verdicts.frames[victim].status is Status.INVALID


@given(frame_lists, st.data())
def test_a_change_of_a_proof_is_found(frames: list[ContextFrame], data: st.DataObject) -> None:
    """With the frame's own signature beside it, and without."""
    answer = signed(*frames)
    at = data.draw(st.integers(0, len(frames) - 1))
    entry = answer.frame_attestations[at]
    assert entry.inclusion_proof is not None
    proof = entry.inclusion_proof
    kind = data.draw(st.sampled_from(["index", "count", "drop", "add", "sibling", "side", "order"]))
    path = list(proof.path)
    step = data.draw(st.integers(0, len(path) - 1)) if path else 0
    if kind == "index":
        proof = proof.replace(leaf_index=data.draw(st.integers(0, len(frames) + 3)))
    elif kind == "count":
        proof = proof.replace(leaf_count=data.draw(st.integers(0, len(frames) + 3)))
    elif kind == "add":
        raw = data.draw(st.binary(min_size=32, max_size=32))
        path.insert(step, proof_step(f"sha256:{raw.hex()}", data.draw(st.booleans())))
    else:
        assume(path)
        if kind == "drop":
            del path[step]
        elif kind == "sibling":
            sibling = data.draw(st.text(max_size=8) | st.binary(min_size=32, max_size=32).map(digest))
            path[step] = path[step].replace(sibling=sibling)
        elif kind == "side":
            path[step] = path[step].replace(sibling_is_left=not path[step].sibling_is_left)
        else:
            path = list(data.draw(st.permutations(path)))
    proof = proof.replace(path=tuple(path))
    assume(proof != entry.inclusion_proof)
    attestation = data.draw(st.sampled_from([entry.attestation, None]))
    entries = list(answer.frame_attestations)
    entries[at] = entry.replace(inclusion_proof=proof, attestation=attestation)
    verdicts = verify_result(PROVIDER, answer.replace(frame_attestations=tuple(entries)), KEYS)
    found = [identity_of(PROVIDER, frame) for frame in frames].index(entry.frame)
    assert verdicts.frames[found].status is Status.INVALID
    assert verdicts.frames[found].finding in (Finding.MALFORMED_PROOF, Finding.COMMITMENT_MISMATCH)
    assert verdicts.result.status is Status.VALID


def digest(raw: bytes) -> str:
    return f"sha256:{raw.hex()}"


def proof_step(sibling: str, left: bool) -> InclusionStep:
    return InclusionStep(sibling=sibling, sibling_is_left=left)


@given(frame_lists, st.data(), st.booleans())
def test_any_part_of_a_result_keeps_valid_proofs(
    frames: list[ContextFrame], data: st.DataObject, carried: bool
) -> None:
    """Whether the proofs came with the result or have to be derived; signatures of their own or none."""
    answer = signed(*frames)
    entries = tuple(entry.replace(attestation=None) for entry in answer.frame_attestations)
    answer = answer.replace(frame_attestations=entries if carried else ())
    kept = [frame for frame in frames if data.draw(st.booleans())]
    part = retain(PROVIDER, answer, [identity_of(PROVIDER, frame) for frame in kept])
    assert part.frames == tuple(kept)
    assert len(part.frame_attestations) == len(kept)
    assert statuses(part, complete=False) <= {Status.VALID}
    # And again, when the frames to derive a proof from are gone.
    again = retain(PROVIDER, part, [identity_of(PROVIDER, frame) for frame in kept[:1]])
    assert statuses(again, complete=False) <= {Status.VALID}
    if len(kept) != len(frames):
        assert statuses(part) <= {Status.INVALID}  # it does not pass for the whole


@given(frame_lists)
def test_another_key_is_found_and_an_unknown_one_says_nothing(frames: list[ContextFrame]) -> None:
    answer = signed(*frames)
    forged = OTHER_KEY.public.replace(key_id=KEYS[0].key_id)
    verdicts = verify_result(PROVIDER, answer, [forged])
    assert {each.finding for each in (verdicts.result, *verdicts.frames)} == {Finding.BAD_SIGNATURE}
    verdicts = verify_result(PROVIDER, answer, [OTHER_KEY.public])
    assert {each.status for each in (verdicts.result, *verdicts.frames)} == {Status.UNCHECKABLE}


@given(commitments)
def test_the_tree_is_the_one_of_rfc_6962(leaves: list[bytes]) -> None:
    def root(each: list[bytes]) -> bytes:
        """As RFC 6962 defines it: split at the largest power of two below the number of leaves."""
        if len(each) == 1:
            return sha256(b"\x00" + each[0]).digest()
        split = 1 << (len(each) - 1).bit_length() - 1
        return sha256(b"\x01" + root(each[:split]) + root(each[split:])).digest()

    tree = MerkleTree(leaves)
    assert tree.root == root(leaves)
    for index, leaf in enumerate(leaves):
        assert root_from_proof(leaf, tree.proof(index)) == tree.root


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 80))
def test_a_proof_of_any_size_is_judged_at_once(index: int, count: int, steps: int) -> None:
    step = proof_step(digest(bytes(32)), True)
    proof = InclusionProof(leaf_index=index, leaf_count=count, path=(step,) * steps)
    found = root_from_proof(bytes(32), proof)
    assert found is None or 0 <= index < count


@given(frame_lists)
def test_signing_again_replaces_what_was_signed_before(frames: list[ContextFrame]) -> None:
    answer = signed(*frames)
    assert ATTESTER.attest(answer) == answer
    fewer = ATTESTER.attest(answer.replace(frames=answer.frames[:1]))
    assert fewer == signed(frames[0])
    assert ATTESTER.attest(answer.replace(frames=())) == result()
