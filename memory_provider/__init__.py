"""Long-term memory for agents with two clocks: what was true as of a moment, and what was known at one.

The public names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from ._version import __version__

TYPE_CHECKING = False  # not from `typing`, whose import would be half of what `--version` takes
if TYPE_CHECKING:
    from typing import Any

    from .memory.api import Memory as Memory
    from .memory.values import Entity as Entity

_HOMES = {"Memory": "memory_provider.memory.api", "Entity": "memory_provider.memory.values"}

__all__ = ["Entity", "Memory", "__version__"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)
