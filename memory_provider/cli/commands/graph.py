"""`graph`: entities and relations around one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..failures import Nothing
from ..options.time_options import view_options
from ..settings import Settings, answers
from ..showing.output import note, print_json
from ..showing.shapes import fact_shape, instant, moment_cell
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...memory.view import Graph, View


@click.command()
@click.argument("entity")
@click.option(
    "--depth", type=click.IntRange(1, 5), default=1, show_default=True, help="How many relations away."
)
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=1000, show_default=True, help="Relations at most."
)
@view_options
@answers
def graph(
    settings: Settings,
    entity: str,
    depth: int,
    limit: int,
    as_of: datetime | None,
    known_at: datetime | None,
) -> None:
    """Show the relations around an entity at a moment.

    Both directions are walked. Exit code 1: there are none.
    """

    async def walk(memory: Memory) -> tuple[View, Graph]:
        view = memory.at(as_of, known_at)
        return view, await view.graph(entity, depth, limit=limit)

    view, found = ask(settings, walk)
    if settings.json:
        print_json(
            {
                "scope": settings.scope,
                "as_of": instant(view.as_of),
                "known_at": instant(view.known_at),
                "entities": list(found.entities),
                "relations": [fact_shape(each) for each in found.relations],
                "truncated": found.truncated,
            }
        )
    elif found.relations:
        print_table(
            ["relation", "from", "to", "id"],
            [
                (
                    each.statement,
                    moment_cell(each.valid_from, "always"),
                    moment_cell(each.valid_to, "open"),
                    each.id,
                )
                for each in found.relations
            ],
            ids=3,
        )
    if found.truncated:
        note("there is more: raise --limit")
    if not found.relations:
        raise Nothing("nothing found")
