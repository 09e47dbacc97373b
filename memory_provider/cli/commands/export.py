"""`export`: a scope as one archive."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from ..asking import ask
from ..settings import Settings, answers
from ..showing.counting import counted
from ..showing.output import note, print_json
from ..showing.progress import progress_bar
from ..showing.shapes import instant

if TYPE_CHECKING:
    from ...archive import Manifest
    from ...memory.api import Memory


@click.command("export")
@click.argument("target", metavar="FILE")
@answers
def export(settings: Settings, target: str) -> None:
    """Write a scope's whole history to a file.

    Every version with both clocks, sources and tombstones. A name ending in .gz is compressed; `-` is
    standard output. `import` reads it, into a store of either kind.
    """
    from ...archive import export_scope

    if target == "-" and settings.json:
        raise click.UsageError(
            "standard output takes the archive or --json, not both", click.get_current_context()
        )
    place: Path | BinaryIO = sys.stdout.buffer if target == "-" else Path(target)

    with progress_bar() as progress:

        async def write(memory: Memory) -> Manifest:
            return await export_scope(memory, place, progress=progress)

        manifest = ask(settings, write)
    if settings.json:
        print_json(
            {
                "scope": manifest.scope,
                "clock": instant(manifest.clock),
                "rows": dict(manifest.rows),
                "sha256": manifest.sha256,
            }
        )
    else:
        rows = counted(sum(manifest.rows.values()), "row")
        note(f"exported {rows} of scope {manifest.scope}, sha256 {manifest.sha256}")
