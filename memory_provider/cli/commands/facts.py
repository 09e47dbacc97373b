"""`facts`: what holds at a moment."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..failures import Nothing
from ..options.objects import Typed, declared, object_options
from ..options.paging import page_options, tell_cursor
from ..options.time_options import view_options
from ..settings import Settings, answers
from ..showing.output import print_json
from ..showing.shapes import fact_shape, instant, moment_cell
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...memory.facts import Fact, Page
    from ...memory.view import View


@click.command()
@click.argument("subject", required=False)
@click.argument("predicate", required=False)
@click.option(
    "--predicate", "named_predicate", metavar="NAME", help="The same as PREDICATE, for facts of any subject."
)
@object_options(required=False, positional=False)
@view_options
@page_options(100)
@answers
def facts(
    settings: Settings,
    subject: str | None,
    predicate: str | None,
    named_predicate: str | None,
    object: Typed | None,
    as_of: datetime | None,
    known_at: datetime | None,
    limit: int,
    after: str | None,
) -> None:
    """List the facts that hold at a moment.

    All of them, or those of SUBJECT, of PREDICATE, or with an object. Exit code 1: there are none.
    """
    predicate = predicate or named_predicate

    async def read(memory: Memory) -> tuple[View, Page[Fact]]:
        view = memory.at(as_of, known_at)
        known = await declared(memory, predicate) if predicate and object else None
        chosen = None if object is None else object.under(known)
        return view, await view.facts(subject, predicate, chosen, limit=limit, after=after)

    view, found = ask(settings, read)
    if settings.json:
        print_json(
            {
                "scope": settings.scope,
                "as_of": instant(view.as_of),
                "known_at": instant(view.known_at),
                "facts": [fact_shape(each) for each in found],
                "cursor": found.cursor,
            }
        )
    elif found:
        print_table(
            ["fact", "from", "to", "id"],
            [
                (
                    each.statement,
                    moment_cell(each.valid_from, "always"),
                    moment_cell(each.valid_to, "open"),
                    each.id,
                )
                for each in found
            ],
            ids=3,
        )
    tell_cursor(found)
    if not found:
        raise Nothing("nothing found")
