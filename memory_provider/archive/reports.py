"""What an export or import did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive holds."""

    scope: str
    """The scope it was exported from."""
    clock: datetime | None
    """Everything recorded up to this instant is in it; None when nothing ever was."""
    rows: Mapping[str, int]
    """How many rows of each kind."""
    sha256: str
    """Of every byte before the manifest's line, in lower-case hexadecimal."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did."""

    scope: str
    """The scope it was imported into."""
    manifest: Manifest
    written: Mapping[str, int]
    """How many rows of each kind were written; after `restamp`, how many episodes, claims and context records."""
    already_there: int
    """How many rows (or, after `restamp`, episodes, claims, records) an earlier import of them had written."""
    left_out: int = 0
    """Idempotency records that cannot work here, because another database or scope made them."""
    restamped: bool = False
    closed: tuple[str, ...] = ()
    """Ids of facts of this scope that what was restamped cut or ended; the first thousand."""
    warnings: tuple[str, ...] = ()
