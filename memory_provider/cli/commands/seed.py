"""`seed`: load files of facts, relations and episodes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..settings import Settings, answers
from ..showing.counting import counted, counted_all, were
from ..showing.output import note, print_json
from ..showing.progress import progress_bar
from ..showing.shapes import instant

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
    from ...seeding.shipped import found

    for each in files:
        if found(each) != Path(each):
            note(f"{each} is not here; loading the one that ships with this package")
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
    loaded = [
        ("episode", report.episodes),
        ("fact", report.facts),
        ("correction", report.corrections),
        ("retraction", report.retractions),
    ]
    transactions = f", in {counted(report.transactions, 'transaction')}" if report.transactions else ""
    note(f"loaded into scope {report.scope}: {counted_all(loaded)}{transactions}")
    if report.already_there:
        note(f"{were(report.already_there)} there already")
    if report.erased:
        note(f"{report.erased} had been erased, and stay so")
