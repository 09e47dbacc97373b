"""Cursors: where a page ended, as an opaque text."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from ..store.contract import Slice
from ..temporal.errors import InvalidInput
from ..temporal.instants import OPEN, PAST
from ..temporal.shown import shown
from .values import is_unicode

MOST_ROWS = 10_000
"""The longest page."""


def page(limit: int, after: str | None, key: Sequence[type]) -> Slice:
    """One row more than asked, so that the end shows. `key` is what a cursor of this kind of page holds."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_ROWS:
        raise InvalidInput(f"limit is a whole number from 1 to {MOST_ROWS}, not {shown(limit)}")
    return Slice(limit + 1, _decode(after, key) if after is not None else None)


def encode(*key: Any) -> str:
    """A sort key as a cursor."""
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode()


def _decode(cursor: str, key: Sequence[type]) -> tuple[Any, ...]:
    try:
        found = json.loads(base64.urlsafe_b64decode(cursor))
    except (ValueError, TypeError, RecursionError):
        found = None
    if (
        not isinstance(found, list)
        or [type(each) for each in found] != list(key)
        or not all(map(_kept, found))
    ):
        raise InvalidInput(
            f"{shown(cursor)} is no cursor of such a page; pass the `cursor` of the page before, or leave it out"
        )
    return tuple(found)


def _kept(value: str | int) -> bool:
    """Whether a store could have sorted by it."""
    return is_unicode(value) if isinstance(value, str) else PAST <= value <= OPEN
