"""Keeping some frames of a signed result without losing the evidence for them (F13)."""

from __future__ import annotations

from collections.abc import Collection

from ..protocol import ContextQueryResult, FrameAttestation, FrameId
from .commitments import identity_of
from .digests import written
from .verifying import result_order, result_tree


def retain(provider: str, result: ContextQueryResult, kept: Collection[FrameId]) -> ContextQueryResult:
    """The result with only the frames of these identities, each with a proof that it was in the signed one.

    Where no proof came with a frame it is derived, which only works as long as all frames are at hand: once some are
    dropped, nobody can compute the root again. A result without a signed root, or with one over other frames, keeps the
    attestations its frames came with. `truncated` still speaks of what the provider left out.
    """
    wanted = frozenset(kept)
    given = {entry.frame: entry for entry in reversed(result.frame_attestations)}
    entries = []
    tree = result_tree(provider, result)
    signed = result.result_attestation
    whole = signed is not None and signed.signed_commitment == written(tree.root)
    for leaf, frame in enumerate(result_order(provider, result.frames)):
        identity = identity_of(provider, frame)
        if identity not in wanted:
            continue
        entry = given.get(identity)
        if whole and (entry is None or entry.inclusion_proof is None):
            entry = (entry or FrameAttestation(frame=identity)).replace(inclusion_proof=tree.proof(leaf))
        if entry is not None:
            entries.append(entry)
    frames = tuple(frame for frame in result.frames if identity_of(provider, frame) in wanted)
    return result.replace(frames=frames, frame_attestations=tuple(entries))
