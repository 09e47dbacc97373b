"""A host and providers in processes of their own: this project's, and the example of the protocol's own crates."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from memory_provider import Memory
from memory_provider.host import Host, StdioChannel, compose_answers, usage_report
from memory_provider.host.outcomes import Frames
from memory_provider.protocol import ContextQuery, HandshakeAck

pytestmark = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "memory-provider" / "conformance"
EXAMPLES = sorted(CACHE.glob("*/bin/contextgraph-example-docs"))
QUERY = ContextQuery(goal="where is the kettle", query_text="kettle", max_frames=8, max_tokens=2000)


async def served(store: str) -> StdioChannel:
    async with Memory.open(store, scope="acme/alice") as memory:
        await memory.assert_fact("kettle", "stands_on", "the blue shelf", by="alice")
    command = [
        sys.executable,
        "-m",
        "memory_provider",
        "--store",
        store,
        "--scope",
        "acme/alice",
        "serve",
        "stdio",
    ]
    return StdioChannel("memory", command)


async def test_a_memory_is_asked_and_its_frames_are_verified(tmp_path: Path) -> None:
    async with Host() as host:
        host.add("memory", await served(f"sqlite:///{tmp_path / 'm.db'}"))
        [outcome] = await host.query(QUERY)
        assert isinstance(outcome, Frames), outcome
        assert not outcome.quarantined and not outcome.reports
        assert "blue shelf" in compose_answers([outcome], 2000).text
        assert usage_report([outcome], 2000).is_consistent
        held = [each.identity for each in outcome.frames]
        assert list((await host.verify(held)).retained) == held


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.parts[-3])
async def test_a_provider_that_nobody_here_wrote_is_asked_beside_a_memory(
    example: Path, tmp_path: Path
) -> None:
    async with Host() as host:
        host.add("memory", await served(f"sqlite:///{tmp_path / 'm.db'}"))
        host.add("docs", StdioChannel("docs", [str(example)]))
        ack = (await host.greet())["docs"]
        assert isinstance(ack, HandshakeAck), ack
        memory, docs = await host.query(QUERY)
        assert isinstance(memory, Frames) and memory.frames
        assert isinstance(docs, Frames), docs
        composed = compose_answers([memory, docs], 2000)
        assert composed.audit.tokens_used <= 2000
        assert len(composed.audit.entries) == sum(
            len(each.frames) + len(each.quarantined) for each in (memory, docs)
        )
