"""`timeline`: what held over all of time."""

from __future__ import annotations

from datetime import datetime

import click

from ..asking import ask
from ..failures import Nothing
from ..options.time_options import known_at_option
from ..settings import Settings, answers
from ..showing.output import print_json
from ..showing.shapes import instant, moment_cell, object_text, stretch_shape
from ..showing.tables import print_table


@click.command()
@click.argument("subject")
@click.argument("predicate")
@known_at_option
@answers
def timeline(settings: Settings, subject: str, predicate: str, known_at: datetime | None) -> None:
    """Show what SUBJECT PREDICATE held over time.

    According to what was known at a time, or is now. Exit code 1: it never held anything.
    """
    found = ask(settings, lambda memory: memory.timeline(subject, predicate, known_at=known_at))
    if settings.json:
        print_json(
            {
                "scope": settings.scope,
                "subject": subject,
                "predicate": predicate,
                "known_at": instant(known_at),
                "timeline": [stretch_shape(each) for each in found],
            }
        )
    elif found:
        print_table(
            ["from", "to", "object"],
            [
                (
                    moment_cell(each.valid_from, "always"),
                    moment_cell(each.valid_to, "open"),
                    object_text(each.object),
                )
                for each in found
            ],
            text=2,
        )
    if not found:
        raise Nothing("nothing found")
