"""Reads: one statement each, at a moment."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from ...temporal.instants import OPEN, PAST, Instant
from ..contract import Answer, ChangeRow, Held, Moment, Pattern, ScopeSummary, Slice, lineage_tombstone
from ..records import ContextRecord, Episode, Key, Predicate, StandingFact, Tombstone, Version
from . import decoding, encoding
from .connection import Connection, rows
from .queries import query
from .settling import Seen, Settling

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction


class Reader:
    """The reads of the contract but search and walks."""

    def __init__(self, connection: Connection, settling: Settling) -> None:
        self._connection = connection
        self._settling = settling

    async def facts(
        self, scope: str, moment: Moment, pattern: Pattern, page: Slice
    ) -> Answer[Sequence[StandingFact]]:
        """Facts in view."""
        as_of, known_at, found = await self._one(
            f"facts-of-{_selector(pattern)}",
            scope=scope,
            **at(moment),
            **_restriction(pattern),
            **_page(page),
        )
        return Answer(as_of, known_at, [decoding.standing_fact(*row) for row in found])

    async def standing(self, scope: str, moment: Moment, key: Key) -> Answer[Sequence[Version]]:
        """All versions of a key known at the moment."""
        as_of, known_at, found = await self._one(
            "standing-of-key", scope=scope, **at(moment), subject=key.subject, predicate=key.predicate
        )
        return Answer(as_of, known_at, [decoding.version(row) for row in found])

    async def history(self, scope: str, pattern: Pattern, page: Slice) -> Sequence[StandingFact]:
        """Every version ever recorded."""
        (found,) = await self._one(
            f"history-of-{_selector(pattern)}", scope=scope, **_restriction(pattern), **_page(page)
        )
        return [decoding.recorded_fact(*row) for row in found]

    async def lineage(self, scope: str, fact_id: str) -> Sequence[StandingFact]:
        """The history of the key a fact id belongs to."""
        (found,) = await self._one("lineage", scope=scope, fact_id=fact_id)
        return [decoding.recorded_fact(*row) for row in found]

    async def changes(self, scope: str, since: Instant, until: Instant, page: Slice) -> Sequence[ChangeRow]:
        """What happened between two recorded instants."""
        start = max(since, PAST) + 1
        if page.after is not None:
            start = max(start, page.after[0])
        (found,) = await self._one(
            "changes", scope=scope, **{"from": start}, until=min(until, OPEN - 1), **_page(page)
        )
        return [_change(at, kind, row) for at, kind, row in found]

    async def held(
        self,
        scope: str,
        moment: Moment,
        facts: Collection[str],
        episodes: Collection[str],
        entities: Collection[str],
        lineages: Collection[str],
    ) -> Answer[Held]:
        """What ids say that someone holds."""
        text = query("held", records=bool(lineages))
        asked: dict[str, Any] = {
            "scope": scope,
            "facts": list(dict.fromkeys(facts)),
            "episodes": list(dict.fromkeys(episodes)),
            "entities": list(dict.fromkeys(entities)),
            "lineages": list(dict.fromkeys(lineages)),
            "stones": [lineage_tombstone(each) for each in dict.fromkeys(lineages)],
        }
        nothing: dict[str, list[str]] = {each: [] for each in ("episodes", "entities", "lineages", "stones")}

        async def ask(tx: AsyncManagedTransaction) -> Seen[list[Any]]:
            ((before, after, as_of, known_at, found, *others),) = await rows(tx, text, **asked, **at(moment))
            versions = {version[0]: version for version in found}
            while further := _absorbing(versions):  # a line absorbed by one that was absorbed itself
                fixed = at(Moment(as_of, known_at, moment.now))
                ((_, after, _, _, more, *_),) = await rows(
                    tx, text, scope=scope, facts=further, **nothing, **fixed
                )
                versions |= dict.fromkeys(further) | {version[0]: version for version in more}
            standing = [version for version in versions.values() if version]
            return Seen(before, after, [as_of, known_at, standing, *others])

        as_of, known_at, versions, chunks, named, predicates, tombstones, *more = await self._settling.read(
            scope, ask
        )
        held = Held(
            {row[0]: decoding.version(row) for row in versions},
            {(episode, number): digest for episode, number, digest in chunks},
            {row[0]: decoding.entity(row[:2]) for row in named},
            {row[0]: [decoding.version(each) for each in row[2]] for row in named},
            {row[1]: decoding.predicate(row) for row in predicates},
            {row[0]: decoding.tombstone(row) for row in tombstones},
            {row[1]: decoding.record(row) for rows_found in more for row in rows_found},
        )
        return Answer(as_of, known_at, held)

    async def records(
        self, scope: str, moment: Moment, ids: Collection[str], lineages: Collection[str]
    ) -> Answer[Sequence[ContextRecord]]:
        """Context records by id and of lineages."""
        as_of, known_at, found = await self._one(
            "records",
            scope=scope,
            ids=list(dict.fromkeys(ids)),
            lineages=list(dict.fromkeys(lineages)),
            **at(moment),
        )
        return Answer(as_of, known_at, [decoding.record(row) for row in found])

    async def episodes(self, scope: str, ids: Collection[str]) -> Sequence[Episode]:
        """Episodes by id."""
        (found,) = await self._one("episodes", scope=scope, ids=list(dict.fromkeys(ids)))
        return [decoding.episode(row) for row in found]

    async def predicates(self, scope: str) -> Sequence[Predicate]:
        """All predicates of a scope."""
        (found,) = await self._one("predicates", scope=scope)
        return [decoding.predicate(row) for row in found]

    async def tombstones(self, scope: str, ids: Collection[str]) -> Sequence[Tombstone]:
        """What remains of erased ids."""
        (found,) = await self._one("tombstones", scope=scope, ids=list(dict.fromkeys(ids)))
        return [decoding.tombstone(row) for row in found]

    async def scopes(self) -> Sequence[ScopeSummary]:
        """Every scope."""
        text = query("scopes")
        found = await self._connection.read(lambda tx: rows(tx, text, scope=None))
        return [ScopeSummary(*row) for row in found]

    async def _one(self, name: str, *, scope: str, **parameters: Any) -> list[Any]:
        """What a query that answers one record found, once no commit was halfway through."""
        text = query(name)

        async def ask(tx: AsyncManagedTransaction) -> Seen[list[Any]]:
            ((before, after, *found),) = await rows(tx, text, scope=scope, **parameters)
            return Seen(before, after, found)

        return await self._settling.read(scope, ask)


def at(moment: Moment) -> dict[str, Any]:
    """A moment as parameters."""
    return {"as_of": moment.as_of, "known_at": moment.known_at, "now": moment.now}


def _absorbing(versions: dict[str, Any]) -> list[str]:
    """Ids of the lines that absorbed one of these and were not looked up yet."""
    return sorted({row[13] for row in versions.values() if row and row[13] is not None} - versions.keys())


def _selector(pattern: Pattern) -> str:
    if pattern.subject is not None:
        return "subject" if pattern.predicate is None else "key"
    if pattern.object is not None:
        return "object"
    return "scope" if pattern.predicate is None else "predicate"


def _restriction(pattern: Pattern) -> dict[str, Any]:
    return {
        "subject": pattern.subject,
        "predicate": pattern.predicate,
        "object_keys": encoding.object_keys(pattern.object),
    }


def _page(page: Slice) -> dict[str, Any]:
    return {"after": None if page.after is None else list(page.after), "limit": page.limit}


def _change(at: Instant, kind: int, row: decoding.Row) -> ChangeRow:
    if kind == 0:
        return ChangeRow(at, tombstone=decoding.tombstone(row))
    if kind == 1:
        return ChangeRow(at, episode=decoding.episode(row))
    if kind == 4:
        return ChangeRow(at, record=decoding.record(row))
    return ChangeRow(at, version=decoding.version(row))
