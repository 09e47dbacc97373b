"""Every requirement of the protocol on a provider, and which of them nobody can see from outside."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

Level: TypeAlias = Literal["MUST", "SHOULD"]


class Requirement(NamedTuple):
    """One obligation, under the name that the protocol's documents have for it."""

    id: str
    level: Level
    text: str
    unseen: str | None = None
    """Why no exchange of messages shows whether it is kept; None where one can."""

    @property
    def is_of_the_profile(self) -> bool:
        """Whether it is one of the profile `contextgraph/lifecycle/1.0-draft`, which a provider need not offer."""
        return self.id.startswith("L")


REQUIREMENTS: Final = (
    Requirement(
        "T1",
        "MUST",
        "Write exactly one JSON object (an envelope with a string `type`) per line on stdout; no literal "
        "newline inside an envelope, nothing else on stdout.",
    ),
    Requirement(
        "T2",
        "MUST",
        "Ignore members not recognised instead of rejecting the message (same as U1).",
    ),
    Requirement(
        "T3",
        "MUST",
        "Do not reject an envelope only because its `type` is unknown: a payload-bearing request that "
        "cannot be served gets `error` code bad_request; an unrecognised notification (no id) is ignored.",
    ),
    Requirement(
        "T4",
        "MUST",
        "HTTP: answer each POST with one envelope as the body; keep serving after `shutdown` (no process exit).",
    ),
    Requirement(
        "H1",
        "MUST",
        "Answer handshake with handshake_ack whose protocol_version is in the host's major family.",
    ),
    Requirement(
        "H2",
        "MUST",
        "provider.name and provider.version are non-empty (after trimming).",
    ),
    Requirement(
        "H3",
        "MUST",
        "A family mismatch is reported as a named error and never hangs. Provider: error code "
        "incompatible_version. Host: typed VersionMismatch within the handshake timeout.",
    ),
    Requirement(
        "H4",
        "MUST",
        "If capabilities.correlation is true, echo the request id verbatim on the matching frames or error.",
    ),
    Requirement(
        "H7",
        "SHOULD",
        "Compare version families (text up to the first '.'), not whole strings.",
    ),
    Requirement(
        "C3",
        "SHOULD",
        "Declare egress true if data leaves the machine directly or indirectly. (MUST on repository main "
        "after ADR 0024, including relaying through a local proxy.)",
        "where data goes behind a provider cannot be seen from outside; review what it declares",
    ),
    Requirement(
        "C5",
        "MUST",
        "Do not declare an off-machine egress_scope together with egress false; every custom scope is "
        "`ns:name` with both sides non-empty.",
    ),
    Requirement(
        "Q1",
        "MUST",
        "Non-empty kinds is a filter: return no frame of another kind. None of the kinds served -> zero "
        "frames or unsupported_kind.",
    ),
    Requirement(
        "Q2",
        "MUST",
        "With as_of set, return only frames whose half-open window [valid_from, valid_to) contains the "
        "instant (compared as instants, fractions included); undated frames are eligible; recorded_at is "
        "not filtered.",
    ),
    Requirement(
        "E1p",
        "SHOULD",
        "Reply bad_request to an embedding whose length contradicts the declared dimension.",
    ),
    Requirement(
        "P5p",
        "SHOULD",
        "Asked only for unadvertised representations: reply unsupported_representation or fall back to full.",
    ),
    Requirement(
        "QFMT",
        "SHOULD",
        "A query whose as_of is outside the F4 profile, whose goal is missing, or whose u32 fields are "
        "negative, fractional or > 4294967295 gets bad_request.",
    ),
    Requirement(
        "F1",
        "MUST",
        "score in [0,1].",
    ),
    Requirement(
        "F2",
        "MUST",
        "title non-empty after trimming.",
    ),
    Requirement(
        "F3",
        "MUST",
        "citation_label present and non-empty after trimming; a human label, not a bare id.",
    ),
    Requirement(
        "F4",
        "MUST",
        "valid_from, valid_to, recorded_at match YYYY-MM-DDTHH:MM:SS(.f+)?Z with real calendar values; "
        "second 60 allowed; uppercase T and Z; no offset.",
    ),
    Requirement(
        "F5",
        "MUST",
        "Every `file` provenance link carries digest sha256:<64 lowercase hex> over the exact bytes of uri+range.",
    ),
    Requirement(
        "F17",
        "MUST",
        "range on file provenance is L<n> or L<n>-<m>, decimal, no leading zero, m>=n; lines split on LF "
        "only, LF included, CR is content, end clamps, start past end is unverifiable.",
    ),
    Requirement(
        "F6",
        "MUST",
        "Attestations are detached: never inside the frame or any hash preimage.",
    ),
    Requirement(
        "F7",
        "MUST",
        "signed_commitment is the sha256 rendering of the commitment (or Merkle root) computed exactly as "
        "specified.",
    ),
    Requirement(
        "F11",
        "MUST",
        "frame_attestations / result_attestation ride on the result; each entry names the full (provider "
        "name, frame id, digest) of a frame in the same result.",
    ),
    Requirement(
        "F12",
        "MUST",
        "result_attestation signs the RFC 6962 root over exactly the returned frames in canonical order.",
    ),
    Requirement(
        "F14",
        "MUST",
        "A signed frame carries content_digest.",
    ),
    Requirement(
        "P1",
        "MUST",
        "full frame: content present; content_ref, transform, canonical_content_hash absent; omit "
        "`representation`.",
    ),
    Requirement(
        "P2",
        "MUST",
        "compact frame: content, content_digest, canonical_content_hash, transform, content_ref all present.",
    ),
    Requirement(
        "P3",
        "MUST",
        "reference frame: content_ref and canonical_content_hash present; content (even ''), "
        "content_digest, transform absent.",
    ),
    Requirement(
        "P4",
        "MUST",
        "token_cost is the cost of the inline bytes only: reference 0; compact the compact bytes.",
    ),
    Requirement(
        "P6",
        "MUST",
        "Advertising compact or reference requires resolve true; over a wire transport avoid reference "
        "frames (SHOULD NOT).",
    ),
    Requirement(
        "D1",
        "MUST",
        "content_digest, when present, is sha256:<64 lowercase hex> over the exact inline UTF-8 bytes.",
    ),
    Requirement(
        "D1b",
        "MUST",
        "Same identity means same bytes; changed bytes mean a changed digest.",
    ),
    Requirement(
        "B1",
        "MUST",
        "Sum of token_cost <= max_tokens.",
    ),
    Requirement(
        "B3",
        "MUST",
        "token_cost == ceil(utf8 bytes of content / 4), exactly.",
    ),
    Requirement(
        "B4",
        "MUST",
        "Number of frames <= max_frames.",
    ),
    Requirement(
        "G1",
        "MUST",
        "Every relation has a non-empty display_name.",
    ),
    Requirement(
        "G2",
        "MUST",
        "target_uri is non-empty (a URI).",
    ),
    Requirement(
        "G3",
        "SHOULD",
        "A graph provider boosts frames near an anchor.",
    ),
    Requirement(
        "G4",
        "MUST",
        "A graph provider given anchors returns at least one frame whose uri or a relation target_uri "
        "equals an anchor, when it has one.",
    ),
    Requirement(
        "V2",
        "MUST",
        "If verify is declared, answer verify with verified.",
    ),
    Requirement(
        "V2p",
        "MUST",
        "valid only if the presented digest is what is served now; differs on a served frame -> stale; echo"
        " each identity in full, exactly as received.",
    ),
    Requirement(
        "V4",
        "MUST",
        "No bodies in verify/verified; stale may carry replacement_digest; never keep serving a stale or "
        "gone copy.",
    ),
    Requirement(
        "V5p",
        "MUST",
        "Never reject a whole verify request because an identity names another provider; unknown per entry "
        "is allowed.",
    ),
    Requirement(
        "R1",
        "MUST",
        "Do not crash on a malformed line or bad request; SHOULD reply error code bad_request.",
    ),
    Requirement(
        "R2",
        "MUST",
        "Tear down cleanly on shutdown (stdio: exit; HTTP: nothing).",
    ),
    Requirement(
        "U1",
        "MUST",
        "Ignore unrecognised members anywhere.",
    ),
    Requirement(
        "U3",
        "MUST",
        "Vendor rel, egress_scope or error code is `vendor:name`.",
    ),
    Requirement(
        "U4",
        "MUST",
        "Never repurpose a defined field.",
        "what a member means to a provider cannot be seen from outside; review it",
    ),
    Requirement(
        "schema",
        "MUST",
        "Required members and types of the wire shapes: truncated on results, message on errors, "
        "capabilities and data_flow on acks, lists never null, u32 as integers.",
    ),
    Requirement(
        "LP-ID1",
        "MUST",
        "A CEP is first a conformant core provider; exchange operations are additive and capability-gated.",
    ),
    Requirement(
        "LP-ID2",
        "MUST",
        "Every record's schema_version is contextgraph/lifecycle/1.0-draft (unchanged in 2.0.0).",
    ),
    Requirement(
        "LP-ID3",
        "MUST",
        "Advertise a `lifecycle` block inside capabilities; a host sends no exchange operation without it.",
    ),
    Requirement(
        "LH1",
        "MUST",
        "record_hash = sha256 of JCS of the record without its own top-level record_hash member.",
    ),
    Requirement(
        "LH2",
        "MUST",
        "RFC 8785: keys sorted by UTF-16 code unit, ECMAScript numbers, -0 as 0.",
    ),
    Requirement(
        "LH3",
        "MUST",
        "Attestation never in the record or preimage.",
    ),
    Requirement(
        "LR1",
        "MUST",
        "Required members: schema_version record_id lineage_id record_kind record_status scope "
        "sharing_scope observed_at origin record_hash provenance.",
    ),
    Requirement(
        "LR2",
        "MUST",
        "Records immutable; a correction is a new record_id on the same lineage_id.",
    ),
    Requirement(
        "LR3",
        "MUST",
        "record_status is active|retracted|archived; supersession is derived.",
    ),
    Requirement(
        "LR4",
        "MUST",
        "observed_at, valid_from follow F4.",
    ),
    Requirement(
        "LR5",
        "MUST",
        "confidence in [0,1].",
    ),
    Requirement(
        "LR6",
        "MUST",
        "12 closed record kinds; unknown members tolerated.",
    ),
    Requirement(
        "LR7",
        "MUST",
        "extensions members and vendor record_links.rel namespaced.",
    ),
    Requirement(
        "LD1",
        "MUST",
        "directive_kind is preference|rule|constraint|procedure.",
    ),
    Requirement(
        "LD2",
        "MUST",
        "constraint carries constraint_effect require|forbid, never allow.",
    ),
    Requirement(
        "LD4",
        "MUST",
        "procedure carries ordered procedure_steps; no promotion_stage on the record.",
    ),
    Requirement(
        "LX1",
        "MUST",
        "command requirement carries execution_approval_ref.",
    ),
    Requirement(
        "LX4",
        "MUST",
        "context_use booleans reconcile with usage reports.",
        "what a host did with frames is its own to report; a provider only keeps the records",
    ),
    Requirement(
        "LS1",
        "MUST",
        "scope has only the 7 keys; present keys are ANDed.",
    ),
    Requirement(
        "LS2",
        "MUST",
        "sharing_scope user|repository|workspace|organization.",
    ),
    Requirement(
        "LS3",
        "MUST",
        "tenant_id and project_id never appear in scope.",
    ),
    Requirement(
        "LO-ID1",
        "MUST",
        "Idempotency on (authority_id, client_id, operation, idempotency_key): same hash -> duplicate; "
        "other hash -> idempotency_conflict; expired -> idempotency_expired; same record_id other content "
        "-> record_identity_conflict.",
    ),
    Requirement(
        "LO-ID2",
        "MUST",
        "Unhonourable retention -> retention_rejected before persistence.",
    ),
    Requirement(
        "LO-ID3",
        "MUST",
        "Principal comes from the transport; authorisation before persistence and on every read.",
        "who asks is the transport's to say: it takes two principals to see that one is refused",
    ),
    Requirement(
        "LO-ID4",
        "MUST",
        "Capability never implies consent; consent_required stays live.",
        "it takes a principal without the grant to see that it is asked for",
    ),
    Requirement(
        "LO-R1",
        "MUST",
        "In the profile, resolve advertised -> context/resolve answered.",
    ),
    Requirement(
        "LO-R2",
        "MUST",
        "Resolve verifies canonical_content_hash before returning; else content_hash_mismatch.",
    ),
    Requirement(
        "LO-R3",
        "MUST",
        "Dead handle -> reference_not_found or reference_expired; host routes by content_ref.provider_id.",
    ),
    Requirement(
        "LC1",
        "MUST",
        "provenance has origin_provider_id and producer_kind.",
    ),
    Requirement(
        "LC2",
        "MUST",
        "observed/declared carry no derivation_kind; derived must; imported may.",
    ),
    Requirement(
        "LC4",
        "MUST",
        "Record signature message = ASCII contextgraph/attest/1/record + 32 raw bytes of the hash; ed25519;"
        " lowercase hex.",
    ),
)
"""In the order of the protocol's documents."""

BY_ID: Final = {each.id: each for each in REQUIREMENTS}
