"""What a principal may do."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Right(StrEnum):
    """One right. None includes another."""

    READ = "read"
    """Query, verify, resolve, and get records."""
    WRITE = "write"
    """Append records."""
    ERASE = "erase"
    """Erase records."""
    ADMIN = "admin"
    """See the server's metrics. It takes this, too, to be granted every scope."""


ALL_RIGHTS: Final = frozenset(Right)
"""Every right there is."""
