"""`predicates`: which predicates a scope has, and how they are declared."""

from __future__ import annotations

import click

from ..asking import ask
from ..settings import Settings, answers
from ..showing.output import note, print_json
from ..showing.tables import print_table


@click.command()
@answers
def predicates(settings: Settings) -> None:
    """List a scope's predicates and their declarations."""
    found = sorted(
        ask(settings, lambda memory: memory.store.predicates(memory.scope)), key=lambda each: each.name
    )
    if settings.json:
        print_json(
            {
                "scope": settings.scope,
                "predicates": [
                    {
                        "name": each.name,
                        "cardinality": each.cardinality,
                        "object": each.object_type,
                        "label": each.label,
                        "inverse_label": each.inverse_label,
                        "declared": each.declared,
                    }
                    for each in found
                ],
            }
        )
    elif found:
        print_table(
            ["predicate", "holds", "object", "reads", "inverse", "declared"],
            [
                (
                    each.name,
                    each.cardinality,
                    each.object_type or "",
                    each.label,
                    each.inverse_label or "",
                    "yes" if each.declared else "by use",
                )
                for each in found
            ],
            text=3,
        )
    if not found:
        note("nothing found")
