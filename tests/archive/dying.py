"""Run as a program: imports an archive and kills itself after so many rows, or goes on to the end."""

from __future__ import annotations

import os
import signal
import sys

import anyio

from memory_provider import Memory
from memory_provider.archive import batching, import_archive, restamping


async def run(address: str, scope: str, archive: str, last: int, restamp: bool) -> None:
    """Import, in batches so small that a few are done before the end comes."""
    batching.BATCH, restamping.TRANSACTION = 20, 5

    def die(doing: str, done: int, total: int | None) -> None:
        if doing == "writing" and done >= last:
            os.kill(os.getpid(), signal.SIGKILL)

    async with Memory.open(address, scope=scope) as memory:
        await import_archive(memory, archive, restamp=restamp, progress=die)


if __name__ == "__main__":
    anyio.run(run, sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5] == "restamp")
