"""The provider over stdin and stdout: one message a line.

The main thread reads. What needs no memory it answers itself; a handshake therefore comes back before an event loop,
a driver or a store has been loaded. The first question that needs the memory starts a loop in a second thread, and
from then on that thread answers.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from ..protocol import BAD_REQUEST, MAX_BYTES, Error
from ..provider import Pending, Provider, Settled, data_flow
from .lines import TOO_LONG, Line, LineSplitter
from .signals import Interrupted, Patience, until_signalled
from .streams import LineWriter, take_streams

if TYPE_CHECKING:
    from ..attestation import SigningKey
    from ..memory.api import Memory
    from ..provider.auditing import Audit
    from .answering import Answering

GRACE: Final = 0.8
"""Seconds that requests in hand get to be finished once the host has said goodbye. It kills after 2."""

CHUNK: Final = 65_536
"""Bytes read at a time: what a pipe holds."""


def run_stdio(
    store_url: str | None,
    scope: str,
    *,
    key: SigningKey | None = None,
    audit: str | None = None,
    backend: str = "asyncio",
) -> int:
    """Serve a scope's memory on stdin and stdout until a shutdown, the end of the input or SIGTERM; the exit code.

    Stdout becomes the protocol's alone. The store is opened when the first question comes; `backend` names the event
    loop it is used from (Neo4j's driver needs asyncio); what is answered is signed with `key`; `audit` names the
    file that is told who asked for what. Raises `InvalidAddress` or `AuditError` before anything is read.
    """
    from ..memory.places import place_of

    place = place_of(store_url)

    def memory() -> Memory:
        from ..memory.api import Memory

        return Memory.open(store_url, scope=scope)

    flow = data_flow(local=place.local, host=place.host)
    provider = Provider(memory, data_flow=flow, key=key, audit=_audit(audit))
    ended = serve(provider, *take_streams(), backend=backend, remote=memory if place.host else None)
    if not (ended and _threads_end(GRACE / 4)):
        # A worker is stuck in a call nobody can take back. Nothing that was acknowledged is lost: that was durable.
        sys.stderr.flush()
        os._exit(0)
    return 0


def _audit(path: str | None) -> Audit | None:
    if path is None:
        return None
    from ..access.audit import AuditLog

    return AuditLog(path).write


def serve(
    provider: Provider,
    source: int,
    sink: int,
    *,
    backend: str = "asyncio",
    remote: Callable[[], Memory] | None = None,
) -> bool:
    """Answer what comes from the descriptor `source` on the descriptor `sink`, until there is no more.

    `remote` opens one more memory on a store that a network lies before, to ask whether it is there.
    Returns whether everything that was begun has ended, too.
    """
    writer = LineWriter(sink)
    answering: Answering | None = None
    with until_signalled() as patience:
        try:
            for line in _lines(source, patience):
                message = _too_long() if line == TOO_LONG else provider.receive(line)
                if isinstance(message, Settled) and message.stop:
                    break
                if answering is None and isinstance(message, Pending):
                    answering = _start(provider, writer, patience, backend, remote)
                if answering is not None and (isinstance(message, Pending) or message.id is None):
                    answering.take(message)
                elif isinstance(message, Settled) and (reply := provider.to_bytes(message)) is not None:
                    patience.wait(partial(writer.write, reply))
                if writer.closed:
                    break
        except Interrupted:
            pass
        return answering is None or answering.close()


def _start(
    provider: Provider,
    writer: LineWriter,
    patience: Patience,
    backend: str,
    remote: Callable[[], Memory] | None,
) -> Answering:
    from .answering import Answering
    from .reaching import Reach

    reach = Reach(remote, remote=True) if remote else None
    return Answering(provider, writer, patience, backend, GRACE, reach)


def _lines(source: int, patience: Patience) -> Iterator[Line]:
    splitter = LineSplitter()
    while chunk := patience.wait(lambda: os.read(source, CHUNK)):
        yield from splitter.feed(chunk)
    yield from splitter.end()


def _too_long() -> Settled:
    message = f"a line is longer than the limit of {MAX_BYTES} bytes and was skipped"
    return Settled(Error(code=BAD_REQUEST, message=message))


def _threads_end(seconds: float) -> bool:
    """Whether no thread is left that would keep the process from ending."""
    import threading

    until = time.monotonic() + seconds
    others = [
        each for each in threading.enumerate() if not each.daemon and each is not threading.current_thread()
    ]
    for each in others:
        each.join(timeout=max(until - time.monotonic(), 0))
    return not any(each.is_alive() for each in others)
