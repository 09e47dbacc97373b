"""`remember`: keep something that was said or happened."""

from __future__ import annotations

from datetime import datetime

import click

from ..asking import ask
from ..options.time_options import when_option
from ..options.typed_in import standard_input
from ..options.write_options import key_option, recorded_at_option
from ..settings import Settings, answers
from ..showing.receipts import show


@click.command()
@click.argument("text")
@click.option("--speaker", metavar="NAME", help="Who said it.")
@click.option("--session", metavar="NAME", help="The conversation it is a turn of.")
@click.option("--source", metavar="NAME", help="Where it comes from, such as chat or email.")
@when_option("--occurred-at", "When it happened; left out: now.")
@key_option
@recorded_at_option
@answers
def remember(
    settings: Settings,
    text: str,
    speaker: str | None,
    session: str | None,
    source: str | None,
    occurred_at: datetime | None,
    key: str | None,
    recorded_at: datetime | None,
) -> None:
    """Keep a text verbatim as an episode, and print its id.

    TEXT is `-`: read it from standard input. A fact may then cite the episode as its source: `assert …
    --episode ID`.
    """
    if text == "-":
        text = standard_input()
    receipt = ask(
        settings,
        lambda memory: memory.add_episode(
            text,
            occurred_at=occurred_at,
            source=source,
            speaker=speaker,
            session=session,
            recorded_at=recorded_at,
            idempotency_key=key,
        ),
    )
    show(settings, receipt, "remembered")
