"""`recall`: the evidence that answers a question best."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..failures import Nothing
from ..options.time_options import view_options
from ..settings import Settings, answers
from ..showing.output import note, print_json
from ..showing.recall_text import print_explanation
from ..showing.shapes import Shape, frame_shape, instant, recall_explanation_shape
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...memory.evidence.frames import Frame, Representation
    from ...memory.recall.recalling import Recall


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
    type=click.Choice(["fact", "episode", "graph", "memory"]),
    help="Only this kind of frame; may be repeated.",
)
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="NAME|URI",
    help="What is around this comes first; may be repeated.",
)
@click.option(
    "--representation",
    "representations",
    multiple=True,
    type=click.Choice(["full", "compact", "reference"]),
    help="How frames may come, best first; may be repeated: each comes in the first that fits.  [default: full]",
)
@click.option("--explain", is_flag=True, help="Say of every candidate why it was served or not.")
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
    representations: tuple[Representation, ...],
    explain: bool,
) -> None:
    """Find the evidence that answers a question best.

    The frames that fit the budget are printed, best first, each with its score and a citation; with --explain
    all that was considered after them. Of a long episode, --representation compact shows what answers best.
    Exit code 1: nothing was found.
    """
    found: Recall = ask(
        settings,
        lambda memory: memory.at(as_of, known_at).recall(
            question,
            max_tokens=max_tokens,
            max_frames=max_frames,
            kinds=kinds,
            anchors=anchors,
            representations=representations,
            explain=explain,
        ),
    )
    if settings.json:
        shape: Shape = {
            "scope": settings.scope,
            "as_of": instant(found.as_of),
            "known_at": instant(found.known_at),
            "frames": [frame_shape(each) for each in found.frames],
            "truncated": found.truncated,
            "dropped_estimate": found.dropped_estimate,
        }
        if found.explanation:
            shape["explanation"] = recall_explanation_shape(found.explanation)
        print_json(shape)
    else:
        if found.frames:
            print_table(["score", "kind", "frame"], [_row(each) for each in found.frames], text=2)
        if found.explanation:
            print_explanation(found.explanation)
    if found.truncated:
        note(f"at least {found.dropped_estimate} more did not fit: raise --max-frames or --max-tokens")
    if not found.frames:
        raise Nothing("nothing found")


def _row(frame: Frame) -> tuple[str, str, str]:
    lines = [frame.content] if frame.content else []
    lines.append(f"  [{frame.citation_label}]")
    lines.append(
        f"  {frame.id}" if frame.representation == "full" else f"  {frame.id} ({frame.representation})"
    )
    return f"{frame.score:.2f}", frame.kind, "\n".join(lines)
