"""A scope's rows as an archive wants them: one state, the turns of a session in their order, nothing erased since."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from ..store.contract import ChangeRow, Dump, Moment, Slice, Store
from ..store.records import Episode, Key
from ..temporal.instants import LAST, Instant, now
from .errors import ArchiveError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

BATCH = 1000
"""How many rows are read from a store at a time."""


async def dumped(store: Store, scope: str) -> AsyncIterator[Dump]:
    """The batches of a scope. A turn never comes before the turn it follows.

    A store gives episodes by recorded time, so only those of one transaction may have to change places.
    """
    held: Sequence[Episode] = ()
    clock: Instant | None = None
    async with aclosing(cast("AsyncGenerator[Dump, None]", store.dump(scope, BATCH))) as batches:
        async for batch in batches:
            clock = batch.clock
            ready, held = _settled([*held, *batch.episodes], at_end=not batch.episodes)
            yield batch._replace(episodes=ready)
    if held and clock is not None:
        yield Dump(clock, episodes=_ordered(held))


def _settled(episodes: list[Episode], at_end: bool) -> tuple[list[Episode], list[Episode]]:
    """Those whose transaction is complete, in order, and those of the last one, which more may follow."""
    if at_end or not episodes:
        return _ordered(episodes), []
    last = episodes[-1].recorded_at
    return (
        _ordered([each for each in episodes if each.recorded_at != last]),
        [each for each in episodes if each.recorded_at == last],
    )


def _ordered(episodes: Sequence[Episode]) -> list[Episode]:
    return sorted(
        episodes, key=lambda each: (each.recorded_at, each.session or "", each.position or 0, each.id)
    )


async def check_nothing_was_erased(store: Store, scope: str, since: Instant) -> None:
    """Raises `ArchiveError` when something was erased after an instant of the scope's clock."""
    answer = await store.standing(scope, Moment(None, None, now()), Key("", ""))
    clock = answer.known_at
    erased = clock < since  # the whole scope was
    after: tuple[object, ...] | None = None
    while clock > since and not erased:
        rows = await store.changes(scope, since, LAST, Slice(BATCH, after))
        erased = any(row.tombstone for row in rows)
        if len(rows) < BATCH:
            break
        after = _cursor(rows[-1])
    if erased:
        raise ArchiveError(
            f"something was erased from the scope {scope!r} while it was exported, and may be in the archive: "
            "keep nothing of it, and export again"
        )


def _cursor(row: ChangeRow) -> tuple[object, ...]:
    if row.tombstone:
        return row.at, 0, row.tombstone.id
    if row.episode:
        return row.at, 1, row.episode.id
    if row.record:
        return row.at, 4, row.record.id
    assert row.version is not None
    return row.at, 2 if row.version.superseded_at == row.at else 3, row.version.id
