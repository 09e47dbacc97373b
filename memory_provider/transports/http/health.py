"""Whether the process runs, and whether it can serve: for those who start, watch and stop it."""

from __future__ import annotations

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...errors import MemoryProviderError, StoreUnavailable
from ..reaching import Reach
from .metrics import Metrics

FRESH = 1.0
"""Seconds for which an answer of the store counts, so that asking often costs it nothing."""


class Health:
    """Answers `/healthz` and `/readyz`."""

    def __init__(self, reach: Reach, metrics: Metrics) -> None:
        self._reach = reach
        self._metrics = metrics
        self._turn = anyio.Lock()
        self._asked = float("-inf")
        self._found: dict[str, object] = {}

    async def healthz(self, request: Request) -> Response:
        """The process runs."""
        return JSONResponse({"status": "ok"})

    async def readyz(self, request: Request) -> Response:
        """The store can be reached and has had every migration; 503 where not."""
        async with self._turn:
            if anyio.current_time() - self._asked > FRESH:
                self._found = await self._look()
                self._asked = anyio.current_time()
        ready = self._found["status"] == "ready"
        self._metrics.store(ready)
        return JSONResponse(self._found, 200 if ready else 503)

    async def _look(self) -> dict[str, object]:
        try:
            pending = list(await self._reach.pending())
        except StoreUnavailable:
            return {"status": "unavailable", "store": "cannot be reached"}
        except MemoryProviderError:
            return {"status": "unavailable", "store": "cannot be used; the log says why"}
        if pending:
            return {"status": "unavailable", "store": "lacks migrations", "pending": pending}
        return {"status": "ready"}
