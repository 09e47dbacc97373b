"""Frames held from an earlier query, in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options.typed_in import standard_input

if TYPE_CHECKING:
    from ...protocol import FrameId


def held_frames(name: str) -> tuple[FrameId, ...]:
    """The identities in what `host query --json` printed, in a file or on standard input (`-`)."""
    try:
        text = standard_input() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
        return identities_in(json.loads(text))
    except OSError as problem:
        raise click.BadParameter(f"{name!r} cannot be read ({problem.strerror})", param_hint="FILE") from None
    except (ValueError, RecursionError):
        raise click.BadParameter(
            f"{name!r} holds no frames: give what `host query --json` printed, or a list of objects with "
            "provider_id, frame_id and content_digest",
            param_hint="FILE",
        ) from None


def identities_in(value: Any) -> tuple[FrameId, ...]:
    """The identities of the frames in a value. Raises `ValueError` where one is no frame with a provider."""
    from ...protocol import FrameId

    if isinstance(value, dict):
        value = value.get("frames")
    if not isinstance(value, list):
        raise ValueError("no list of frames")
    found = []
    for each in value:
        if not isinstance(each, dict):
            raise ValueError("no frame")
        provider, id = each.get("provider_id"), each.get("frame_id", each.get("id"))
        digest = each.get("content_digest")
        if not (isinstance(provider, str) and isinstance(id, str) and isinstance(digest, str | None)):
            raise ValueError("no frame")
        found.append(FrameId(provider_id=provider, frame_id=id, content_digest=digest))
    return tuple(dict.fromkeys(found))
