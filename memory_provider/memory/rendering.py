"""What facts say in words, and the digest of what a frame says."""

from __future__ import annotations

from datetime import date
from hashlib import sha256

from ..store.records import ObjectValue
from ..temporal.instants import OPEN, PAST, Instant, is_midnight, to_text
from ..temporal.windows import Window

_EPOCH = date(1970, 1, 1).toordinal()
_DAY = 86_400_000_000
"""Microseconds."""


def digest(content: str) -> str:
    """`sha256:` and the lower-case hexadecimal of the content's UTF-8 bytes."""
    return "sha256:" + sha256(content.encode()).hexdigest()


def token_cost(content: str) -> int:
    """The protocol's cost of a content: its UTF-8 bytes divided by four, rounded up. Never a model's tokenizer."""
    return (len(content.encode()) + 3) // 4


def date_text(instant: Instant) -> str:
    """A date alone at exactly midnight UTC, else the full instant."""
    return day_text(instant) if is_midnight(instant) else to_text(instant)


def day_text(instant: Instant) -> str:
    """The date in which an instant lies, in UTC."""
    return date.fromordinal(_EPOCH + instant // _DAY).isoformat()


def validity(window: Window) -> str:
    """A window in words that never depend on when they are read: `since 2026-04-01`."""
    match window.start == PAST, window.end == OPEN:
        case True, True:
            return "at all times"
        case True, False:
            return f"until {date_text(window.end)}"
        case False, True:
            return f"since {date_text(window.start)}"
    return f"from {date_text(window.start)} until {date_text(window.end)}"


def statement(subject: str, label: str, value: ObjectValue) -> str:
    """A fact in words, without its validity: `Alice lives in Lyon`."""
    return f"{subject} {label} {value.text}"


def fact_content(stated: str, window: Window) -> str:
    """What a fact frame says, and what its digest covers: `Alice lives in Lyon (since 2026-04-01)`."""
    return f"{stated} ({validity(window)})"


def plain_label(predicate: str) -> str:
    """The label of a predicate nobody declared: its name, read as words."""
    return predicate.replace("_", " ").strip() or predicate
