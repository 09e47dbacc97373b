"""`migrate`: bring a store's schema up to this release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..asking import ask_store
from ..failures import Nothing
from ..settings import Settings, json_option, store_option
from ..showing.counting import counted
from ..showing.output import note, print_json

if TYPE_CHECKING:
    from ...store.contract import Layout, Store


@click.command()
@click.option("--check", is_flag=True, help="Only say what is pending; exit code 1 if anything is.")
@store_option
@json_option
@click.pass_obj
def migrate(settings: Settings, check: bool) -> None:
    """Bring a store's schema up to this release.

    Each pending migration is applied once; it is safe to run this from several places at a time.
    """

    async def run(store: Store) -> Layout:
        return await (store.layout() if check else store.migrate())

    layout = ask_store(settings, run, opened=False)
    if settings.json:
        print_json(
            {"server": layout.server, "applied": list(layout.applied), "pending": list(layout.pending)}
        )
    else:
        note(
            f"{layout.server}: {counted(len(layout.applied), 'migration')} applied, {len(layout.pending)} pending"
        )
    if check and layout.pending:
        raise Nothing("pending: " + ", ".join(layout.pending))
