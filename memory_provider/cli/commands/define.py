"""`define`: declare a predicate."""

from __future__ import annotations

import click

from ..asking import ask
from ..settings import Settings, scope_option, store_option
from ..showing.output import note

TYPES = ("text", "integer", "number", "boolean", "date", "instant", "entity")


@click.command()
@click.argument("name")
@click.option(
    "--one", "one", is_flag=True, help="One object at a time: a new one takes the place of the old."
)
@click.option("--many", "many", is_flag=True, help="Any number of objects at a time (the default).")
@click.option("--object", "object_type", type=click.Choice(TYPES), help="What its objects are.")
@click.option("--label", metavar="WORDS", help="How it reads in a sentence, such as `lives in`.")
@click.option("--inverse", metavar="WORDS", help="How it reads the other way round, such as `home of`.")
@store_option
@scope_option
@click.pass_obj
def define(
    settings: Settings,
    name: str,
    one: bool,
    many: bool,
    object_type: str | None,
    label: str | None,
    inverse: str | None,
) -> None:
    """Declare a predicate.

    How many objects it holds at a time, of which type, and how it reads. Left undeclared, a predicate holds
    many objects, is labelled by its name, and takes the type of its first object.
    """
    if one and many:
        raise click.UsageError(
            "a predicate holds one object or many: give --one or --many", click.get_current_context()
        )
    ask(
        settings,
        lambda memory: memory.define_predicate(
            name,
            cardinality="one" if one else "many",
            object=object_type,
            label=label,
            inverse_label=inverse,
        ),
    )
    note(f"declared {name}")
