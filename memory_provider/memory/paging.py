"""Cursors: where a page ended, as an opaque text."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from ..store.contract import Slice
from ..temporal.errors import InvalidInput

MOST_ROWS = 10_000
"""The longest page."""


def page(limit: int, after: str | None) -> Slice:
    """One row more than asked, so that the end shows."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_ROWS:
        raise InvalidInput(f"limit is a whole number from 1 to {MOST_ROWS}, not {limit!r}")
    return Slice(limit + 1, _decode(after) if after is not None else None)


def encode(*key: Any) -> str:
    """A sort key as a cursor."""
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode()


def _decode(cursor: str) -> tuple[Any, ...]:
    try:
        key = json.loads(base64.urlsafe_b64decode(cursor))
    except (ValueError, binascii.Error, TypeError):
        key = None
    if not isinstance(key, list) or not all(isinstance(each, int | str) for each in key):
        raise InvalidInput(
            f"{cursor!r:.60} is no cursor; pass the `cursor` of the page before, or leave it out"
        )
    return tuple(key)
