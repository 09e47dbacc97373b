"""Detached signatures over what frames say and where it came from: members that 1.0 added (SPEC 6.5.5).

Shapes only. Nothing here checks a signature, and a frame is never dropped for one that cannot be checked
(F9). Digests are `sha256:` and 64 lower-case hexadecimal digits; keys and signatures are lower-case
hexadecimal.
"""

from .identities import FrameId
from .wire_objects import U64, ExtensibleObject


class AttesterKey(ExtensibleObject):
    """A public key a provider declares. One of an unknown algorithm is uncheckable, not wrong (F8)."""

    key_id: str
    algorithm: str
    public_key: str


class ProvenanceAttestation(ExtensibleObject):
    """A signature over a commitment: one frame's, or the root of a result's tree (F7, F12).

    Only `signed_commitment` is covered by the signature; who signed, when, and with which key are claims
    (F18).
    """

    signed_commitment: str
    key_id: str
    algorithm: str
    attester_id: str
    signature: str
    issued_at: str


class InclusionStep(ExtensibleObject):
    """One step from a leaf to the root: the digest beside it and the side it stands on."""

    sibling: str
    sibling_is_left: bool


class InclusionProof(ExtensibleObject):
    """That a frame is one leaf of the signed RFC 6962 tree (F13)."""

    leaf_index: U64
    leaf_count: U64
    path: tuple[InclusionStep, ...]


class FrameAttestation(ExtensibleObject):
    """What attests one frame of the same result, named by its full identity (F11)."""

    frame: FrameId
    attestation: ProvenanceAttestation | None = None
    inclusion_proof: InclusionProof | None = None


class RecordAttestation(ExtensibleObject):
    """A signature over the `record_hash` of a context record, apart from the record (LH3, LC4).

    As with frames, only the hash is covered by the signature.
    """

    signed_record_hash: str
    key_id: str
    algorithm: str
    attester_id: str
    signature: str
    issued_at: str
