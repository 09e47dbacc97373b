"""Asking: what a host adds to the slowest of many providers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

import anyio

from memory_provider.host import Host, InProcessChannel
from memory_provider.host.outcomes import Frames as FramesOutcome
from memory_provider.protocol import (
    Capabilities,
    ContextFrame,
    ContextQuery,
    ContextQueryResult,
    DataFlow,
    Envelope,
    Frames,
    HandshakeAck,
    ProviderInfo,
    Query,
    QueryCapability,
)

from ..measuring import Effort, compare
from ..results import Row, compared
from .composing import offered

PROVIDERS = 20
SLOWEST = 0.2
"""Seconds."""
PART = f"Asking {PROVIDERS} providers at once, the slowest of which takes {SLOWEST * 1000:.0f} ms"
QUERY = ContextQuery(goal="where is the kettle", max_frames=100, max_tokens=100_000)


class Delayed:
    """A provider in this process that takes its time, with as many frames as its share of a thousand."""

    def __init__(self, number: int, seconds: float, frames: tuple[ContextFrame, ...]) -> None:
        self.seconds = seconds
        self._result = ContextQueryResult(frames=frames, truncated=False)
        self._ack = HandshakeAck(
            protocol_version="contextgraph/1.0",
            provider=ProviderInfo(
                name=f"provider-{number}",
                version="1",
                data_flow=DataFlow(reads=True, writes=False, egress=False),
            ),
            capabilities=Capabilities(query=QueryCapability(kinds=("fact",)), correlation=True),
        )

    async def answer(self, envelope: Envelope, /) -> Envelope | None:
        """The same frames to every query, after so many seconds."""
        if isinstance(envelope, Query):
            await anyio.sleep(self.seconds)
            return Frames(id=envelope.id, result=self._result)
        return self._ack


async def run(effort: Effort) -> AsyncIterator[Row]:
    """Beside the slowest provider, called as the object it is."""
    delays = {
        "the others sooner, one after another": [SLOWEST * (n + 1) / PROVIDERS for n in range(PROVIDERS)],
        "all of them as slow": [SLOWEST] * PROVIDERS,
    }
    for what, seconds in delays.items():
        providers = _providers(seconds)
        async with Host() as host:
            for number, each in enumerate(providers):
                host.add(f"p{number}", InProcessChannel(f"p{number}", each))

            async def ours(query: ContextQuery, host: Host = host) -> Any:
                outcomes = await host.query(query)
                assert all(isinstance(each, FramesOutcome) and len(each.frames) == 50 for each in outcomes)

            async def slowest(query: ContextQuery, provider: Delayed = providers[-1]) -> Any:
                await provider.answer(Query(id="q1", query=query))

            found = await compare(ours, slowest, [QUERY], effort)
            began = time.process_time()
            for _ in range(effort.calls):
                await ours(QUERY)
            spent = (time.process_time() - began) / effort.calls * 1000
        note = f"1,000 frames, each of them audited: {spent:.0f} ms of CPU"
        yield compared(PART, "", what, found, "<= 1.15", note)


def _providers(seconds: list[float]) -> list[Delayed]:
    frames = [each.frame for each in offered()]
    return [Delayed(n, each, tuple(frames[n::PROVIDERS])) for n, each in enumerate(seconds)]
