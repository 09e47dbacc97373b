"""The driver: opened late, bounded in time, and its errors in this package's words.

Nothing of the driver is imported before a store opens. Messages never hold credentials, nor what a statement carried.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeVar

from ..addresses import Neo4jAddress
from ..errors import StoreError, StoreUnavailable
from .credentials import credentials
from .queries import arranged

if TYPE_CHECKING:
    from neo4j import AsyncDriver, AsyncManagedTransaction, AsyncSession
    from neo4j.exceptions import Neo4jError

Result = TypeVar("Result")

OLDEST = (5, 26)
"""The oldest server whose Cypher has all that the statements use."""

CONNECT_TIMEOUT = 2.0
"""How long a connection may take to open, in seconds; it may take half a second more until it can be used."""

CONNECTIONS = 50
"""How many units of work one store runs at a time; more wait their turn."""

READ_PATIENCE = 30.0
"""How long a read may take before the server counts as gone."""

WRITE_PATIENCE = 300.0
"""The same for a write, which may wait for others of its scope."""

RETRY_UNREACHABLE = 1.5
"""How long the driver retries within one attempt."""

RETRY_CONTENDED = 30.0
"""How long a write that lost a deadlock, or met another passing condition of a server that answers, is retried."""


class NotPermitted(StoreError):
    """The user of this connection may not do it."""


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
        self._turns = asyncio.Semaphore(CONNECTIONS)

    async def open(self) -> None:
        """Connect and authenticate. Raises `StoreUnavailable`, or `StoreError` when it can never work."""
        if self._driver is not None:
            return
        _require_asyncio()
        import neo4j

        logging.getLogger("neo4j").addHandler(
            logging.NullHandler()
        )  # no word on stderr unless logging is set up
        auth = credentials(self._address, os.environ)
        try:
            driver = neo4j.AsyncGraphDatabase.driver(
                self._address.uri,
                auth=auth,
                connection_timeout=CONNECT_TIMEOUT,
                connection_acquisition_timeout=CONNECT_TIMEOUT + 0.5,
                max_connection_pool_size=2 * CONNECTIONS,
                max_transaction_retry_time=RETRY_UNREACHABLE,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
                user_agent="memory-provider",
            )
        except Exception as problem:
            raise StoreError(f"{self._address.redacted}: the driver refuses it: {_words(problem)}") from None
        self._bookmarks = neo4j.AsyncGraphDatabase.bookmark_manager()
        self._driver = driver
        try:
            await self._translated(driver.verify_connectivity(), READ_PATIENCE)
            _require_version(self._address.redacted, await self.server())
        except ValueError as problem:  # what driver 5 says of a name that does not resolve
            await self.close()
            raise StoreUnavailable(_unreachable(self._address.redacted, problem)) from None
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
        info = await self._translated(self._opened().get_server_info(), READ_PATIENCE)
        return info.agent

    async def read(
        self,
        work: Callable[[AsyncManagedTransaction], Awaitable[Result]],
        patience: float | None = READ_PATIENCE,
    ) -> Result:
        """Run a unit of reading in a managed transaction."""

        async def run() -> Result:
            async with self._turns, self._session("READ") as session:
                return await session.execute_read(work)

        return await self._translated(run(), patience)

    async def write(
        self,
        work: Callable[[AsyncManagedTransaction], Awaitable[Result]],
        patience: float | None = WRITE_PATIENCE,
    ) -> Result:
        """Run a unit of writing in a managed transaction; it is retried as a whole, so it may run several times.

        What the work raises as `Passed` is raised as its cause, at once, and nothing is written.
        """
        from neo4j.exceptions import TransientError

        async def run() -> Result:
            until = time.monotonic() + RETRY_CONTENDED
            while True:
                try:
                    async with self._turns, self._session("WRITE") as session:
                        return await session.execute_write(work)
                except TransientError as problem:
                    if not _is_contention(problem) or time.monotonic() > until:
                        raise

        try:
            return await self._translated(run(), patience)
        except Passed as passed:
            cause = passed.cause
        raise cause

    async def schema(self, statement: str) -> None:
        """Run one statement that changes the schema, in a transaction of its own, however long it takes."""

        async def work(tx: AsyncManagedTransaction) -> None:
            await (await tx.run(statement)).consume()

        await self.write(work, patience=None)

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

    async def _translated(self, work: Awaitable[Result], patience: float | None) -> Result:
        import neo4j.exceptions as driver_errors

        where = self._address.redacted
        try:
            async with asyncio.timeout(patience):
                return await work
        except TimeoutError:
            raise StoreUnavailable(
                f"{where} did not answer in time; whether a write was done is unknown: repeat it with the same "
                "idempotency key"
            ) from None
        except driver_errors.Forbidden as problem:
            raise NotPermitted(f"{where} does not permit it to this user ({problem.code})") from None
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
            raise StoreUnavailable(_unreachable(where, problem)) from None
        except driver_errors.TransientError as problem:
            raise StoreUnavailable(f"{where} could not do it now ({problem.code}); try again") from None
        except driver_errors.ClientError as problem:
            if problem.is_retryable():
                raise StoreUnavailable(f"{where} could not do it now ({problem.code}); try again") from None
            raise StoreError(f"{where} refused a statement ({problem.code})") from problem
        except driver_errors.Neo4jError as problem:
            raise StoreUnavailable(f"{where} failed ({problem.code}); see the server's log") from problem
        except driver_errors.DriverError as problem:
            raise StoreUnavailable(f"{where} cannot be used: {_words(problem)}") from None
        except OSError as problem:
            raise StoreUnavailable(f"{where} cannot be reached: {problem.strerror or problem}") from None


async def rows(tx: Any, text: str, **parameters: Any) -> list[Any]:
    """Run a statement and take all its records, as lists of values."""
    result = await tx.run(text, arranged(text, parameters))
    return [list(record.values()) async for record in result]


def _is_contention(problem: Neo4jError) -> bool:
    """Whether a transaction failed only because of others at the same time, such as a deadlock."""
    return problem.is_retryable() and (problem.code or "").startswith("Neo.TransientError.Transaction.")


def _unreachable(where: str, problem: Exception) -> str:
    """Why there is no connection, in plain words rather than in the driver's, which name sockets and resolvers."""
    said = _words(problem)
    if f"[Errno {errno.ECONNREFUSED}]" in said or "refused" in said.lower():
        return f"connection refused; is Neo4j running at {where}?"
    if "resolve address" in said:
        return f"no such host; is the address {where} right?"
    if "timed out" in said.lower():
        return f"no answer in time; is Neo4j running at {where}?"
    if "routing information" in said:
        return f"no server answers; is Neo4j running at {where}?"
    return f"{where} cannot be reached: {said}"


def _words(problem: Exception) -> str:
    """What a driver's error says, on one line."""
    return " ".join(str(problem).split())


def _require_version(where: str, agent: str) -> None:
    found = re.search(r"/(\d+)\.(\d+)", agent)
    if found and (int(found[1]), int(found[2])) < OLDEST:
        raise StoreError(f"{where} is {agent}; this package needs Neo4j {OLDEST[0]}.{OLDEST[1]} or newer")


def _require_asyncio() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise StoreError(
            "the Neo4j driver runs on asyncio only: use asyncio, or the SQLite store with trio"
        ) from None
