"""`retract`: take back what was never so."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..failures import Nothing
from ..options.objects import Typed, declared, object_options
from ..options.time_options import Unbounded, explicit_window_options, side
from ..options.write_options import check_whole_set, key_option, recorded_at_option
from ..settings import Settings, answers
from ..showing.receipts import show

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...memory.writing.receipts import Receipt


@click.command()
@click.argument("subject")
@click.argument("predicate")
@object_options(required=False)
@explicit_window_options
@click.option("--all", "whole", is_flag=True, help="Of a predicate with many objects: all of them go.")
@key_option
@recorded_at_option
@answers
def retract(
    settings: Settings,
    subject: str,
    predicate: str,
    object: Typed | None,
    valid_from: datetime | Unbounded | None,
    valid_to: datetime | Unbounded | None,
    whole: bool,
    key: str | None,
    recorded_at: datetime | None,
) -> None:
    """Take back what was never so.

    In the window SUBJECT PREDICATE did not hold OBJECT; nothing takes its place, and history keeps it.
    Without OBJECT the window is emptied; of a predicate with many objects that needs --all. Exit code 1:
    nothing of it stood there.
    """

    async def write(memory: Memory) -> Receipt:
        known = await declared(memory, predicate)
        if object is None and not whole:
            check_whole_set(known, predicate, "OBJECT")
        return await memory.retract_fact(
            subject,
            predicate,
            None if object is None else object.under(known),
            valid_from=side(valid_from),
            valid_to=side(valid_to),
            recorded_at=recorded_at,
            idempotency_key=key,
        )

    receipt = ask(settings, write)
    show(settings, receipt, "retracted")
    if not receipt.superseded_ids and not receipt.duplicate:
        raise Nothing("nothing of it stood in that window")
