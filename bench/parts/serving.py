"""Serving over HTTP: many clients at one time, some that stall, and what the server's memory does meanwhile."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any
from urllib.request import urlopen

import anyio
from anyio.to_thread import run_sync

from ..clients import Load, connected, load, question, stalled
from ..loading import progress
from ..measuring import Effort, compare
from ..results import Row, compared
from ..stores import SCOPE, Measured
from .reads import CLASSES
from .starting import environment

STALLED = 48
ROUNDS = 8
"""Of seconds with clients that stall and without, each going first every other time."""


async def run(measured: Measured, effort: Effort, clients: int, seconds: float) -> AsyncIterator[Row]:
    """One client beside the memory in this process; many clients; many clients and others that stall."""
    part = f"Over HTTP, {clients} clients"
    texts = [text for kind in CLASSES for text in measured.corpus.questions(kind)]
    bodies = [question(text) for text in texts]
    with _server(measured.url) as url:
        async with connected(url) as client:

            async def over_http(text: str) -> Any:
                return await client.ask(question(text))

            async def in_process(text: str) -> Any:
                return await measured.memory.at().recall(text, max_tokens=2000, max_frames=10)

            found = await compare(over_http, in_process, texts, effort)
        yield compared(part, measured.name, "one client, beside the recall alone", found)
        progress(f"{measured.name}: {clients} clients for {seconds:g} s")
        await load(url, bodies, clients, min(5.0, seconds / 4))
        memory: list[float] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_watch, url, memory)
            everyone = await load(url, bodies, clients, seconds)
            tasks.cancel_scope.cancel()
        yield Row(
            part,
            measured.name,
            f"recall, rare to common words and names, {seconds:g} s",
            f"{shown(everyone)}, {len(everyone.took) / everyone.seconds:,.0f} a second",
            value=float(len(everyone.errors)),
            unit="errors",
            target="<= 0",
            note="; ".join([f"{len(everyone.took):,} answers", *sorted(set(everyone.errors))[:3]]),
        )
        third = max(1, len(memory) // 3)
        early, late = median(memory[:third]), median(memory[-third:])
        yield Row(
            part,
            measured.name,
            "the server's memory, last third beside the first",
            f"{late / 2**20:.0f} MiB",
            f"{early / 2**20:.0f} MiB",
            late / early,
            target="<= 1.1",
        )
        yield await _beside_stalled(part, measured, url, bodies, clients, seconds / 12)


async def _beside_stalled(
    part: str, measured: Measured, url: str, bodies: list[bytes], clients: int, seconds: float
) -> Row:
    alone, beside, ratios = Load(), Load(), []
    for number in range(ROUNDS):
        if number % 2:
            before = await load(url, bodies, clients, seconds)
        async with stalled(url, STALLED):
            among = await load(url, bodies, clients, seconds)
        if not number % 2:
            before = await load(url, bodies, clients, seconds)
        ratios.append(median(among.took) / median(before.took))
        for whole, its in ((alone, before), (beside, among)):
            whole.took += its.took
            whole.errors += its.errors
    failed = len(alone.errors) + len(beside.errors)
    return Row(
        part,
        measured.name,
        f"with {STALLED} more that stop sending or reading, beside none",
        shown(beside),
        shown(alone),
        median(ratios),
        spread=f"{min(ratios):.2f}–{max(ratios):.2f}",
        target="<= 1.25",
        note=f"{failed} errors" if failed else "no errors",
    )


def shown(found: Load) -> str:
    """The median, the 95th and the 99th percentile, in milliseconds."""
    ordered = sorted(found.took)
    at = [ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))] for share in (0.5, 0.95, 0.99)]
    return f"{' / '.join(f'{each * 1000:.0f}' for each in at)} ms"


@contextmanager
def _server(store: str) -> Iterator[str]:
    """A server process on the data; its address."""
    command = [sys.executable, "-m", "memory_provider", "--store", store, "--scope", SCOPE]
    command += ["serve", "http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stderr
        try:
            said = process.stderr.readline()
            found = re.search(r" at (http://\S+)", said)
            if found is None:
                raise RuntimeError(f"the server did not start: {said}{process.stderr.read()}")
            yield found[1]
        finally:
            process.terminate()
            process.wait(60)


async def _watch(url: str, memory: list[float]) -> None:
    """The server's resident memory, as it counts it itself."""

    def read() -> float:
        with urlopen(f"{url}metrics", timeout=60) as answer:
            found = re.search(rb"^process_resident_memory_bytes (\S+)$", answer.read(), re.MULTILINE)
        return float(found[1]) if found else 0.0

    while True:
        memory.append(await run_sync(read))
        await anyio.sleep(0.5)
