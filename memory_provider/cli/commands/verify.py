"""`verify`: whether evidence held earlier still stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from ..asking import ask
from ..failures import Nothing
from ..options.time_options import known_at_option
from ..options.typed_in import standard_input
from ..settings import Settings, answers
from ..showing.output import print_json
from ..showing.shapes import instant, verdict_shape
from ..showing.tables import print_table

Held = tuple[str, str | None]


@click.command()
@click.argument("held", nargs=-1, required=True, metavar="ID DIGEST … | FILE | -")
@known_at_option
@answers
def verify(settings: Settings, held: tuple[str, ...], known_at: datetime | None) -> None:
    """Say whether evidence held earlier still stands.

    The verdicts are valid, stale, gone and unknown. Frames are given as pairs of id and digest, or in a JSON
    file (or on standard input, `-`): what `recall --json`, `facts --json` or `explain --json` printed, or a
    list of objects with `id` and `digest`. Exit code 1: not all are valid.
    """
    pairs = _from_file(held[0]) if len(held) == 1 else _from_arguments(held)
    verdicts = ask(settings, lambda memory: memory.verify(pairs, known_at=known_at))
    if settings.json:
        print_json(
            {
                "scope": settings.scope,
                "known_at": instant(known_at),
                "verdicts": [verdict_shape(each) for each in verdicts],
            }
        )
    else:
        print_table(
            ["verdict", "frame", "digest of what it says now"],
            [(each.status, each.frame_id, each.replacement_digest or "") for each in verdicts],
            text=2,
            ids=1,
        )
    wrong = sum(each.status != "valid" for each in verdicts)
    if wrong:
        raise Nothing(f"{wrong} of {len(verdicts)} not valid")


def _from_arguments(given: Sequence[str]) -> list[Held]:
    if len(given) % 2:
        raise click.UsageError(
            "give pairs of ID and DIGEST, or one JSON file; the last id has no digest",
            click.get_current_context(),
        )
    return list(zip(given[::2], given[1::2], strict=True))


def _from_file(name: str) -> list[Held]:
    try:
        text = standard_input() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
        return held_in(json.loads(text))
    except OSError as problem:
        raise click.BadParameter(
            f"{name!r} cannot be read ({problem.strerror}); give a file of frames, or ID and DIGEST"
        ) from None
    except (ValueError, RecursionError):
        raise click.BadParameter(
            f"{name!r} is no JSON of frames; give what `recall --json` printed, or a list of objects with id and digest"
        ) from None


def held_in(value: Any) -> list[Held]:
    """The frames in what `recall --json` and its like print. Raises `ValueError` for anything else."""
    if isinstance(value, dict):
        lists = [value[name] for name in ("frames", "facts", "versions") if name in value]
        if len(lists) != 1:
            raise ValueError("no frames")
        value = lists[0]
    if not isinstance(value, list):
        raise ValueError("no list")
    found = []
    for each in value:
        if not isinstance(each, dict):
            raise ValueError("no frame")
        frame_id = each.get("id", each.get("frame_id"))
        digest = each.get("digest", each.get("content_digest"))
        if not isinstance(frame_id, str) or not isinstance(digest, str | None):
            raise ValueError("no frame")
        found.append((frame_id, digest))
    return found
