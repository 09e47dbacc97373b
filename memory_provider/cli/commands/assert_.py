"""`assert`: say that a fact holds."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..options.objects import Typed, declared, object_options, tell_first_use
from ..options.time_options import Unbounded, side, window_options
from ..options.write_options import SaidBy, key_option, recorded_at_option, source_options
from ..settings import Settings, answers
from ..showing.receipts import show

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...memory.writing.receipts import Receipt


@click.command("assert")
@click.argument("subject")
@click.argument("predicate")
@object_options(required=True)
@window_options
@source_options
@key_option
@recorded_at_option
@answers
def assert_(
    settings: Settings,
    subject: str,
    predicate: str,
    object: Typed,
    valid_from: datetime | Unbounded | None,
    valid_to: datetime | Unbounded | None,
    source: SaidBy,
    key: str | None,
    recorded_at: datetime | None,
) -> None:
    """Say that a fact holds from one time to another.

    The fact's id is printed. A plain OBJECT is read as the predicate was declared, as a text otherwise. Of a
    predicate that holds one object at a time, what stood in the window gives way; it is listed on stderr, and
    history keeps it.
    """

    async def write(memory: Memory) -> Receipt:
        known = await declared(memory, predicate)
        value = object.under(known)
        tell_first_use(settings, known, predicate, object)
        return await memory.assert_fact(
            subject,
            predicate,
            value,
            valid_from=side(valid_from),
            valid_to=side(valid_to),
            episode=source.episode,
            file=source.file,
            by=source.by,
            confidence=source.confidence,
            recorded_at=recorded_at,
            idempotency_key=key,
        )

    show(settings, ask(settings, write), "recorded")
