"""A group whose commands are imported when they are called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Commands by name, each with the module and the name it is found under: `{"facts": ".facts:facts"}`."""

    def __init__(self, *arguments: Any, homes: Mapping[str, str], package: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._homes = homes
        self._package = package

    def list_commands(self, context: click.Context) -> list[str]:
        """All of them, in the order they were given."""
        return list(self._homes)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Import one command."""
        if name not in self._homes:
            return None
        module, _, attribute = self._homes[name].partition(":")
        command = getattr(import_module(module, self._package), attribute)
        assert isinstance(command, click.Command)
        return command
