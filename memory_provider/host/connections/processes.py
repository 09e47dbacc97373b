"""A provider's process: started with a bare environment in a group of its own, and ended with all of its group."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import Final

import anyio
from anyio.abc import ByteReceiveStream, Process

PASSED_ON: Final = ("PATH", "HOME")
"""What a provider gets of this process's environment."""

DRAIN_SECONDS: Final = 1.0
CLOSED: Final = (
    anyio.EndOfStream,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.BusyResourceError,
)


def scrubbed_environment(additions: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a provider: no secrets of this process but those given on purpose."""
    return {**{name: os.environ[name] for name in PASSED_ON if name in os.environ}, **(additions or {})}


async def start(
    command: Sequence[str], environment: Mapping[str, str] | None = None, directory: str | None = None
) -> Process:
    """The process, its standard error being this one's. Raises `OSError`."""
    return await anyio.open_process(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None,
        cwd=directory,
        env=scrubbed_environment(environment),
        start_new_session=True,
    )


async def end(process: Process, grace: float = 0.0) -> None:
    """Wait so many seconds for it to end by itself, then kill what is left of its group. Cannot be cancelled."""
    with anyio.CancelScope(shield=True):
        if process.stdin is not None:
            with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
                await process.stdin.aclose()
        if grace > 0:
            with anyio.move_on_after(grace):
                await process.wait()
        _kill_group(process)
        if process.stdout is not None:
            await _drain(process.stdout)
        await process.wait()
        if process.stdout is not None:
            await process.stdout.aclose()


async def _drain(stream: ByteReceiveStream) -> None:
    """Read what the dead left in the pipe, so that it is seen to be closed. Somebody who left the group may hold it."""
    with anyio.move_on_after(DRAIN_SECONDS), contextlib.suppress(*CLOSED):
        while True:
            await stream.receive()


def _kill_group(process: Process) -> None:
    """The group outlives its first process as long as others are in it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
