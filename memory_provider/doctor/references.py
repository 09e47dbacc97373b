"""Checks that what rows name is there, and that what was erased is not."""

from __future__ import annotations

from collections.abc import Iterator

from ..memory.integrity import told
from .ledger import Ledger, hashed

_ERASED = "EXISTS (SELECT 1 FROM tombstones t WHERE t.id = {0})"
_LINE = "EXISTS (SELECT 1 FROM lines f WHERE f.id = {0})"
_EPISODE = "EXISTS (SELECT 1 FROM episodes e WHERE e.id = {0})"
_ENTITY = "EXISTS (SELECT 1 FROM entities n WHERE n.name = {0})"

_DANGLING = (
    (
        "SELECT DISTINCT id FROM lines l WHERE NOT " + _ENTITY.format("l.subject"),
        "entity",
        "fact {0} has a subject that is no entity",
    ),
    (
        "SELECT DISTINCT id FROM lines l WHERE entity IS NOT NULL AND NOT " + _ENTITY.format("l.entity"),
        "entity",
        "fact {0} has an object that is no entity",
    ),
    (
        "SELECT id FROM episodes s WHERE speaker IS NOT NULL AND NOT " + _ENTITY.format("s.speaker"),
        "entity",
        "episode {0} has a speaker that is no entity",
    ),
    (
        "SELECT DISTINCT id FROM lines l WHERE NOT EXISTS"
        " (SELECT 1 FROM predicates p WHERE p.name = l.predicate)",
        "predicate",
        "fact {0} has a predicate that the scope does not have",
    ),
    (
        "SELECT id, line FROM links k WHERE NOT " + _LINE.format("k.line"),
        "provenance",
        "source link {0} backs fact {1}, which is not there",
    ),
    (
        "SELECT id, episode FROM links k WHERE episode IS NOT NULL AND NOT "
        + _EPISODE.format("k.episode")
        + " AND NOT "
        + _ERASED.format("k.episode"),
        "provenance",
        "source link {0} cites episode {1}, which is neither there nor erased",
    ),
    (
        "SELECT id, previous FROM episodes s WHERE previous IS NOT NULL AND NOT "
        + _EPISODE.format("s.previous"),
        "provenance",
        "episode {0} follows episode {1}, which is not there",
    ),
    (
        "SELECT episode FROM records r WHERE episode IS NOT NULL AND NOT " + _EPISODE.format("r.episode"),
        "provenance",
        "an idempotency record answers episode {0}, which is not there",
    ),
    (
        "SELECT id, absorbed_by FROM lines l WHERE absorbed_by IS NOT NULL AND NOT "
        + _LINE.format("l.absorbed_by")
        + " AND NOT "
        + _ERASED.format("l.absorbed_by"),
        "absorbed",
        "fact {0} was absorbed by fact {1}, which this scope never had",
    ),
    (
        "SELECT id, old_id FROM replaced r WHERE NOT EXISTS"
        " (SELECT 1 FROM lines f WHERE f.id = r.old_id AND f.recorded_at = r.old_recorded_at)",
        "replaced",
        "fact {0} replaced a version of fact {1} that is not there",
    ),
    (
        "SELECT id, episode FROM links k WHERE episode IS NOT NULL AND NOT "
        + _EPISODE.format("k.episode")
        + " AND "
        + _ERASED.format("k.episode"),
        "erased",
        "source link {0} still cites episode {1}, which was erased",
    ),
    (
        "SELECT t.id FROM tombstones t WHERE "
        f"t.kind = 'fact' AND {_LINE.format('t.id')} OR t.kind = 'episode' AND {_EPISODE.format('t.id')}"
        " OR t.kind = 'entity' AND EXISTS (SELECT 1 FROM entities n WHERE n.id = t.id)",
        "erased",
        "{0} was erased and is still there",
    ),
    (
        "SELECT min(id), max(id) FROM episodes WHERE session IS NOT NULL GROUP BY session, position"
        " HAVING count(*) > 1",
        "session",
        "episodes {0} and {1} have one place in their session",
    ),
)
"""A SELECT of ids, the check it is, and what is wrong with each row."""

_CONTEXT = (
    "SELECT e.id, e.context, before.turn FROM episodes e LEFT JOIN episodes before ON before.id = e.previous"
    " WHERE e.context IS NOT coalesce(before.turn, x'{nothing}')"
)


def reference_faults(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Dangling references, remains of what was erased, and contexts that are not those of the turn before."""
    for statement, check, what in _DANGLING:
        for ids in ledger.ask(statement):
            yield check, what.format(*(each if isinstance(each, str) else told(each) for each in ids))
    for episode, *_ in ledger.ask(_CONTEXT.format(nothing=hashed("").hex())):
        yield "context", f"episode {episode} has another context than the turn before it says"
