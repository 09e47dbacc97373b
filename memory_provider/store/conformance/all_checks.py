"""Every check, in the order in which a new store will want to pass them."""

from __future__ import annotations

from . import (
    check_carrying,
    check_concurrency,
    check_erasing,
    check_histories,
    check_holding,
    check_isolation,
    check_records,
    check_searching,
    check_texts,
    check_views,
    check_walking,
    check_writing,
)
from .stores import Check

CHECKS: tuple[Check, ...] = (
    *check_writing.CHECKS,
    *check_views.CHECKS,
    *check_searching.CHECKS,
    *check_isolation.CHECKS,
    *check_histories.CHECKS,
    *check_holding.CHECKS,
    *check_walking.CHECKS,
    *check_erasing.CHECKS,
    *check_records.CHECKS,
    *check_carrying.CHECKS,
    *check_texts.CHECKS,
    *check_concurrency.CHECKS,
)
"""All checks; each is an async function of `Stores`."""
