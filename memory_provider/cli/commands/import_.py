"""`import`: an archive into a scope."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from ..asking import ask
from ..settings import Settings, answers
from ..showing.counting import counted, counted_all, were
from ..showing.output import note, print_json
from ..showing.progress import progress_bar
from ..showing.shapes import instant

if TYPE_CHECKING:
    from ...archive import ImportReport
    from ...memory.api import Memory

NOUNS = {"source": "source link", "idempotency": "idempotency record"}
"""Kinds of rows that are not what people call one."""


@click.command("import")
@click.argument("archive", metavar="FILE", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--restamp",
    is_flag=True,
    help="Into a scope that has other history: what stood at the export is written anew, now.",
)
@answers
def import_(settings: Settings, archive: str, restamp: bool) -> None:
    """Bring an exported file into a scope.

    FILE is what `export` wrote (`-`: standard input). The scope may have another name, and be in another
    store, than the one exported.

    Into an empty scope everything comes back as it was: the same ids, digests, clocks and answers.
    Interrupted, it goes on where it stopped when it is run again.
    """
    from ...archive import import_archive

    place: Path | BinaryIO = sys.stdin.buffer if archive == "-" else Path(archive)

    with progress_bar() as progress:

        async def read(memory: Memory) -> ImportReport:
            return await import_archive(memory, place, restamp=restamp, progress=progress)

        report = ask(settings, read)
    note(*(f"warning: {each}" for each in report.warnings))
    if settings.json:
        print_json(
            {
                "scope": report.scope,
                "from_scope": report.manifest.scope,
                "clock": instant(report.manifest.clock),
                "written": dict(report.written),
                "already_there": report.already_there,
                "left_out": report.left_out,
                "restamped": report.restamped,
                "closed": list(report.closed),
                "warnings": list(report.warnings),
            }
        )
        return
    written = ((NOUNS.get(kind, kind), count) for kind, count in report.written.items())
    note(f"imported into scope {report.scope}: {counted_all(written)}")
    if report.already_there:
        note(f"{were(report.already_there)} there already")
    if report.left_out:
        left_out = counted(report.left_out, "idempotency record")
        note(f"left out: {left_out}, of use only in the store they are from")
    note(*(f"cut or ended: {each}" for each in report.closed))
