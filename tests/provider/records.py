"""Context records for tests: short to write, whole, and rightly hashed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memory_provider.protocol.lifecycle.hashing import hashed

FIXTURES = Path(__file__).parents[1] / "data/protocol/fixtures"

Record = dict[str, Any]


def record(record_id: str, *, hash: bool = True, **changes: Any) -> Record:
    """A `knowledge` record, with members changed, or left out where they are changed to `...`."""
    members: Record = {
        "schema_version": "contextgraph/lifecycle/1.0-draft",
        "record_id": record_id,
        "lineage_id": f"lineage of {record_id}",
        "record_kind": "knowledge",
        "record_status": "active",
        "scope": {"user_id": "alice"},
        "sharing_scope": "user",
        "observed_at": "2026-07-01T00:00:00Z",
        "origin": "declared",
        "provenance": {"origin_provider_id": "tests", "producer_kind": "human", "producer_ref": "alice"},
        "knowledge_kind": "fact",
        "statement": f"The kettle of {record_id} is blue.",
    }
    kept = {name: value for name, value in {**members, **changes}.items() if value is not ...}
    return hashed(kept) if hash else kept


def fixtures() -> list[Record]:
    """The twelve upstream fixtures."""
    names = sorted(FIXTURES.glob("*.json"))
    found = [json.loads(name.read_bytes()) for name in names]
    return [each for each in found if "record_kind" in each]


def append(*records: Any, id: str | None = "a", **members: Any) -> dict[str, Any]:
    """The message that appends records."""
    message = {"type": "memory-provider:records_append", "request": {"records": list(records), **members}}
    return message if id is None else {**message, "id": id}


def get(*record_ids: str, **members: Any) -> dict[str, Any]:
    """The message that reads records."""
    request = {"record_ids": list(record_ids), **members}
    return {"type": "memory-provider:records_get", "id": "g", "request": request}


def erase(*record_ids: str, **members: Any) -> dict[str, Any]:
    """The message that erases records."""
    request = {"record_ids": list(record_ids), "reason": "a test", **members}
    return {"type": "memory-provider:records_erase", "id": "e", "request": request}
