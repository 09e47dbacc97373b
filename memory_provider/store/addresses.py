"""Store URLs: which store, where, and with which credentials.

`memory:`, `sqlite:///relative.db`, `sqlite:////absolute/path.db` (SQLAlchemy's convention: three slashes, then the
path), and `bolt://` or `neo4j://` with `+s` or `+ssc`, optionally `user:password@` and `?database=`. Without a URL it
is a file in the user's data directory. Errors and printed forms never show a password.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from ..loopback import is_loopback
from .errors import InvalidAddress

NEO4J_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
"""The driver's URL schemes: `+s` is TLS, `+ssc` TLS with any certificate."""

_EXAMPLES = "memory:, sqlite:///memory.db, bolt://localhost:7687 or neo4j+s://host"


@dataclass(frozen=True, slots=True)
class MemoryAddress:
    """A store that lives as long as the object that opened it."""

    @property
    def redacted(self) -> str:
        """The address as it may be printed."""
        return "memory:"

    @property
    def local(self) -> bool:
        """Whether its bytes stay on this machine."""
        return True


@dataclass(frozen=True, slots=True)
class SqliteAddress:
    """A file of this machine."""

    path: Path
    private: bool = False
    """Whether its directory is this program's own, to be made when missing."""

    @property
    def redacted(self) -> str:
        """The address as it may be printed."""
        return f"sqlite:///{self.path}"

    @property
    def local(self) -> bool:
        """Whether its bytes stay on this machine."""
        return True


@dataclass(frozen=True, slots=True)
class Neo4jAddress:
    """A Neo4j server. Credentials may be None: then the environment or a file has them, or none are needed."""

    uri: str
    """For the driver: scheme, host and port, no credentials."""
    host: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    database: str | None = None

    @property
    def redacted(self) -> str:
        """The address as it may be printed."""
        return f"{self.uri}?database={self.database}" if self.database else self.uri

    @property
    def local(self) -> bool:
        """Whether its bytes stay on this machine: the host is a loopback address."""
        return is_loopback(self.host)


Address = MemoryAddress | SqliteAddress | Neo4jAddress


def parse_address(url: str | None) -> Address:
    """The store that a URL names; the default file without one. Raises `InvalidAddress`."""
    if url is not None and not isinstance(url, str):
        raise InvalidAddress(f"a store address is a text ({_EXAMPLES}), not {type(url).__name__}")
    if url is None or not url.strip():
        return SqliteAddress(default_file(os.environ), private=True)
    url = url.strip()
    scheme, colon, rest = url.partition(":")
    scheme = scheme.lower()
    if not colon:
        raise InvalidAddress(
            f"a store address begins with its kind ({_EXAMPLES}); for a file write sqlite:///PATH"
        )
    if scheme == "memory":
        return _memory(rest)
    if scheme == "sqlite":
        return _sqlite(rest)
    if scheme in NEO4J_SCHEMES:
        return _neo4j(scheme, rest)
    known = scheme if scheme.replace("+", "").isalnum() else "this"
    raise InvalidAddress(f"{known!r} is no kind of store this package knows; write {_EXAMPLES}")


def default_file(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Where the memory is kept when nobody says: `memory-provider/memory.db` in the user's data directory."""
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())
    if platform == "win32":
        base = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        given = environment.get("XDG_DATA_HOME", "")
        # The XDG specification has relative paths ignored.
        base = Path(given) if os.path.isabs(given) else home / ".local" / "share"
    return base / "memory-provider" / "memory.db"


def _memory(rest: str) -> MemoryAddress:
    if rest.strip("/"):
        raise InvalidAddress("the store in memory has no name: write memory:")
    return MemoryAddress()


def _sqlite(rest: str) -> MemoryAddress | SqliteAddress:
    if rest in ("", "//", "///:memory:"):
        return MemoryAddress()
    # What looks like credentials or options is not shown, though a file has none.
    given = "this" if "@" in rest or "?" in rest else f"'sqlite:{rest}'"
    shape = "write sqlite:///relative.db or sqlite:////absolute/path.db"
    if not rest.startswith("///"):
        raise InvalidAddress(f"{given} is no file address; {shape}")
    path = rest[3:]
    if not path or path.endswith(("/", os.sep)) or path in (".", ".."):
        raise InvalidAddress(f"{given} names no file; {shape}")
    if "\0" in path:
        raise InvalidAddress("a file name has no NUL character")
    if "?" in path:
        raise InvalidAddress(f"{given}: a file address takes no options; leave out what follows the '?'")
    return SqliteAddress(Path(path))


def _neo4j(scheme: str, rest: str) -> Neo4jAddress:
    shape = f"{scheme}://[user:password@]host[:port][?database=name]"
    if not rest.startswith("//"):
        raise InvalidAddress(f"a Neo4j address has two slashes after the scheme: {shape}")
    try:
        parts = urlsplit(f"{scheme}:{rest}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InvalidAddress(
            f"the host or port of this {scheme} address cannot be read; write {shape}, with '@', '/', ':', '#' and '?' "
            "of a password percent-encoded"
        ) from None
    if not host:
        raise InvalidAddress(f"this {scheme} address names no host; write {shape}")
    if parts.fragment or parts.path not in ("", "/"):
        raise InvalidAddress(
            f"something follows the host of this {scheme} address; write {shape}, with '/', '#' and '?' of a password "
            "percent-encoded"
        )
    if "@" in (parts.username or "") + (parts.password or ""):
        raise InvalidAddress(f"the credentials of this {scheme} address hold a bare '@'; write it as %40")
    database = None
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name != "database" or not value:
            raise InvalidAddress(f"a {scheme} address takes one option, ?database=NAME")
        database = value
    shown = f"[{host}]" if ":" in host else host
    return Neo4jAddress(
        uri=f"{scheme}://{shown}" + (f":{port}" if port is not None else ""),
        host=host,
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password is not None else None,
        database=database,
    )
