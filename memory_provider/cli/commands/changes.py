"""`changes`: what was learned, corrected, retracted and erased."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..failures import Nothing
from ..options.paging import page_options, tell_cursor
from ..options.time_options import when_option
from ..settings import Settings, answers, zone_option
from ..showing.output import clip, print_json
from ..showing.shapes import change_shape, instant, instant_cell
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...memory.changes import Change


@click.command()
@when_option("--since", "Recorded after this time; left out: from the beginning.")
@when_option("--until", "Recorded by this time; left out: to the latest.")
@zone_option
@page_options(1000)
@answers
def changes(
    settings: Settings, since: datetime | None, until: datetime | None, limit: int, after: str | None
) -> None:
    """List what was learned and changed between two times.

    Learned, corrected, retracted, erased; oldest first. A transaction is never split over two pages. Exit
    code 1: nothing changed.
    """
    found = ask(settings, lambda memory: memory.changes(since=since, until=until, limit=limit, after=after))
    if settings.json:
        print_json(
            {
                "scope": settings.scope,
                "since": instant(since),
                "until": instant(until),
                "changes": [change_shape(each) for each in found],
                "cursor": found.cursor,
            }
        )
    elif found:
        print_table(
            ["recorded", "change", "what"],
            [(instant_cell(each.recorded_at), each.kind, _what(each)) for each in found],
            text=2,
        )
    tell_cursor(found)
    if not found:
        raise Nothing("nothing found")


def _what(change: Change) -> str:
    if change.kind == "erased":
        return f"{change.id}: {change.reason or ''}" + (f", by {change.by}" if change.by else "")
    if change.kind == "episode":
        return clip(f"{change.by}: {change.after}" if change.by else change.after or "")
    if change.before is None:
        return change.after or ""
    return f"{change.before}\n→ {change.after or 'no longer stands'}"
