"""The driver: opened late, bounded in time, and its errors in this package's words.

Nothing of the driver is imported before a store opens. Messages never hold credentials, nor what a statement carried.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeVar

from ..addresses import Neo4jAddress
from ..errors import StoreError, StoreUnavailable
from .credentials import credentials

if TYPE_CHECKING:
    from neo4j import AsyncDriver, AsyncManagedTransaction, AsyncSession

Result = TypeVar("Result")

CONNECT_TIMEOUT = 2.0
"""How long a connection may take to open, in seconds."""

ACQUIRE_TIMEOUT = 10.0
"""How long to wait for a connection while all of them are in use."""

RETRY_UNREACHABLE = 1.5
"""How long the driver retries within one attempt."""

RETRY_CONTENDED = 30.0
"""How long a write that lost a deadlock, or met another passing condition of a server that answers, is retried."""


class Passed(Exception):
    """Carries what user code raised through the driver, which must neither retry nor wrap it."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__()
        self.cause = cause


class Connection:
    """One driver, with one bookmark manager: whoever uses it reads its own writes, also on a cluster."""

    def __init__(self, address: Neo4jAddress) -> None:
        self._address = address
        self._driver: AsyncDriver | None = None

    async def open(self) -> None:
        """Connect and authenticate. Raises `StoreUnavailable`, or `StoreError` when it can never work."""
        if self._driver is not None:
            return
        _require_asyncio()
        import neo4j

        logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
        auth = credentials(self._address, os.environ)
        try:
            driver = neo4j.AsyncGraphDatabase.driver(
                self._address.uri,
                auth=auth,
                connection_timeout=CONNECT_TIMEOUT,
                connection_acquisition_timeout=ACQUIRE_TIMEOUT,
                max_transaction_retry_time=RETRY_UNREACHABLE,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
                user_agent="memory-provider",
            )
        except Exception as problem:
            raise StoreError(
                f"{self._address.redacted}: the driver refuses this address: {problem}"
            ) from None
        self._bookmarks = neo4j.AsyncGraphDatabase.bookmark_manager()
        self._driver = driver
        try:
            await self._translated(driver.verify_connectivity())
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Give every connection back. May be called twice."""
        driver, self._driver = self._driver, None
        if driver is not None:
            await driver.close()

    async def server(self) -> str:
        """Name and version of the server, such as `Neo4j/5.26.30`."""
        info = await self._translated(self._opened().get_server_info())
        return info.agent

    async def read(self, work: Callable[[AsyncManagedTransaction], Awaitable[Result]]) -> Result:
        """Run a unit of reading in a managed transaction."""

        async def run() -> Result:
            async with self._session("READ") as session:
                return await session.execute_read(work)

        return await self._translated(run())

    async def write(self, work: Callable[[AsyncManagedTransaction], Awaitable[Result]]) -> Result:
        """Run a unit of writing in a managed transaction; it is retried as a whole, so it may run several times.

        What the work raises as `Passed` is raised as its cause, at once, and nothing is written.
        """
        from neo4j.exceptions import ServiceUnavailable, SessionExpired, TransientError

        async def run() -> Result:
            until = time.monotonic() + RETRY_CONTENDED
            while True:
                try:
                    async with self._session("WRITE") as session:
                        return await session.execute_write(work)
                except TransientError as problem:
                    if not problem.is_retryable() or time.monotonic() > until:
                        raise
                except (ServiceUnavailable, SessionExpired):
                    raise

        try:
            return await self._translated(run())
        except Passed as passed:
            raise passed.cause from None

    async def schema(self, statement: str) -> None:
        """Run one statement that changes the schema, in a transaction of its own."""

        async def work(tx: AsyncManagedTransaction) -> None:
            await (await tx.run(statement)).consume()

        await self.write(work)

    def _session(self, mode: str) -> AbstractAsyncContextManager[AsyncSession]:
        return self._opened().session(
            database=self._address.database,
            default_access_mode=mode,
            bookmark_manager=self._bookmarks,
            initial_retry_delay=0.1,
            retry_delay_multiplier=2.0,
            retry_delay_jitter_factor=0.2,
            fetch_size=-1,
        )

    def _opened(self) -> AsyncDriver:
        if self._driver is None:
            raise StoreError(f"the store at {self._address.redacted} is not open")
        return self._driver

    async def _translated(self, work: Awaitable[Result]) -> Result:
        import neo4j.exceptions as driver_errors

        where = self._address.redacted
        try:
            return await work
        except driver_errors.AuthError as problem:
            raise StoreError(
                f"{where} refuses the credentials ({problem.code}): give them in the URL, in NEO4J_USERNAME and "
                "NEO4J_PASSWORD, or in a file named by NEO4J_PASSWORD_FILE"
            ) from None
        except driver_errors.IncompleteCommit:
            raise StoreUnavailable(
                f"the connection to {where} broke while committing: whether the write was done is unknown; repeat it "
                "with the same idempotency key"
            ) from None
        except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired) as problem:
            raise StoreUnavailable(f"{where} cannot be reached: {problem}") from None
        except driver_errors.TransientError as problem:
            raise StoreUnavailable(f"{where} could not do it now ({problem.code}); try again") from None
        except driver_errors.ClientError as problem:
            if problem.is_retryable():
                raise StoreUnavailable(f"{where} could not do it now ({problem.code}); try again") from None
            raise StoreError(f"{where} refused a statement ({problem.code})") from problem
        except driver_errors.Neo4jError as problem:
            raise StoreUnavailable(f"{where} failed ({problem.code}); see the server's log") from problem
        except driver_errors.DriverError as problem:
            raise StoreUnavailable(f"{where} cannot be used: {problem}") from None
        except OSError as problem:
            raise StoreUnavailable(f"{where} cannot be reached: {problem.strerror or problem}") from None


async def rows(tx: Any, text: str, **parameters: Any) -> list[Any]:
    """Run a statement and take all its records, as lists of values."""
    result = await tx.run(text, parameters)
    return [list(record.values()) async for record in result]


def _require_asyncio() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise StoreError(
            "the Neo4j driver runs on asyncio only: use asyncio, or the SQLite store with trio"
        ) from None
