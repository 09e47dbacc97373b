"""Providers to point a host at: what each answers with, and whether it was asked."""

from __future__ import annotations

import json
import sys
from typing import Any

from memory_provider.host import Host, InProcessChannel, StdioChannel
from memory_provider.host.connections.in_process import Answers
from memory_provider.protocol import (
    VERSION,
    Capabilities,
    ContextFrame,
    ContextQuery,
    ContextQueryResult,
    DataFlow,
    Envelope,
    Frames,
    FrameVerdict,
    Handshake,
    HandshakeAck,
    ProviderInfo,
    Query,
    QueryCapability,
    Verified,
    Verify,
    VerifyResponse,
)
from memory_provider.protocol.encoding import plain
from tests.host.offering import offer

QUERY = ContextQuery(goal="where is the kettle", max_frames=8, max_tokens=1000)
LOCAL = DataFlow(reads=True, writes=False, egress=False)


def frame(id: str, content: str = "c", **members: Any) -> ContextFrame:
    """A frame with a label; its cost and digest are those of the content unless told otherwise."""
    return offer("", id, content, **{"citation_label": f"{id} label", "kind": "doc", **members}).frame


class Probe:
    """A provider in this process."""

    def __init__(
        self, name: str, *frames: ContextFrame, flow: DataFlow = LOCAL, version: str = VERSION
    ) -> None:
        self.ack = HandshakeAck(
            protocol_version=version,
            provider=ProviderInfo(name=name, version="0.0.1", data_flow=flow),
            capabilities=Capabilities(query=QueryCapability(kinds=("doc", "fact")), verify=True),
        )
        self.answered = Frames(result=ContextQueryResult(frames=frames, truncated=False))
        self.asked: list[Query] = []

    async def answer(self, envelope: Envelope, /) -> Envelope | None:
        if isinstance(envelope, Handshake):
            return self.ack
        if isinstance(envelope, Query):
            self.asked.append(envelope)
            return self.answered.replace(id=envelope.id)
        if isinstance(envelope, Verify):
            verdicts = tuple(FrameVerdict(frame=frame, status="valid") for frame in envelope.request.frames)
            return Verified(response=VerifyResponse(verdicts=verdicts))
        return None

    def process(self, id: str, *, ends: bool = False) -> StdioChannel:
        """The same in a process of its own, which answers one question, or ends instead."""
        said = [json.dumps(plain(self.ack)), json.dumps(plain(self.answered))]
        script = "\n".join(
            [
                "import sys, json",
                "ack, answer = json.loads(sys.argv[1])",
                "sys.stdin.readline(); print(ack, flush=True)",
                "if sys.argv[2] == 'ends': sys.exit(0)",
                "sys.stdin.readline(); print(answer, flush=True)",
                "sys.stdin.read()",
            ]
        )
        return StdioChannel(
            id, [sys.executable, "-c", script, json.dumps(said), "ends" if ends else "answers"]
        )


def adding(host: Host, **providers: Answers | StdioChannel) -> Host:
    """The host with these providers, under the names of the arguments."""
    for id, provider in providers.items():
        host.add(id, provider if isinstance(provider, StdioChannel) else InProcessChannel(id, provider))
    return host
