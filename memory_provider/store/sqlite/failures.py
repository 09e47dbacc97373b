"""What SQLite reports, as errors a person can act on."""

from __future__ import annotations

import sqlite3

from ..errors import StoreError, StoreUnavailable

_BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _NOTADB = 5, 6, 8, 10, 11, 13, 14, 26

_SAYS = {
    _BUSY: "is locked by another process for longer than this one waits; nothing was written: try again",
    _LOCKED: "is locked by another connection; nothing was written: try again",
    _READONLY: "is read-only for this user; nothing was written: check the permissions of the file and its directory",
    _IOERR: "could not be read or written; nothing was written: check the disk",
    _CORRUPT: "is damaged: restore it from a backup or an export",
    _FULL: "has no room left on its disk; nothing was written: free some space and try again",
    _CANTOPEN: "cannot be opened: check that its directory exists and may be written to",
    _NOTADB: "is not an SQLite database: name another file",
}


FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite's module raises. It decodes text of a damaged page before it says that the page is damaged."""


def translated(problem: Exception, address: str) -> StoreError:
    """The error to raise for one of SQLite's."""
    if isinstance(problem, UnicodeDecodeError):
        return StoreUnavailable(f"{address} {_SAYS[_CORRUPT]} (text that is not UTF-8)")
    code = getattr(problem, "sqlite_errorcode", None)
    says = _SAYS.get(code & 0xFF) if code is not None else None
    if says:
        return StoreUnavailable(f"{address} {says} ({problem})")
    return StoreError(f"{address} refused a statement; nothing was written ({problem})")


def is_busy(problem: sqlite3.Error) -> bool:
    """Whether somebody else held a lock."""
    code = getattr(problem, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (_BUSY, _LOCKED)
