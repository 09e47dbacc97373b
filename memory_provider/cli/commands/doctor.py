"""`doctor`: what is wrong in a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..asking import ask_store
from ..failures import Nothing
from ..settings import Settings, answers
from ..showing.counting import counted
from ..showing.output import note, print_json
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...store.contract import Finding, Store


@click.command()
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=50,
    show_default=True,
    help="Keys of each scope whose answers are compared with a slow recomputation.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Which keys; another number, others.")
@answers
def doctor(settings: Settings, sample: int, seed: int) -> None:
    """Look for anything wrong in a store; nothing is changed.

    All scopes are looked at, or the one that --scope names. Exit code 1: something was found.
    """
    from ...doctor import examine

    scope = settings.scope if settings.scope_named else None

    async def look(store: Store) -> tuple[str, list[Finding]]:
        return store.address, await examine(store, scope, sample=sample, seed=seed)

    address, found = ask_store(settings, look, opened=False)
    if settings.json:
        print_json(
            {
                "store": address,
                "scope": scope,
                "findings": [{"check": each.check, "scope": each.scope, "what": each.what} for each in found],
            }
        )
    elif found:
        print_table(
            ["check", "scope", "what"], [(each.check, each.scope or "", each.what) for each in found], text=2
        )
    if found:
        raise Nothing(f"{counted(len(found), 'finding')} in {address}")
    note(f"nothing found in {address}")
