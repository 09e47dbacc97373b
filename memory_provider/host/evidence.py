"""What attests the frames of an answer, kept frame by frame so that none loses it when others are left out (F13).

A verdict never decides whether a frame is used (F9): it is shown beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ..attestation import (
    Status,
    Verdict,
    identity_of,
    retain,
    verify_frame,
    verify_inclusion,
    verify_result,
)
from ..protocol import (
    AttesterKey,
    ContextFrame,
    ContextQueryResult,
    FrameId,
    InclusionProof,
    ProvenanceAttestation,
)

UNATTESTED: Final = Verdict(Status.UNATTESTED)
"""The verdict on a frame without evidence."""


class Evidence(NamedTuple):
    """What attests one frame, enough to check it when the answer it came in is no longer at hand."""

    provider_name: str
    """The name that the provider declared, under which its frames are signed."""
    verdict: Verdict
    """What was found when the answer came, with the keys that were at hand then."""
    attestation: ProvenanceAttestation | None = None
    """The frame's own signature."""
    inclusion_proof: InclusionProof | None = None
    """That it is one of the frames of the signed answer."""
    result_attestation: ProvenanceAttestation | None = None
    """The signature over the answer, to which the proof leads."""
    handle: ContextFrame | None = None
    """The frame as it was served, where its content was fetched afterwards: no signature covers that."""

    def of_handle(self, handle: ContextFrame) -> Evidence:
        """The evidence for the full frame that a handle was exchanged for: it is that for the handle."""
        return self._replace(verdict=_of_identity(self.verdict), handle=handle)

    def check(self, frame: ContextFrame, keys: Iterable[AttesterKey]) -> Verdict:
        """The verdict anew, for the frame as it is held now and with other keys perhaps. All evidence has to hold."""
        held = tuple(keys)
        verdicts = []
        if self.handle is not None:
            signed = {"content": self.handle.content, "content_digest": self.handle.content_digest}
            frame = ContextFrame.trusted({**frame.__dict__, **signed})
        if self.attestation is not None:
            verdicts.append(verify_frame(self.provider_name, frame, self.attestation, held))
        if self.inclusion_proof is not None and self.result_attestation is not None:
            proof, root = self.inclusion_proof, self.result_attestation
            verdicts.append(verify_inclusion(self.provider_name, frame, proof, root, held))
        return weakest(verdicts) if self.handle is None else _of_identity(weakest(verdicts))


def _of_identity(verdict: Verdict) -> Verdict:
    """The verdict on what the signature says of another content than the one that is shown."""
    return verdict._replace(status=Status.VALID_IDENTITY_ONLY) if verdict.covers_content else verdict


def evidence_of(
    provider_id: str, provider_name: str, result: ContextQueryResult, keys: Iterable[AttesterKey]
) -> dict[FrameId, Evidence]:
    """The evidence for each frame that has some, by its identity in this host.

    `result` is the whole answer as it was received, before any frame of it is set aside: of a part, no root can be
    computed. `keys` say who signed only if they were pinned; those of the provider's own handshake say that its
    evidence is consistent.
    """
    if result.result_attestation is None and not result.frame_attestations:
        return {}
    kept = retain(provider_name, result, [identity_of(provider_name, frame) for frame in result.frames])
    verdicts = verify_result(provider_name, kept, keys).frames
    entries = {entry.frame: entry for entry in reversed(kept.frame_attestations)}
    found: dict[FrameId, Evidence] = {}
    for frame, verdict in zip(result.frames, verdicts, strict=True):
        entry = entries.get(identity_of(provider_name, frame))
        if entry is None:
            continue
        identity = identity_of(provider_id, frame)
        before = found.get(identity)
        found[identity] = Evidence(
            provider_name,
            verdict if before is None else weakest((before.verdict, verdict)),
            entry.attestation,
            entry.inclusion_proof,
            result.result_attestation,
        )
    return found


_STRENGTH: Final = (
    *(Status.INVALID, Status.UNCHECKABLE, Status.UNATTESTED, Status.VALID_IDENTITY_ONLY, Status.VALID),
)


def weakest(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict that vouches for least; unattested if there is none."""
    return min(verdicts, key=lambda verdict: _STRENGTH.index(verdict.status), default=UNATTESTED)
