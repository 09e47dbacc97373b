"""What a host logs, where its commands say the same to people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..settings import Settings


@contextmanager
def quietly(settings: Settings) -> Iterator[None]:
    """Without a log that was asked for, `logging` would print every warning of the host, traceback and all."""
    import logging

    logger, nothing = logging.getLogger("memory_provider.host"), logging.NullHandler()
    if settings.log_format is None:
        logger.addHandler(nothing)
    try:
        yield
    finally:
        logger.removeHandler(nothing)
