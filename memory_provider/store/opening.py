"""From an address to its store. Imports neither a driver nor a database before one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .addresses import MemoryAddress, Neo4jAddress, SqliteAddress, parse_address
from .observed import ObservedStore

if TYPE_CHECKING:
    from .contract import Store


def store_at(url: str | None) -> Store:
    """The store at a URL (None: the default file), not opened yet, and observed. Raises `InvalidAddress`."""
    return ObservedStore(_store_at(url))


def _store_at(url: str | None) -> Store:
    match parse_address(url):
        case MemoryAddress() | SqliteAddress() as address:
            from .sqlite.store import SqliteStore

            return SqliteStore(address)
        case Neo4jAddress() as server:
            from .neo4j.store import Neo4jStore

            return Neo4jStore(server)
