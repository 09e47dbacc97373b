"""`host verify`: which frames held from an earlier query may still be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...failures import Nothing
from ...hosting.consents import consents_option, named_file
from ...hosting.held_frames import held_frames
from ...hosting.providers import providers_of, providers_options, timeout_option
from ...hosting.running import run
from ...hosting.verifications import print_verification, verification_shape
from ...settings import Settings, json_option, scope_option, store_option
from ...showing.output import print_json

if TYPE_CHECKING:
    from ....host import ConsentFile, Verification


@click.command()
@click.argument("file", metavar="FILE | -")
@providers_options
@consents_option
@timeout_option
@store_option
@scope_option
@json_option
@click.pass_obj
def verify(settings: Settings, /, file: str, consents: ConsentFile, **whom: Any) -> None:
    """Ask providers whether the frames in FILE still stand.

    FILE is what `host query --json` printed. Each provider is asked for its own frames and has to be called as it was
    then. A frame is retained only where its provider says that it is valid; all others are dropped, with the reason.
    Exit code 1: not all are retained.
    """
    providers = providers_of(**whom)
    held = held_frames(file)

    async def asking() -> Verification:
        async with providers.connected(settings, consents) as host:
            return await host.verify(held)

    verification = run(settings, asking)
    if settings.json:
        print_json(verification_shape(verification))
    elif held:
        print_verification(verification, providers, named_file())
    if not held:
        raise Nothing("there are no frames to verify")
    if verification.dropped:
        raise Nothing(f"{len(verification.dropped)} of {len(held)} dropped")
