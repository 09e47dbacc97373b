"""A store over each Neo4j, and the driver beside it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import neo4j
import pytest

from memory_provider.store.contract import Store
from memory_provider.store.opening import store_at

Plan = list[tuple[str, str]]
"""Operators and their details, from the result down."""
Ask = Callable[..., Awaitable[list[dict[str, Any]]]]


@pytest.fixture
async def store(anyio_backend: str, neo4j_server: Any) -> AsyncIterator[Store]:
    opened = store_at(neo4j_server.uri)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def ask(anyio_backend: str, neo4j_server: Any) -> AsyncIterator[Ask]:
    """Runs a statement as a person in a console would, and answers its records."""
    async with neo4j.AsyncGraphDatabase.driver(
        neo4j_server.uri, auth=neo4j_server.auth, notifications_min_severity="OFF"
    ) as driver:

        async def run(text: str, **parameters: Any) -> list[dict[str, Any]]:
            async with driver.session() as session:
                return await (await session.run(text, parameters)).data()

        yield run


async def explained(session: neo4j.AsyncSession, text: str) -> Plan:
    """How the server would run a statement."""
    parameters = dict.fromkeys(re.findall(r"\$(\w+)", text))
    summary = await (await session.run(f"EXPLAIN {text}", parameters)).consume()
    return list(_operators(summary.plan))


def _operators(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield plan["operatorType"].partition("@")[0], plan["args"].get("Details", "")
    for child in plan.get("children", ()):
        yield from _operators(child)
