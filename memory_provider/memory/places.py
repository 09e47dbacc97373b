"""Where a memory is kept, told from its address alone. Loads no driver and opens nothing."""

from __future__ import annotations

from typing import NamedTuple

from ..store.addresses import Neo4jAddress, parse_address


class Place(NamedTuple):
    """Where the bytes of a memory are."""

    local: bool
    """Whether they stay on this machine: in memory, in a file, or at a loopback address."""
    host: str | None
    """The server that keeps them, if one does."""


def place_of(url: str | None) -> Place:
    """The place that a store's URL names (None: the default file). Raises `InvalidAddress`."""
    address = parse_address(url)
    return Place(address.local, address.host if isinstance(address, Neo4jAddress) else None)
