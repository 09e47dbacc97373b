"""Whether attestations are of the frames that they come with."""

from __future__ import annotations

from typing import Final

from ...attestation import Finding, frame_commitment, identity_of, root_from_proof, verify_result
from ...attestation.digests import written
from ...attestation.verifying import result_tree
from ...protocol import REFERENCE, AttesterKey, ContextFrame, ContextQueryResult, FrameId
from ...protocol.shapes import Mismatch, read
from .answers import Answer, text_of
from .messages import Message
from .observations import Observations

RULES: Final = ("F6", "F7", "F11", "F12", "F14")

_ATTACHED: Final = ("attestation", "frame_attestation", "inclusion_proof", "signature", "result_attestation")
"""What a signature that was put into a frame would be called."""
_BAD_SIGNATURES: Final = (Finding.BAD_SIGNATURE, Finding.MALFORMED_SIGNATURE, Finding.MALFORMED_COMMITMENT)


def declared_keys(ack: Message) -> tuple[AttesterKey, ...]:
    """The keys in an acknowledgement that can be read."""
    keys = ack.get("attester_keys")
    found = []
    for each in keys if isinstance(keys, list) else ():
        try:
            found.append(read(AttesterKey, each))
        except Mismatch:
            continue  # the schema is looked at elsewhere
    return tuple(found)


def judge_attestations(observations: Observations, answer: Answer, ack: Message) -> None:
    """Look at what attests an answer; nothing where nothing does."""
    for plain in answer.plain_frames:
        if attached := next((name for name in _ATTACHED if name in plain), None):
            observations.broken("F6", f"a frame has a member {attached}", answer.exchange)
    provider = ack.get("provider")
    name = text_of(provider.get("name")) if isinstance(provider, dict) else None
    try:
        result = read(ContextQueryResult, answer.result)
    except Mismatch:
        return
    if name is None or (not result.frame_attestations and result.result_attestation is None):
        return
    observations.met("F6", "attestations stand beside the frames", answer.exchange)
    _entries(observations, answer, name, result)
    _whole(observations, answer, name, result)
    _signatures(observations, answer, name, result, declared_keys(ack))


def _entries(observations: Observations, answer: Answer, name: str, result: ContextQueryResult) -> None:
    frames: dict[FrameId, ContextFrame] = {identity_of(name, each): each for each in result.frames}
    exchange = answer.exchange
    for entry in result.frame_attestations:
        frame = frames.get(entry.frame)
        if not observations.holds(
            "F11",
            frame is not None,
            "each names a frame of its result in full",
            "one names a frame that is not in its result, or not under the name, id and digest it has there",
            exchange,
        ):
            continue
        assert frame is not None
        if entry.attestation is not None:
            observations.holds(
                "F14",
                frame.content_digest is not None or frame.representation == REFERENCE,
                "signed frames have digests",
                "a signed frame has no content_digest",
                exchange,
            )
            observations.holds(
                "F7",
                entry.attestation.signed_commitment == written(frame_commitment(name, frame)),
                "what is signed is the commitment of the frame",
                "what is signed is not the commitment of the frame",
                exchange,
            )
        if entry.inclusion_proof is not None and result.result_attestation is not None:
            root = root_from_proof(frame_commitment(name, frame), entry.inclusion_proof)
            observations.holds(
                "F12",
                root is not None and written(root) == result.result_attestation.signed_commitment,
                "proofs lead to the signed root",
                "a proof does not lead to the signed root",
                exchange,
            )


def _whole(observations: Observations, answer: Answer, name: str, result: ContextQueryResult) -> None:
    if result.result_attestation is None:
        return
    root = written(result_tree(name, result).root)
    observations.holds(
        "F12",
        result.result_attestation.signed_commitment == root,
        "the signed root is that of exactly the frames returned",
        "the signed root is not that of exactly the frames returned",
        answer.exchange,
    )
    observations.met("F11", "the attestation of the result stands on the result", answer.exchange)
    observations.holds(
        "F14",
        all(each.content_digest is not None or each.representation == REFERENCE for each in result.frames),
        "signed frames have digests",
        "a frame of a signed result has no content_digest",
        answer.exchange,
    )


def _signatures(
    observations: Observations,
    answer: Answer,
    name: str,
    result: ContextQueryResult,
    keys: tuple[AttesterKey, ...],
) -> None:
    verdicts = verify_result(name, result, keys)
    for verdict in (verdicts.result, *verdicts.frames):
        if verdict.finding in _BAD_SIGNATURES:
            observations.broken("F7", f"an attestation has a {verdict.finding}", answer.exchange)
        elif verdict.signature_verifies:
            observations.met("F7", "signatures are those of the declared keys", answer.exchange)
