"""A provider's process: started with a bare environment in a group of its own, and ended with all of its group."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import anyio
from anyio.abc import Process

from .pipes import PipeReader, PipeWriter

logger = logging.getLogger(__name__)

PASSED_ON: Final = ("PATH", "HOME")
"""What a provider gets of this process's environment."""

REAPING_SECONDS: Final = 5.0
"""How long a killed process is waited for. One that may not be killed, as it runs for somebody else, is left behind."""


class Running(NamedTuple):
    """A process, and the pipes to it."""

    process: Process
    stdin: PipeWriter
    stdout: PipeReader


def why_not_started(problem: Exception) -> str:
    """What `start` raised, in words."""
    if isinstance(problem, OSError) and problem.strerror and problem.filename is not None:
        return f"it could not be started: {problem.strerror}: {problem.filename!r}"
    return f"it could not be started: {problem}"


def scrubbed_environment(additions: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a provider: no secrets of this process but those given on purpose."""
    return {**{name: os.environ[name] for name in PASSED_ON if name in os.environ}, **(additions or {})}


async def start(
    command: Sequence[str], environment: Mapping[str, str] | None = None, directory: str | None = None
) -> Running:
    """The process, its standard error being this one's. Cannot be cancelled: one half started would be nobody's to end.

    Raises `OSError`, and `ValueError` or `IndexError` for what is no command.
    """
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        reads, to_process = os.pipe()
        theirs.callback(os.close, reads)
        stdin = PipeWriter(to_process)
        ours.callback(stdin.close)
        from_process, writes = os.pipe()
        theirs.callback(os.close, writes)
        stdout = PipeReader(from_process)
        ours.callback(stdout.close)
        with anyio.CancelScope(shield=True):
            process = await anyio.open_process(
                list(command),
                stdin=reads,
                stdout=writes,
                stderr=None,
                cwd=directory,
                env=scrubbed_environment(environment),
                start_new_session=True,
            )
        ours.pop_all()
    return Running(process, stdin, stdout)


async def end(running: Running, grace: float = 0.0) -> None:
    """Wait so many seconds for it to end by itself, then kill what is left of its group. Cannot be cancelled."""
    process = running.process
    with anyio.CancelScope(shield=True):
        running.stdin.close()
        if grace > 0:
            with anyio.move_on_after(grace):
                await process.wait()
        _kill_group(process)
        running.stdout.close()
        with anyio.move_on_after(REAPING_SECONDS) as reaping:
            await process.wait()
        if reaping.cancelled_caught:
            logger.warning("process %d was killed and did not end", process.pid)


def _kill_group(process: Process) -> None:
    """The group outlives its first process as long as others are in it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
