"""A server on the memory about a kettle."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.transports.conftest import Kitchen

from .server import Server


@pytest.fixture(scope="module")
def server(kitchen: Kitchen) -> Iterator[Server]:
    """One process for a whole module: no test may bring it down."""
    with Server(kitchen.store, kitchen.scope) as running:
        yield running
        assert running.get("/healthz").status == 200
        running.signal()
        assert running.end() == 0
        assert running.errors() == ""
