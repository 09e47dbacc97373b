"""`explain`: where a piece of evidence comes from, and what became of it."""

from __future__ import annotations

import click

from ..asking import ask
from ..settings import Settings, answers
from ..showing.explanation_text import explanation_text
from ..showing.output import print_json, print_lines
from ..showing.shapes import explanation_shape


@click.command()
@click.argument("frame", metavar="ID")
@answers
def explain(settings: Settings, frame: str) -> None:
    """Tell where a frame comes from and what became of it.

    Who said so, from which episode, what it replaced and what replaced it: of a fact, an episode or a graph
    frame. Exit code 1: this scope never issued such an id.
    """
    told = ask(settings, lambda memory: memory.explain(frame))
    if settings.json:
        print_json(explanation_shape(told))
    else:
        print_lines(*explanation_text(told))
