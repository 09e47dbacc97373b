"""A memory in which an inspection finds something of everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memory_provider import Memory
from memory_provider.attestation import create_key_file
from memory_provider.protocol import AppendRecords, AppendRequest, RecordsAppended
from memory_provider.protocol.lifecycle.hashing import hashed
from memory_provider.provider import Provider, data_flow
from tests.provider.kettle import FEBRUARY, GOAL, write_kettle

__all__ = ["GOAL", "write_pantry"]


def record(id: str, kind: str, **members: Any) -> dict[str, Any]:
    """A context record of the kitchen."""
    return hashed(
        {
            "schema_version": "contextgraph/lifecycle/1.0-draft",
            "record_id": id,
            "lineage_id": id,
            "record_kind": kind,
            "record_status": "active",
            "scope": {"workspace_id": "kitchen"},
            "sharing_scope": "workspace",
            "observed_at": FEBRUARY,
            "origin": "declared",
            "provenance": {"origin_provider_id": "tests", "producer_kind": "human", "producer_ref": "Ada"},
            **members,
        }
    )


RECORDS = (
    record(
        "boil", "directive", directive_kind="procedure", statement="Boil.", procedure_steps=["Fill.", "Heat."]
    ),
    record(
        "no-salt", "directive", directive_kind="constraint", statement="No salt.", constraint_effect="forbid"
    ),
    record(
        "tea",
        "artifact_contract",
        contract_name="tea",
        requirements=[{"requirement_kind": "command", "execution_approval_ref": "Ada"}],
    ),
    record(
        "decided",
        "knowledge",
        knowledge_kind="decision",
        statement="It was decided what the kettle is for.",
        confidence=0.5,
        extensions={"teapot:colour": "blue"},
        record_links=[
            {"rel": "follows", "target_record_id": each} for each in ("boil", "no-salt", "tea", "kettle-1")
        ],
    ),
)


async def write_pantry(directory: Path) -> tuple[str, str]:
    """Write it; the address of the store, and the file of the key to serve it with."""
    store, key = f"sqlite:///{directory / 'memory.db'}", directory / "key.pem"
    create_key_file(key)
    async with Memory.open(store, scope="kitchen") as memory:
        await write_kettle(memory, directory)
        provider = Provider(memory, data_flow=data_flow(local=True))
        answer = await provider.answer(AppendRecords(request=AppendRequest(records=RECORDS)))
        assert isinstance(answer, RecordsAppended), answer
        assert {each.status for each in answer.response.receipts} == {"accepted"}, answer
    return store, str(key)
