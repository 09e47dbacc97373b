"""Where the credentials of a Neo4j come from: the URL, else the environment, else a file the environment names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..addresses import Neo4jAddress
from ..errors import StoreError

_PREFIXES = ("MEMORY_NEO4J_", "NEO4J_")


def credentials(address: Neo4jAddress, environment: Mapping[str, str]) -> tuple[str, str] | None:
    """User and password, or None when there are none and the server must do without.

    What the URL says wins over MEMORY_NEO4J_USERNAME and MEMORY_NEO4J_PASSWORD, those over NEO4J_USERNAME and
    NEO4J_PASSWORD; a variable ending in `_PASSWORD_FILE` names a file that holds the password.
    """
    user = address.user or _first(environment, "USERNAME") or "neo4j"
    password = address.password
    if password is None:
        password = _first(environment, "PASSWORD") or _from_file(environment)
    return None if password is None else (user, password)


def _first(environment: Mapping[str, str], name: str) -> str | None:
    return next((value for prefix in _PREFIXES if (value := environment.get(prefix + name))), None)


def _from_file(environment: Mapping[str, str]) -> str | None:
    path = _first(environment, "PASSWORD_FILE")
    if path is None:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not UTF-8 text"
        raise StoreError(f"the password file {path!r} cannot be read: {reason}") from None
