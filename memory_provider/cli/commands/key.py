"""`key`: the keys that sign what a provider answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..settings import Settings, json_option
from ..showing.output import note, print_json, print_lines

if TYPE_CHECKING:
    from ...attestation import SigningKey


@click.group()
def key() -> None:
    """Make and show the keys that sign what is served.

    `serve stdio --key FILE` and `serve http --key FILE` use them.
    """


@key.command("new")
@click.argument("file", metavar="FILE")
@json_option
@click.pass_obj
def new_key(settings: Settings, file: str) -> None:
    """Make a key and keep it in a new FILE that its owner alone can read.

    What is there already is never overwritten. Shown is the public half, for hosts to pin; the private one is in the
    file and nowhere else.
    """
    from ...attestation import create_key_file

    _show(settings, create_key_file(file))
    note(f"the private key is in {file}: whoever can read that can sign in your name")


@key.command("show")
@click.argument("file", metavar="FILE")
@json_option
@click.pass_obj
def show_key(settings: Settings, file: str) -> None:
    """Show the public half of the key in FILE."""
    from ...attestation import read_key_file

    _show(settings, read_key_file(file))


def _show(settings: Settings, signing_key: SigningKey) -> None:
    public = signing_key.public
    if settings.json:
        print_json({"key_id": public.key_id, "algorithm": public.algorithm, "public_key": public.public_key})
    else:
        print_lines(
            f"key id      {public.key_id}",
            f"algorithm   {public.algorithm}",
            f"public key  {public.public_key}",
        )
