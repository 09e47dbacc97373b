"""`host consent`: which providers may be asked although that leaves this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...failures import Nothing
from ...hosting.consents import consents_option
from ...output import note, print_json
from ...settings import Settings, json_option
from ...shapes import Shape
from ...tables import print_table

if TYPE_CHECKING:
    from ....host import ConsentFile
    from ....host.consent import Standing


@click.group(no_args_is_help=False)
def consent() -> None:
    """Consent to ask providers from which data leaves this machine, list it, and take it back."""


@consent.command("list")
@consents_option
@json_option
@click.pass_obj
def list_(settings: Settings, consents: ConsentFile) -> None:
    """List what was consented to; what has expired or was revoked, too."""
    from ....host import wall_clock
    from ....host.consent import standing

    found = standing(consents.ledger(), wall_clock())
    if settings.json:
        print_json({"consents": [consent_shape(each) for each in found]})
    elif found:
        columns = ["provider", "for", "who it is", "granted by", "until", "state"]
        print_table(columns, [_row(each) for each in found], text=2, ids=0)
    if not found:
        note("nothing found")


@consent.command()
@click.argument("provider_id", metavar="ID")
@click.option("--scope", metavar="SCOPE", help="Only what was granted for this scope.  [everything]")
@consents_option
@json_option
@click.pass_obj
def revoke(settings: Settings, provider_id: str, scope: str | None, consents: ConsentFile) -> None:
    """Take back what the provider ID was granted, from the next question on.

    Exit code 1: it was granted nothing, or that was revoked already.
    """
    from ....host import wall_clock
    from ....host.consent import Standing
    from ....protocol import format_timestamp

    at = format_timestamp(wall_clock())
    gone = [Standing(each, "revoked", at) for each in consents.revoke(provider_id, at, scope)]
    if settings.json:
        print_json({"revoked": [consent_shape(each) for each in gone]})
    if not gone:
        raise Nothing(f"{provider_id} was granted nothing that is not revoked")
    note(*(f"revoked {provider_id}: {_purpose(each)}" for each in gone))


def consent_shape(standing: Standing) -> Shape:
    """A consent as `--json` has it."""
    from ....protocol.encoding import plain

    consent = standing.consent
    return {
        "provider": consent.provider_id,
        "scope": standing.scope,
        "name": consent.pin.name,
        "version": consent.pin.version,
        "data_flow": plain(consent.pin.data_flow),
        "grantor": consent.grantor._asdict(),
        "granted_at": consent.granted_at,
        "expires_at": consent.expires_at,
        "revoked_at": standing.revoked_at,
        "state": standing.state,
    }


def _row(standing: Standing) -> tuple[str, ...]:
    consent = standing.consent
    return (
        consent.provider_id,
        _purpose(standing),
        f"{consent.pin.name} {consent.pin.version}",
        consent.grantor.id,
        consent.expires_at or "never",
        standing.state,
    )


def _purpose(standing: Standing) -> str:
    return standing.scope or "asking it"
