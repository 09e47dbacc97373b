"""The first line of an archive, which says what it is, and the last, which says what must have been read."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any, NamedTuple

from .._version import __version__
from ..temporal.instants import PAST, Instant, to_datetime
from . import members as m
from .members import Unreadable, read_row, write_row
from .reports import Manifest

FORMAT = "memory-provider archive"

VERSION = 2
"""Of the format as it is written. A reader reads those before it, and refuses what is newer."""

_HEADER = (
    m.text("format"),
    m.whole("version"),
    m.text("scope"),
    m.start("clock"),
    m.text("written_by"),
    m.text("database"),
)


class Header(NamedTuple):
    """Where an archive comes from."""

    scope: str
    clock: Instant
    """Everything recorded up to this instant is in it; `PAST` when nothing ever was."""
    database: str
    """Tells whether it was exported from the database it is imported into; says nothing else about it."""
    version: int = VERSION
    """Of the format."""

    def written(self) -> dict[str, Any]:
        """As JSON."""
        values = (FORMAT, VERSION, self.scope, self.clock, f"memory-provider {__version__}", self.database)
        return write_row(_HEADER, values)


def read_header(given: Any) -> Header:
    """From JSON, once its format and version are known. Raises `Unreadable`."""
    _, version, scope, clock, _, database = read_row(_HEADER, given)
    return Header(scope, clock, database, version)


def version_of(given: Any) -> int | None:
    """The format's version that a header names; None when it is no header of an archive at all."""
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        return None
    version = given.get("version")
    return version if isinstance(version, int) and not isinstance(version, bool) and version > 0 else None


def database_mark(secret: bytes) -> str:
    """Names a database without giving its secret away."""
    return hmac.new(secret, FORMAT.encode(), "sha256").hexdigest()[:16]


class Footer(NamedTuple):
    """What the last line says."""

    rows: Mapping[str, int]
    sha256: str
    """Of every byte before the last line."""

    def written(self) -> dict[str, Any]:
        """As JSON."""
        return {"rows": dict(self.rows), "sha256": self.sha256}

    def manifest(self, header: Header) -> Manifest:
        """Both ends of an archive together."""
        clock = None if header.clock == PAST else to_datetime(header.clock)
        return Manifest(header.scope, clock, self.rows, self.sha256)


def read_footer(given: Any) -> Footer:
    """From JSON. Raises `Unreadable`."""
    if not isinstance(given, dict) or set(given) != {"rows", "sha256"} or not isinstance(given["rows"], dict):
        raise Unreadable("is not the counts of rows and a checksum")
    counts = given["rows"].values()
    if any(isinstance(count, bool) or not isinstance(count, int) for count in counts):
        raise Unreadable("counts rows by something else than whole numbers")
    return Footer(given["rows"], given["sha256"])
