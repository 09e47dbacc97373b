"""`correct`: say what a window really held."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..options.objects import Typed, declared, object_options
from ..options.time_options import Unbounded, explicit_window_options, side
from ..options.write_options import SaidBy, check_whole_set, key_option, recorded_at_option, source_options
from ..settings import Settings, answers
from ..showing.receipts import show

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...memory.writing.receipts import Receipt


@click.command()
@click.argument("subject")
@click.argument("predicate")
@object_options(required=True)
@explicit_window_options
@click.option("--replaces", metavar="OBJECT", help="Only this object was wrong; the others stay.")
@click.option("--all", "whole", is_flag=True, help="Of a predicate with many objects: all others give way.")
@source_options
@key_option
@recorded_at_option
@answers
def correct(
    settings: Settings,
    subject: str,
    predicate: str,
    object: Typed,
    valid_from: datetime | Unbounded | None,
    valid_to: datetime | Unbounded | None,
    replaces: str | None,
    whole: bool,
    source: SaidBy,
    key: str | None,
    recorded_at: datetime | None,
) -> None:
    """Say what really held from one time to another.

    In that window SUBJECT PREDICATE held exactly OBJECT; what was recorded otherwise gives way, and history
    keeps it. Of a predicate that holds many objects, name the wrong one with --replaces, or give --all.
    """

    async def write(memory: Memory) -> Receipt:
        known = await declared(memory, predicate)
        if replaces is None and not whole:
            check_whole_set(known, predicate, "--replaces OBJECT")
        return await memory.correct_fact(
            subject,
            predicate,
            object.under(known),
            valid_from=side(valid_from),
            valid_to=side(valid_to),
            replaces=None if replaces is None else Typed(None, replaces, settings.zone).under(known),
            episode=source.episode,
            file=source.file,
            by=source.by,
            confidence=source.confidence,
            recorded_at=recorded_at,
            idempotency_key=key,
        )

    show(settings, ask(settings, write), "corrected")
