"""Checks that what rows name is there, and that what was erased is not."""

from __future__ import annotations

from collections.abc import Iterator

from ..store.contract import record_tombstone
from .ledger import Ledger, hashed

_LINE = "EXISTS (SELECT 1 FROM lines f WHERE f.id = {0})"
_EPISODE = "EXISTS (SELECT 1 FROM episodes e WHERE e.id = {0})"
_RECORD = "EXISTS (SELECT 1 FROM context_records c WHERE c.id = {0})"
_NAMED = f"substr(t.id, {len(record_tombstone('')) + 1})"
_ENTITY = "EXISTS (SELECT 1 FROM entities n WHERE n.name = {0})"

_DANGLING = (
    (
        "fact without its entity",
        "{0}, its subject",
        "SELECT DISTINCT id FROM lines l WHERE NOT " + _ENTITY.format("l.subject"),
    ),
    (
        "fact without its entity",
        "{0}, its object",
        "SELECT DISTINCT id FROM lines l WHERE entity IS NOT NULL AND NOT " + _ENTITY.format("l.entity"),
    ),
    (
        "episode without its speaker",
        "{0}",
        "SELECT id FROM episodes s WHERE speaker IS NOT NULL AND NOT " + _ENTITY.format("s.speaker"),
    ),
    (
        "fact without its predicate",
        "{0}",
        "SELECT DISTINCT id FROM lines l WHERE NOT EXISTS"
        " (SELECT 1 FROM predicates p WHERE p.name = l.predicate)",
    ),
    (
        "source link without its fact",
        "{0} of {1}",
        "SELECT id, line FROM links k WHERE NOT " + _LINE.format("k.line"),
    ),
    (
        "source link to an episode that is not there",
        "{0} to {1}",
        "SELECT id, episode FROM links k WHERE episode IS NOT NULL AND NOT " + _EPISODE.format("k.episode"),
    ),
    (
        "turn after an episode that is not there",
        "{0} after {1}",
        "SELECT id, previous FROM episodes s WHERE previous IS NOT NULL AND NOT "
        + _EPISODE.format("s.previous"),
    ),
    (
        "idempotency record of an episode that is not there",
        "{0}",
        "SELECT episode FROM records r WHERE episode IS NOT NULL AND NOT " + _EPISODE.format("r.episode"),
    ),
    (
        "idempotency record of a context record that is not there",
        "{0}",
        "SELECT record FROM batches b WHERE NOT " + _RECORD.format("b.record"),
    ),
    (
        "context records believed at once",
        "{0} and {1}",
        "SELECT id, next FROM (SELECT id, superseded_at, lead(id) OVER lineage AS next,"
        " lead(recorded_at) OVER lineage AS until FROM context_records"
        " WINDOW lineage AS (PARTITION BY lineage ORDER BY recorded_at, position)) WHERE superseded_at > until",
    ),
    (
        "context record of another kind than its lineage",
        "{0}",
        "SELECT min(id) FROM context_records GROUP BY lineage HAVING count(DISTINCT kind) > 1",
    ),
    (
        "absorbed by a fact that was never there",
        "{0} by {1}",
        "SELECT id, absorbed_by FROM lines l WHERE absorbed_by IS NOT NULL AND NOT "
        + _LINE.format("l.absorbed_by")
        + " AND NOT EXISTS (SELECT 1 FROM tombstones t WHERE t.id = l.absorbed_by)",
    ),
    (
        "replacement of a version that is not there",
        "{0} of {1}",
        "SELECT id, old_id FROM replaced r WHERE NOT EXISTS"
        " (SELECT 1 FROM lines f WHERE f.id = r.old_id AND f.recorded_at = r.old_recorded_at)",
    ),
    (
        "erased and still there",
        "{0}",
        "SELECT t.id FROM tombstones t WHERE "
        f"t.kind = 'fact' AND {_LINE.format('t.id')} OR t.kind = 'episode' AND {_EPISODE.format('t.id')}"
        " OR t.kind = 'entity' AND EXISTS (SELECT 1 FROM entities n WHERE n.id = t.id)"
        f" OR t.kind = 'record' AND {_RECORD.format(_NAMED)}",
    ),
    (
        "two turns at one place of a session",
        "{0} and {1}",
        "SELECT min(id), max(id) FROM episodes WHERE session IS NOT NULL GROUP BY session, position"
        " HAVING count(*) > 1",
    ),
)
"""What is wrong, with what, and a SELECT of the ids."""

_CONTEXT = (
    "SELECT e.id FROM episodes e LEFT JOIN episodes before ON before.id = e.previous"
    " WHERE e.context IS NOT coalesce(before.turn, x'{nothing}')"
)


def reference_faults(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Dangling references, remains of what was erased, and contexts that are not those of the turn before."""
    for check, what, statement in _DANGLING:
        for ids in ledger.ask(statement):
            yield check, what.format(*ids)
    for (episode,) in ledger.ask(_CONTEXT.format(nothing=hashed("").hex())):
        yield "context of another turn", episode
