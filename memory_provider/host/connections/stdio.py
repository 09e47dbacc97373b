"""A provider in a process of its own: one envelope a line, on its standard streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import anyio

from ...protocol import Envelope, Shutdown, encode
from ...protocol.strict_json import MAX_BYTES
from ..errors import ConnectionClosed, ProviderCrashed
from .processes import start, why_not_started
from .requests import encoded
from .session import Session

SHUTDOWN_GRACE: Final = 2.0
"""Seconds that a provider has to end after it was said goodbye to."""


class StdioChannel:
    """Starts a provider when it is opened, and again when it is opened after a failure."""

    is_egress = False
    has_session = True

    def __init__(
        self,
        provider_id: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        directory: str | None = None,
        grace: float = SHUTDOWN_GRACE,
        max_line: int = MAX_BYTES,
    ) -> None:
        self._provider_id = provider_id
        self._command = tuple(command)
        self._environment = environment
        self._directory = directory
        self._grace = grace
        self._max_line = max_line
        self._session: Session | None = None

    @property
    def is_open(self) -> bool:
        """Whether a process runs that has done nothing wrong yet."""
        return self._session is not None and self._session.is_open

    async def open(self) -> None:
        """Start the process."""
        await self.abort()
        try:
            running = await start(self._command, self._environment, self._directory)
        except (OSError, ValueError, IndexError) as error:
            raise ProviderCrashed(self._provider_id, why_not_started(error)) from None
        self._session = Session(self._provider_id, running, self._max_line)

    async def exchange(self, request: Envelope) -> Envelope:
        """Send a line, and wait for the line that answers it."""
        if self._session is None:
            raise ConnectionClosed(self._provider_id, "its process is not running")
        line = encoded(self._provider_id, request) + b"\n"
        return await self._session.exchange(line, getattr(request, "id", None))

    async def abort(self) -> None:
        """Kill the process and its group."""
        await self._end(0.0)

    async def close(self) -> None:
        """Say goodbye, wait a little, and kill what is left of the group."""
        if self._session is not None and self._session.is_open:
            with anyio.move_on_after(self._grace, shield=True):
                await self._session.say(encode(Shutdown()) + b"\n")
        await self._end(self._grace)

    async def _end(self, grace: float) -> None:
        session = self._session
        if session is not None:
            await session.end(grace)
            self._session = None if self._session is session else self._session
