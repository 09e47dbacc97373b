"""Whoever asks for help reads whole sentences, also in a narrow window."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from memory_provider.cli.app import cli


def groups(command: click.Command, parent: click.Context | None = None) -> Iterator[click.Context]:
    """A context for each group of commands there is."""
    context = click.Context(command, parent, info_name=command.name, **command.context_settings)
    if isinstance(command, click.Group):
        yield context
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from groups(found, context)


GROUPS = {context.command_path: context for context in groups(cli)}


@pytest.mark.parametrize("path", GROUPS)
def test_no_command_is_described_by_half_a_sentence(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = GROUPS[path].get_help().splitlines()
    described = lines[lines.index("Commands:") + 1 :]
    assert described
    assert [line for line in described if line.endswith("...")] == []
