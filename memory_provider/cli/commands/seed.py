"""`seed`: load files of facts, relations and episodes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...resources import directory
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

    JSON Lines (.jsonl) or YAML (.yaml); docs/seeds.md has the format. The data sets that ship are found by their
    names alone: noor.yaml, northgate.jsonl. Everything in all files is checked before
    anything is written. Loading the same file twice changes nothing, and a load that was interrupted goes on.
    """
    from ...seeding import seed as load

    places = [_place(each) for each in files]
    with progress_bar() as progress:

        async def write(memory: Memory) -> SeedReport:
            return await load(memory, places, progress=progress)

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


def _place(name: str) -> Path:
    """The file of that name, or the one that ships with the package if there is none."""
    path = Path(name)
    if path.exists() or path.name != name:
        return path
    try:
        shipped = directory("seeds") / name
    except FileNotFoundError:
        return path
    if not shipped.is_file():
        return path
    note(f"{name} is not here; loading the one that ships with this package")
    return shipped
