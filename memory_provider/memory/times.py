"""Instants as callers get them."""

from __future__ import annotations

from datetime import datetime

from ..temporal.instants import OPEN, PAST, Instant, to_datetime


def moment_or_none(instant: Instant) -> datetime | None:
    """An aware UTC `datetime`, or None for an unbounded side."""
    return None if instant in (PAST, OPEN) else to_datetime(instant)
