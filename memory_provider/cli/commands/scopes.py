"""`scopes`: whose memories a store keeps, and erasing one whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..asking import ask_store
from ..confirming import confirm
from ..failures import Nothing
from ..settings import Settings, json_option, store_option
from ..showing.counting import counted_all
from ..showing.output import note, print_json
from ..showing.shapes import Shape
from ..showing.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...store.contract import ScopeSummary, Store


@click.group(invoke_without_command=True)
@store_option
@json_option
@click.pass_context
def scopes(context: click.Context) -> None:
    """List the scopes of a store, or erase one."""
    settings: Settings = context.obj
    if context.invoked_subcommand:
        return
    found, hashes = ask_store(settings, _with_hashes if settings.json else _without)
    if settings.json:
        shapes = [scope_shape(each) | {"telemetry_hash": hashes[each.name]} for each in found]
        print_json({"scopes": shapes})
    elif found:
        print_table(
            ["scope", "facts", "versions", "episodes", "entities", "records"],
            [
                (
                    each.name,
                    str(each.facts),
                    str(each.versions),
                    str(each.episodes),
                    str(each.entities),
                    str(each.records),
                )
                for each in found
            ],
        )
    if not found:
        note("nothing found")  # and no failure: compose asks this way whether the store is there


@scopes.command("erase")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Erase without asking.")
@store_option
@json_option
@click.pass_obj
def erase_scope(settings: Settings, name: str, yes: bool) -> None:
    """Delete the scope NAME with everything in it, tombstones too. It cannot be undone.

    Exit code 1: there is no such scope.
    """
    if not yes:
        confirm(
            f"Delete all of scope {name!r} for good?",
            otherwise=f"this deletes all of scope {name!r} for good: give --yes to do it",
        )
    gone = ask_store(settings, lambda store: store.erase_scope(name))
    if settings.json:
        print_json({"erased": scope_shape(gone) if gone else None})
    if gone is None:
        raise Nothing(f"there is no scope {name!r}")
    held = [
        ("version", gone.versions),
        ("episode", gone.episodes),
        ("entity", gone.entities),
        ("record", gone.records),
    ]
    note(f"erased scope {gone.name}: {counted_all(held)}")


async def _without(store: Store) -> tuple[Sequence[ScopeSummary], dict[str, str]]:
    return await store.scopes(), {}


async def _with_hashes(store: Store) -> tuple[Sequence[ScopeSummary], dict[str, str]]:
    from ...store.observed import scope_hash

    found, secret = await store.scopes(), await store.secret()
    return found, {each.name: scope_hash(secret, each.name) for each in found}


def scope_shape(summary: ScopeSummary) -> Shape:
    """A scope and how much it holds."""
    return {
        "name": summary.name,
        "facts": summary.facts,
        "versions": summary.versions,
        "episodes": summary.episodes,
        "entities": summary.entities,
        "records": summary.records,
    }
