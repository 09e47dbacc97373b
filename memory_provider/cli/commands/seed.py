"""`seed`: load files of facts, relations and episodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..output import note, print_json
from ..progress import progress_bar
from ..settings import Settings, answers
from ..shapes import instant

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...seeding import SeedReport


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@answers
def seed(settings: Settings, files: tuple[str, ...]) -> None:
    """Load files of facts, relations and episodes.

    JSON Lines (.jsonl) or YAML (.yaml); docs/seeds.md has the format. Everything in all files is checked before
    anything is written. Loading the same file twice changes nothing, and a load that was interrupted goes on.
    """
    from ...seeding import seed as load

    with progress_bar() as progress:

        async def write(memory: Memory) -> SeedReport:
            return await load(memory, files, progress=progress)

        report = ask(settings, write)
    note(*(f"warning: {each}" for each in report.warnings))
    if settings.json:
        print_json(
            {
                "scope": report.scope,
                "predicates": report.predicates,
                "episodes": report.episodes,
                "facts": report.facts,
                "corrections": report.corrections,
                "retractions": report.retractions,
                "transactions": report.transactions,
                "already_there": report.already_there,
                "erased": report.erased,
                "last_recorded_at": instant(report.last_recorded_at),
                "warnings": report.warnings,
            }
        )
        return
    note(
        f"loaded into scope {report.scope}: {report.episodes} episodes, {report.facts} facts, "
        f"{report.corrections} corrections, {report.retractions} retractions, in {report.transactions} transactions"
    )
    if report.already_there:
        note(f"{report.already_there} were there already")
    if report.erased:
        note(f"{report.erased} had been erased, and stay so")
