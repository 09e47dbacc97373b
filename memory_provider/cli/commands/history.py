"""`history`: every version that was ever recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..failures import Nothing
from ..options.paging import page_options, tell_cursor
from ..settings import Settings, answers
from ..showing.output import print_json
from ..showing.shapes import fact_shape, instant_cell
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...memory.facts import Fact

MADE = {"assert": "asserted", "correct": "corrected", "retract": "retracted", "erase": "erased"}


@click.command()
@click.argument("subject", required=False)
@click.argument("predicate", required=False)
@page_options(1000)
@answers
def history(
    settings: Settings, subject: str | None, predicate: str | None, limit: int, after: str | None
) -> None:
    """List every version ever recorded, with both clocks.

    Of SUBJECT PREDICATE, or of everything; oldest first. Exit code 1: there are none.
    """
    found = ask(settings, lambda memory: memory.history(subject, predicate, limit=limit, after=after))
    if settings.json:
        print_json(
            {
                "scope": settings.scope,
                "versions": [fact_shape(each) for each in found],
                "cursor": found.cursor,
            }
        )
    elif found:
        print_table(
            ["fact", "believed", "id"], [(each.content, _believed(each), each.id) for each in found], ids=2
        )
    tell_cursor(found)
    if not found:
        raise Nothing("nothing found")


def _believed(fact: Fact) -> str:
    since = f"{MADE.get(fact.cause, fact.cause):10} {instant_cell(fact.recorded_at)}"
    if fact.superseded_at is None:
        return since
    how = {"assert": "overridden"}.get(fact.ended_by or "", MADE.get(fact.ended_by or "", "ended"))
    return f"{since}\n{how:10} {instant_cell(fact.superseded_at)}"
