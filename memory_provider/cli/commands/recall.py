"""`recall`: the evidence that answers a question best."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..failures import Nothing
from ..output import note, print_json
from ..settings import Settings, answers
from ..shapes import frame_shape, instant
from ..tables import print_table
from ..time_options import view_options

if TYPE_CHECKING:
    from ...memory.frames import Frame
    from ...memory.recalling import Recall


@click.command()
@click.argument("question")
@view_options
@click.option(
    "--max-tokens", type=click.IntRange(0), default=800, show_default=True, help="Budget: bytes / 4."
)
@click.option("--max-frames", type=click.IntRange(0), default=10, show_default=True, help="Budget: frames.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(["fact", "episode", "graph"]),
    help="Only this kind of frame; may be repeated.",
)
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="NAME|URI",
    help="What is around this comes first; may be repeated.",
)
@answers
def recall(
    settings: Settings,
    question: str,
    as_of: datetime | None,
    known_at: datetime | None,
    max_tokens: int,
    max_frames: int,
    kinds: tuple[str, ...],
    anchors: tuple[str, ...],
) -> None:
    """Find the evidence that answers a question best.

    The frames that fit the budget are printed, best first, each with its score and a citation. Exit code 1:
    nothing was found.
    """
    found: Recall = ask(
        settings,
        lambda memory: memory.at(as_of, known_at).recall(
            question, max_tokens=max_tokens, max_frames=max_frames, kinds=kinds, anchors=anchors
        ),
    )
    if settings.json:
        print_json(
            {
                "scope": settings.scope,
                "as_of": instant(found.as_of),
                "known_at": instant(found.known_at),
                "frames": [frame_shape(each) for each in found.frames],
                "truncated": found.truncated,
                "dropped_estimate": found.dropped_estimate,
            }
        )
    elif found.frames:
        print_table(["score", "kind", "frame"], [_row(each) for each in found.frames], text=2)
    if found.truncated:
        note(f"at least {found.dropped_estimate} more did not fit: raise --max-frames or --max-tokens")
    if not found.frames:
        raise Nothing("nothing found")


def _row(frame: Frame) -> tuple[str, str, str]:
    return f"{frame.score:.2f}", frame.kind, f"{frame.content}\n  [{frame.citation_label}]\n  {frame.id}"
