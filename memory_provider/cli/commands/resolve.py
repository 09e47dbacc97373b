"""`resolve`: the whole content of a compact or reference frame."""

from __future__ import annotations

import click

from ..asking import ask
from ..settings import Settings, answers
from ..showing.output import print_json, print_lines
from ..showing.shapes import content_shape


@click.command()
@click.argument("handle")
@answers
def resolve(settings: Settings, handle: str) -> None:
    """Print the whole content of a compact or reference frame.

    HANDLE is the member `uri` of `canonical` in what `recall --json` printed of it. Exit code 1: it leads to nothing,
    or no longer to what the frame said.
    """
    found = ask(settings, lambda memory: memory.resolve(handle))
    if settings.json:
        print_json(content_shape(found))
    else:
        print_lines(found.content)
