"""A conversation as it comes in: an episode and its facts together, under keys, so that a retry changes nothing."""

from __future__ import annotations

from memory_provider import Entity
from memory_provider.memory.writing.receipts import Receipt
from memory_provider.sync import Memory


def take_in(memory: Memory, message_id: str) -> Receipt:
    """Keep one message and what it says."""
    with memory.transaction() as tx:
        heard = tx.add_episode(
            "Bob: I started at Globex on Monday.", speaker="Bob", session="s1", idempotency_key=message_id
        )
        tx.assert_fact(
            "Bob",
            "works_at",
            Entity("Globex"),
            valid_from="2026-05-04T00:00:00Z",
            episode=heard,
            idempotency_key=f"{message_id}/works_at",
        )
    return tx.receipt


with Memory.open("memory:", scope="acme/bob") as memory:
    first, again = take_in(memory, "msg-17"), take_in(memory, "msg-17")
    print("the second time it was a duplicate:", again.duplicate)
    print("of the same facts:", first.fact_ids == again.fact_ids)
    print([fact.statement for fact in memory.at().facts("Bob")])
