"""Context records for tests that are about something else."""

from memory_provider import Memory
from memory_provider.memory.records.context_records import NewContextRecord


async def append_record(memory: Memory, record: str, says: str, lineage: str = "lin") -> None:
    """A context record of kind memory, under an idempotency key that is its id."""
    new = NewContextRecord(
        record_id=record,
        lineage_id=lineage,
        kind="memory",
        status="active",
        observed_at="2026-01-01T00:00:00Z",
        sharing_scope="user",
        digest="sha256:" + "0f" * 32,
        body=f'{{"statement": "{says}"}}',
        statement=says,
    )
    (receipt,) = await memory.append_records([new], client="c", idempotency_key=record)
    assert receipt.status == "accepted"
