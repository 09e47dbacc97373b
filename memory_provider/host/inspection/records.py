"""The rules that a context record keeps."""

from __future__ import annotations

from typing import Any, Final

from ...attestation import verify_record
from ...protocol import ProtocolError, RecordAttestation
from ...protocol.lifecycle.hashing import record_hash
from ...protocol.lifecycle.records import RecordError, read_record
from ...protocol.shapes import Mismatch, read
from ..errors import peer_text
from .attesting import declared_keys
from .messages import Message
from .observations import Exchange, Observations

RECORD_RULES: Final = (
    *("LP-ID2", "LH1", "LH2", "LH3", "LR1", "LR3", "LR4", "LR5", "LR6", "LR7", "LD1", "LD2", "LD4"),
    *("LX1", "LS1", "LS2", "LS3", "LC1", "LC2"),
)
"""What reading a record can show."""

_ALWAYS: Final = ("LP-ID2", "LR1", "LR3", "LR4", "LR6", "LS1", "LS2", "LS3", "LC1", "LC2")


def judge_record(observations: Observations, lookup: Message, ack: Message, exchange: Exchange) -> None:
    """Look at a record as it was read."""
    record: Message = lookup["record"]
    name = f"record {peer_text(str(record.get('record_id')))}"
    try:
        read_record(record)
    except RecordError as error:
        said = peer_text(str(error))
        observations.broken(_rule_of(str(error), record), f"{name}: {said}", exchange)
    else:
        for rule in (*_ALWAYS, *_concerned(record)):
            observations.met(rule, "in every record that was read", exchange)
    try:
        is_right = record_hash(record) == record.get("record_hash")
    except ProtocolError as error:
        observations.broken("LH2", f"{name}: {error}", exchange)
        return
    for rule in ("LH1", "LH2"):
        observations.holds(
            rule,
            is_right,
            "the hash is that of the canonical record",
            f"{name}: its record_hash is not that of its canonical JSON",
            exchange,
        )
    observations.holds(
        "LH3",
        not {"attestation", "signature"} & record.keys(),
        "what attests a record stands beside it",
        f"{name}: an attestation stands inside it",
        exchange,
    )
    _signature(observations, name, lookup, ack, exchange)


def _signature(
    observations: Observations, name: str, lookup: Message, ack: Message, exchange: Exchange
) -> None:
    if lookup.get("attestation") is None:
        return
    try:
        attestation = read(RecordAttestation, lookup["attestation"])
    except Mismatch:
        return  # the schema is looked at elsewhere
    verdict = verify_record(lookup["record"], attestation, declared_keys(ack))
    if verdict.signature_verifies:
        observations.met("LC4", "signatures of records are those of the declared keys", exchange)
    elif verdict.status == "invalid":
        observations.broken("LC4", f"{name}: its attestation has a {verdict.finding}", exchange)


def _concerned(record: Message) -> list[str]:
    """The rules that only some records could break."""
    found = []
    if record.get("confidence") is not None:
        found.append("LR5")
    if record.get("extensions") or record.get("record_links"):
        found.append("LR7")
    if record.get("record_kind") == "directive":
        found.append("LD1")
        found += {"constraint": ["LD2"], "procedure": ["LD4"]}.get(str(record.get("directive_kind")), [])
    if record.get("record_kind") == "artifact_contract":
        found.append("LX1")
    return found


def _rule_of(error: str, record: Message) -> str:
    """The rule that a record's reader names, or the one about the member that it names."""
    for rule in RECORD_RULES:
        if f"({rule})" in error:
            return rule
    member = error.partition(":")[0].partition(".")[0].partition("[")[0]
    members: dict[str, str] = {
        "record_status": "LR3",
        "observed_at": "LR4",
        "valid_from": "LR4",
        "record_kind": "LR6",
        "sharing_scope": "LS2",
        "directive_kind": "LD1",
        "constraint_effect": "LD2",
        "record_links": "LR7",
        "requirements": "LX1",
        "provenance": "LC1",
    }
    scope: Any = record.get("scope")
    if member == "scope" and isinstance(scope, dict):
        return "LS3" if {"tenant_id", "project_id"} & scope.keys() else "LS1"
    return members.get(member, "LR1")
