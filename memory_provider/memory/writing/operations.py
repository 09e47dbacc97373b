"""What a caller asks to be written: checked, but before any default that needs the store."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from ...store.records import Key, ObjectValue
from ...temporal.errors import InvalidInput, InvalidInstant, InvalidWindow
from ...temporal.instants import OPEN, PAST, Instant, to_instant
from ...temporal.shown import shown
from ...temporal.windows import describe
from ..values import check_name, check_text


class Unset(Enum):
    """Marks an argument that was left out, where None has a meaning of its own."""

    UNSET = "unset"

    def __repr__(self) -> str:
        return "…"


UNSET: Final = Unset.UNSET

When = datetime | str
"""An instant as callers give it: an aware `datetime`, or ISO 8601 text with an offset."""

EPISODE_BYTES = 4 * 1024 * 1024
"""The longest text of an episode, in UTF-8 bytes."""


@dataclass(frozen=True, slots=True)
class File:
    """A file as a source: where it is and which bytes were read.

    `digest` is `sha256:` and 64 lower-case hexadecimal digits over the bytes of `uri`, restricted to `range`
    (`L<first>` or `L<first>-<last>`) where one is given.
    """

    uri: str
    digest: str
    range: str | None = None


@dataclass(frozen=True, slots=True)
class SourceOfClaim:
    """Who says so: an episode, a file, or just somebody."""

    episode: str | None = None
    file: File | None = None
    by: str | None = None
    confidence: float | None = None
    original_recorded_at: Instant | None = None
    """When another memory had recorded the claim, when it is carried over from there."""


@dataclass(frozen=True, slots=True)
class AddEpisode:
    """Keep something that happened or was said, verbatim."""

    id: str
    text: str
    occurred_at: Instant | Unset
    source: str | None
    speaker: str | None
    session: str | None
    idempotency_key: str | None
    original_recorded_at: Instant | None = None
    """When another memory had recorded it, when it is carried over from there."""


@dataclass(frozen=True, slots=True)
class ChangeFact:
    """Assert, correct or retract over a window of one key."""

    kind: str
    """`assert`, `correct` or `retract`."""
    claim: str
    subject: str
    predicate: str
    object: ObjectValue | None
    """None only for a retraction of everything the window holds."""
    valid_from: Instant | Unset
    valid_to: Instant | Unset
    replaces: ObjectValue | None
    source: SourceOfClaim
    idempotency_key: str | None

    @property
    def key(self) -> Key:
        return Key(self.subject, self.predicate)


Operation = AddEpisode | ChangeFact


@dataclass(frozen=True, slots=True)
class Request:
    """An operation with its idempotency key and arguments as keyed hashes (None without a key)."""

    operation: Operation
    key: str | None
    arguments: str


def window_start(value: When | Unset | None) -> Instant | Unset:
    """A given `valid_from`: None is the unbounded past."""
    return value if isinstance(value, Unset) else PAST if value is None else to_instant(value)


def window_end(value: When | Unset | None) -> Instant | Unset:
    """A given `valid_to`: None is an open end."""
    return value if isinstance(value, Unset) else OPEN if value is None else to_instant(value)


def check_window(start: Instant | Unset, end: Instant | Unset) -> None:
    """Refuse at once what no default can mend."""
    if not isinstance(start, Unset) and not isinstance(end, Unset) and start >= end:
        raise InvalidWindow(
            f"the window from {describe(start)} to {describe(end)} is {'empty' if start == end else 'inverted'}; "
            "valid_from must lie before valid_to"
        )


def check_explicit_start(start: When | Unset | None, operation: str) -> None:
    """Corrections and retractions say since when; guessing would change more than was meant."""
    if isinstance(start, Unset):
        raise InvalidInstant(f"{operation} needs valid_from; give None when it always was wrong")


def check_optional(text: object, what: str) -> str | None:
    """A name that may be left out."""
    return None if text is None else check_name(text, what)


def check_episode_text(text: object) -> str:
    """Text an episode can keep: not blank, Unicode, at most `EPISODE_BYTES` bytes."""
    checked = check_text(text, "the episode's text")
    if not checked.strip():
        raise InvalidInput("the episode's text is empty; there is nothing to remember")
    size = len(checked.encode())
    if size > EPISODE_BYTES:
        raise InvalidInput(f"the episode is {size} bytes long; at most {EPISODE_BYTES} are kept: split it")
    return checked


_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_RANGE = re.compile(r"L([1-9][0-9]{0,17})(?:-([1-9][0-9]{0,17}))?")


def check_file(file: File | None) -> File | None:
    """A file link whose digest and range follow the protocol's grammar (F5, F17)."""
    if file is None:
        return None
    if not isinstance(file, File):
        raise InvalidInput(f"file is a File(uri, digest, range), not {shown(file)}")
    check_name(file.uri, "the file's uri")
    if not isinstance(file.digest, str) or not _DIGEST.fullmatch(file.digest):
        raise InvalidInput(
            f"the file's digest is sha256: and 64 lower-case hexadecimal digits, not {shown(file.digest)}"
        )
    lines = _RANGE.fullmatch(file.range) if isinstance(file.range, str) else None
    if file.range is not None and (lines is None or (lines[2] and int(lines[2]) < int(lines[1]))):
        raise InvalidInput(
            f"the file's range is L<first> or L<first>-<last>, in lines, not {shown(file.range)}"
        )
    return file


def check_confidence(value: float | None) -> float | None:
    """A confidence between 0 and 1, or none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"confidence {shown(value)} is not a number from 0 to 1")
    return float(value)
