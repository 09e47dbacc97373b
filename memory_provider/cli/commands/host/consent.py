"""`host consent`: which providers may be asked although that leaves this machine."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ....host.errors import peer_text
from ....protocol import format_timestamp, parse_timestamp
from ...confirming import confirm
from ...failures import Nothing
from ...hosting.consents import consents_option
from ...hosting.providers import providers_of, providers_options
from ...hosting.running import run
from ...options.time_options import Unbounded, when_option
from ...settings import Settings, json_option, store_option, zone_option
from ...showing.output import note, print_json
from ...showing.shapes import Shape
from ...showing.tables import print_table

if TYPE_CHECKING:
    from ....host import ConsentFile, Declaration, Grantor
    from ....host.consent import Standing


@click.group(no_args_is_help=False)
def consent() -> None:
    """Grant, list and revoke consent to ask providers.

    It is needed where what a provider is asked leaves this machine, and over HTTP always.
    """


@consent.command()
@click.argument("provider_id", metavar="ID")
@partial(providers_options, one=True)
@click.option(
    "--scope",
    "scopes",
    metavar="SCOPE",
    multiple=True,
    help="Grant this scope of those that it declares; may be repeated.",
)
@click.option("--all-scopes", is_flag=True, help="Grant every scope that it declares.")
@when_option("--until", "Until when; `never` or left out: until it is revoked.", unbounded="never")
@click.option("--by", "person", metavar="WHO", help="Who grants it.  [you]")
@click.option("--by-policy", "policy", metavar="RULE", help="The rule by which it is granted, and no person.")
@click.option("--yes", is_flag=True, help="Grant it without asking.")
@zone_option
@store_option
@consents_option
@json_option
@click.pass_obj
def grant(
    settings: Settings,
    /,
    provider_id: str,
    scopes: tuple[str, ...],
    all_scopes: bool,
    until: datetime | Unbounded | None,
    person: str | None,
    policy: str | None,
    yes: bool,
    consents: ConsentFile,
    **whom: Any,
) -> None:
    """Consent to asking a provider.

    ID is what queries and verifications call it. The provider is greeted and nothing more, and what it declares is
    shown. The consent is to it as it is now: once its name, its version or its declaration changes, it is asked for
    again. Exit code 1: the provider could not be greeted.
    """
    from ....host import HostError, consents_to, wall_clock
    from ....host.consent import Standing

    providers = providers_of(**whom, called=provider_id)
    if providers.ids != (provider_id,):
        raise click.UsageError(
            f"one provider is granted consent at a time, and is called {provider_id} here",
            click.get_current_context(),
        )
    if scopes and all_scopes:
        raise click.UsageError("give --scope or --all-scopes, not both", click.get_current_context())
    grantor, now = _grantor(person, policy), wall_clock()
    expires_at = _end(until, now)
    settings.tell()

    async def greeting() -> Declaration:
        async with providers.connected(settings) as host:
            return await host.declaration(provider_id)

    try:
        declared = run(settings, greeting)
    except HostError as problem:
        raise Nothing(f"nothing granted: {problem}") from None
    note(*declaration_lines(provider_id, declared))
    granted = consents_to(
        provider_id,
        declared.ack,
        declared.data_flow,
        grantor,
        format_timestamp(now),
        expires_at=expires_at,
        scopes=scopes or None,
    )
    found = [Standing(each, "active") for each in granted]
    if declared.data_flow.off_machine_scopes and not (scopes or all_scopes):
        missing = ", ".join(map(peer_text, declared.data_flow.off_machine_scopes))
        raise click.UsageError(
            f"say to which of its scopes: --all-scopes, or --scope for each of {missing}",
            click.get_current_context(),
        )
    if found and not yes:
        purposes = ", ".join(map(_purpose, found))
        confirm(
            f"Grant {provider_id}: {purposes}?",
            otherwise=f"this grants {provider_id}: {purposes}; give --yes to do it",
        )
    if found:
        consents.grant(*granted)
    if settings.json:
        print_json({"granted": [consent_shape(each) for each in found]})
    if not found:
        note(f"{provider_id} needs no consent: what it is asked stays on this machine")
    note(*(f"granted {provider_id}: {_purpose(each)}, {_until(each)}" for each in found))


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
    """Take back what the provider ID was granted.

    It holds from the next question on. Exit code 1: it was granted nothing, or that was revoked already.
    """
    from ....host import wall_clock
    from ....host.consent import Standing

    at = format_timestamp(wall_clock())
    gone = [Standing(each, "revoked", at) for each in consents.revoke(provider_id, at, scope)]
    if settings.json:
        print_json({"revoked": [consent_shape(each) for each in gone]})
    if not gone:
        raise Nothing(f"{provider_id} was granted nothing that is not revoked")
    note(*(f"revoked {provider_id}: {_purpose(each)}" for each in gone))


def declaration_lines(provider_id: str, declared: Declaration) -> list[str]:
    """What a provider declares, for people."""
    info, flow = declared.ack.provider, declared.data_flow
    does = " and ".join(word for word, so in (("reads", flow.reads), ("writes", flow.writes)) if so)
    lines = [
        f"{provider_id} says that it is {peer_text(info.name)} {peer_text(info.version)}, and that it "
        f"{does or 'neither reads nor writes'}"
    ]
    if flow.off_machine_scopes:
        scopes = ", ".join(map(peer_text, flow.off_machine_scopes))
        lines.append(f"what it is asked leaves this machine, and goes on to: {scopes}")
    elif flow.egress and not info.data_flow.egress:
        lines.append("it says that what it is asked stays where it is; over HTTP that counts as leaving")
    elif flow.egress:
        lines.append("what it is asked leaves this machine")
    return lines


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
        f"{peer_text(consent.pin.name)} {peer_text(consent.pin.version)}",
        consent.grantor.id,
        consent.expires_at or "never",
        standing.state,
    )


def _grantor(person: str | None, policy: str | None) -> Grantor:
    from ....host import Grantor

    if person is not None and policy is not None:
        raise click.UsageError("give --by or --by-policy, not both", click.get_current_context())
    if policy is not None:
        return Grantor("policy", policy)
    if person is None:
        from getpass import getuser

        try:
            person = getuser()
        except (OSError, KeyError, ImportError):
            raise click.UsageError("say who grants it: --by WHO", click.get_current_context()) from None
    return Grantor("human", person)


def _end(until: datetime | Unbounded | None, now: int) -> str | None:
    from ....provider.instants import written

    if until is None or isinstance(until, Unbounded):
        return None
    end = written(until)
    if end is not None and parse_timestamp(end) <= now:
        raise click.BadParameter(f"{end} is over", param_hint="'--until'")
    return end


def _until(standing: Standing) -> str:
    end = standing.consent.expires_at
    return f"until {end}" if end else "until it is revoked"


def _purpose(standing: Standing) -> str:
    return peer_text(standing.scope) if standing.scope else "any question"
