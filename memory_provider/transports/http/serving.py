"""The server: where it listens, who may ask, how it ends."""

from __future__ import annotations

import asyncio
import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from ...access.audit import AuditLog
from ...access.token_file import TokenFile
from ...errors import InvalidInput
from ...loopback import is_loopback
from ...memory.api import Memory
from ...memory.places import place_of
from ...provider import Provider, data_flow
from ..reaching import Reach
from .addresses import listen, url
from .app import make_app
from .authorization import Anybody, AnybodyHere, Authorization, Bearers
from .connections import connection_class
from .limits import Limits
from .tls import tls_context

if TYPE_CHECKING:
    from ...attestation import SigningKey


@dataclass(frozen=True)
class Serving:
    """How a memory is served over HTTP."""

    host: str = "127.0.0.1"
    port: int = 8080
    """0 is any that is free."""
    tokens: str | None = None
    """The file of tokens; requests without one of them are refused."""
    insecure_no_auth: bool = False
    """Serve an address that others can reach, and ask nobody who they are."""
    certificate: str | None = None
    key: str | None = None
    limits: Limits = field(default_factory=Limits)
    signing_key: SigningKey | None = None
    """What signs the answers; None leaves them unsigned."""
    audit: str | None = None
    """The file that is told who asked for what."""


def run_http(
    store_url: str | None, scope: str, serving: Serving, announce: Callable[[str], None] = lambda url: None
) -> int:
    """Serve until SIGTERM or SIGINT, then finish what is in flight; the exit code.

    `announce` is told the address once it can be asked. Raises `InvalidInput` before anything is served.
    """
    authorization = authorization_for(serving)
    place = place_of(store_url)

    def memory() -> Memory:
        return Memory.open(store_url, scope=scope)

    memory()  # refuses a bad name now
    if serving.key and not serving.certificate:
        raise InvalidInput("--tls-key is of no use without --tls-cert")
    context = tls_context(serving.certificate, serving.key) if serving.certificate else None
    flow = data_flow(local=place.local, host=place.host)
    audit = None if serving.audit is None else AuditLog(serving.audit).write
    provider = Provider(memory, data_flow=flow, key=serving.signing_key, audit=audit)
    reach = Reach(memory, remote=place.host is not None)
    limits = serving.limits
    config = uvicorn.Config(
        make_app(provider, reach, authorization, limits),
        http=connection_class(limits.slow),
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=math.ceil(limits.idle),
        timeout_graceful_shutdown=math.ceil(limits.grace),
    )
    config.load()
    config.ssl = context
    sockets = listen(serving.host, serving.port)
    where = url(sockets[0], serving.host, tls=context is not None)
    asyncio.run(Server(config, lambda: announce(where)).serve(sockets))
    return 0


def authorization_for(serving: Serving) -> Authorization:
    """Who may ask. Raises `InvalidInput` where that would be anybody, and nobody has said so."""
    if serving.tokens is not None:
        if serving.insecure_no_auth:
            raise InvalidInput("--insecure-no-auth asks nobody for a token, and --tokens everybody: give one")
        tokens = TokenFile(serving.tokens)
        tokens.tokens()  # refuses a bad file now
        return Bearers(tokens)
    if serving.insecure_no_auth:
        return Anybody()
    if is_loopback(serving.host):
        return AnybodyHere()
    raise InvalidInput(
        f"--host {serving.host} can be reached from other machines, and nothing says who may ask: give --tokens "
        "FILE, listen on 127.0.0.1, or give --insecure-no-auth to answer anybody"
    )


class Server(uvicorn.Server):
    """uvicorn's, which says when it listens, and ends of itself when it is asked to."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._started = started

    async def main_loop(self) -> None:
        """Say that it listens, and serve."""
        self._started()
        await super().main_loop()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let SIGTERM and SIGINT end it; uvicorn would send them again afterwards, and no exit code would be 0."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._end) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.should_exit = True  # a second signal breaks nothing off: whatever was begun ends in its time


__all__ = ["Serving", "authorization_for", "run_http"]
