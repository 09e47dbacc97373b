"""The quickstart of the README without await: a move, a correction, and what became of the evidence."""

from __future__ import annotations

from memory_provider import Entity
from memory_provider.sync import Memory

with Memory.open("memory:", scope="acme/alice") as memory:
    memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
    heard = memory.add_episode(
        "Alice: we moved to Lyon last spring!", occurred_at="2026-05-02T18:00:00Z", speaker="Alice"
    )
    memory.assert_fact("Alice", "lives_in", Entity("Paris"), valid_from="2019-01-01T00:00:00Z")
    memory.assert_fact(
        "Alice", "lives_in", Entity("Lyon"), valid_from="2026-04-01T00:00:00Z", episode=heard.episode_id
    )
    view = memory.at(as_of="2026-06-01T00:00:00Z")
    held = view.recall("where does Alice live?", kinds=["fact"]).frames
    for frame in held:
        print(f"{frame.score:.2f} {frame.content}  [{frame.citation_label}]")
    memory.correct_fact("Alice", "lives_in", Entity("Lyon"), valid_from="2026-03-01T00:00:00Z")
    for frame, verdict in zip(held, memory.verify(held), strict=True):
        print(f"{verdict.status}: {frame.content}")
