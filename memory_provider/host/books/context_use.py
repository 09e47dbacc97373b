"""What became of context records in a turn, as records themselves: `context_use` of the lifecycle profile (LX4).

They are made here and kept by nobody: whoever wants the provider of the records to know appends them to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import unquote

from ...protocol import FrameId, ProvenanceLink
from ...protocol.digests import digest
from ...protocol.lifecycle.hashing import hashed
from ...protocol.lifecycle.records import SCHEMA_VERSION, ContextUse, read_record
from ..offers import Offered
from .attribution import Attribution

RECORD: Final = "record"
"""The type of a provenance link to a context record."""
ADDRESS: Final = "memory:record/"
"""What comes before the record's id in such a link."""


def record_of(link: ProvenanceLink) -> str | None:
    """The id of the context record that a link leads to; None for any other link."""
    uri = link.uri or ""
    is_record = link.type == RECORD and uri.startswith(ADDRESS)
    return unquote(uri.removeprefix(ADDRESS)) if is_record else None


def context_uses(
    attributions: Iterable[Attribution],
    offers: Iterable[Offered],
    *,
    turn: str,
    scope: Mapping[str, str],
    sharing_scope: str,
    observed_at: str,
    producer: str,
) -> tuple[dict[str, Any], ...]:
    """One `context_use` record for each context record that a frame of `offers` came from, in the order of their ids.

    A record was used as far as any frame of it was. `turn` names what was asked: the same turn gives the same records,
    so that appending them again changes nothing. `scope` and `sharing_scope` say who may see them, `producer` names
    this host. Raises `RecordError` for what the profile does not allow.
    """
    records: dict[FrameId, set[str]] = {}
    for offered in offers:
        ids = {id for link in offered.frame.provenance if (id := record_of(link))}
        records.setdefault(offered.identity, set()).update(ids)
    uses: dict[str, list[Attribution]] = {}
    for each in attributions:
        for id in records.get(each.frame, ()):
            uses.setdefault(id, []).append(each)
    return tuple(
        _record(
            _id(turn, id),
            {
                "scope": dict(scope),
                "sharing_scope": sharing_scope,
                "observed_at": observed_at,
                "provenance": {
                    "origin_provider_id": producer,
                    "producer_kind": "system",
                    "producer_ref": producer,
                },
                "used_record_ref": id,
                "selected": any(each.selected for each in uses[id]),
                "rendered": any(each.rendered for each in uses[id]),
                "cited": any(each.cited for each in uses[id]),
                "task_ref": turn,
            },
        )
        for id in sorted(uses)
    )


def _id(turn: str, used: str) -> str:
    return f"use:{digest(json.dumps([turn, used]).encode())}"


def _record(id: str, members: Mapping[str, Any]) -> dict[str, Any]:
    record = hashed(
        {
            "schema_version": SCHEMA_VERSION,
            "record_id": id,
            "lineage_id": id,
            "record_kind": ContextUse.type,
            "record_status": "active",
            "origin": "observed",
            **members,
        }
    )
    read_record(record)
    return record
