"""Running what asks providers, so that whatever ends it leaves none of them running."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ..settings import Settings
from .quiet import quietly

Answer = TypeVar("Answer")


def run(settings: Settings, question: Callable[[], Awaitable[Answer]]) -> Answer:
    """What a question answers. SIGINT, SIGTERM and SIGHUP, unless ignored, end it.

    Then it is a `KeyboardInterrupt`, once all is cleaned up.
    """
    import anyio

    with quietly(settings):
        if os.name != "posix":
            return anyio.run(question)
        return anyio.run(_until_signalled, question)


async def _until_signalled(question: Callable[[], Awaitable[Answer]]) -> Answer:
    import anyio

    answers: list[Answer] = []
    problems: list[Exception] = []  # raised below: a task group would wrap it
    # Providers are in groups of their own: a terminal that is closed does not end them.
    ending = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    heeded = [each for each in ending if signal.getsignal(each) is not signal.SIG_IGN]
    with anyio.open_signal_receiver(*heeded) as signals:
        async with anyio.create_task_group() as tasks:

            async def ask() -> None:
                try:
                    answers.append(await question())
                except Exception as problem:
                    problems.append(problem)
                tasks.cancel_scope.cancel()

            tasks.start_soon(ask)
            async for _ in signals:
                tasks.cancel_scope.cancel()
                break
    if problems:
        raise problems[0]
    if not answers:
        raise KeyboardInterrupt
    return answers[0]
