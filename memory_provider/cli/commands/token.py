"""`token`: who may ask a server, in which scopes and with which rights."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ...access.principal import EVERY_SCOPE, LABEL_KEYS
from ...access.rights import Right
from ..options.time_options import Unbounded, when_option
from ..settings import Settings, json_option, scope_option, zone_option
from ..showing.output import note, print_json, print_lines
from ..showing.shapes import Shape
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...access.tokens import Token

DAYS: Final = 90
"""How long a token is taken if nothing else is said."""

Command = TypeVar("Command", bound=Callable[..., Any])


def tokens_option(command: Command) -> Command:
    """`--tokens FILE`."""
    return click.option(
        "--tokens",
        "path",
        metavar="FILE",
        envvar="MEMORY_TOKENS",
        required=True,
        help="The file of tokens, which `serve http` takes, too.  [env MEMORY_TOKENS]",
    )(command)


@click.group(no_args_is_help=False)
def token() -> None:
    """Make, list and revoke tokens, for those who ask over HTTP."""


@token.command("create")
@click.argument("name")
@click.option(
    "--grant",
    "grants",
    metavar="SCOPE",
    multiple=True,
    help="Another scope that requests may name; `*` is every scope, and takes --right admin. Repeatable.",
)
@click.option(
    "--right",
    "rights",
    type=click.Choice([right.value for right in Right]),
    multiple=True,
    help="What may be done; none includes another. Repeatable.  [read]",
)
@click.option(
    "--label",
    "labels",
    metavar="KEY=VALUE",
    multiple=True,
    help=f"Whom it speaks for within its scopes; KEY is {', '.join(LABEL_KEYS)}. Repeatable.  [everybody]",
)
@when_option(
    "--expires", f"Until when it is taken; `never` for no end; left out: {DAYS} days.", unbounded="never"
)
@zone_option
@tokens_option
@scope_option
@json_option
@click.pass_obj
def create(
    settings: Settings,
    name: str,
    grants: tuple[str, ...],
    rights: tuple[str, ...],
    labels: tuple[str, ...],
    expires: datetime | Unbounded | None,
    path: str,
) -> None:
    """Make a token for NAME, and print it: this once.

    It is bound to the scope of --scope. Only its hash is kept. A server that has the file takes the token at once.
    Several tokens may have one name, so that a new one can take over before the old one is revoked.
    """
    from ...access.token_file import TokenFile
    from ...access.tokens import make_token
    from ...memory.values import check_name
    from ...temporal.instants import DAY, from_datetime, now

    settings.tell()
    made_at = now()
    for scope in (settings.scope, *(each for each in grants if each != EVERY_SCOPE)):
        check_name(scope, "the scope's name")
    if expires is None:
        end: int | None = made_at + DAYS * DAY
    else:
        end = None if isinstance(expires, Unbounded) else from_datetime(expires)
    made, text = make_token(
        name,
        settings.scope,
        scopes=grants,
        rights=[Right(each) for each in rights] or [Right.READ],
        labels=[_label(each) for each in labels],
        expires_at=end,
        now=made_at,
    )
    TokenFile(path).add(made)
    if settings.json:
        print_json({"token": text, **token_shape(made, made_at)})
    else:
        print_lines(text)
    note(f"token {made.id} for {_described(made)}; it is shown only now: {path} has its hash")


@token.command("list")
@tokens_option
@json_option
@click.pass_obj
def list_(settings: Settings, path: str) -> None:
    """List the tokens, those that are taken no more too. What opens the door is not kept, so it is not shown."""
    from ...access.token_file import TokenFile
    from ...temporal.instants import now

    at = now()
    found = list(TokenFile(path).tokens())
    if settings.json:
        print_json({"tokens": [token_shape(each, at) for each in found]})
    elif found:
        columns = ["id", "name", "scopes", "rights", "expires", "state"]
        print_table(columns, [_row(each, at) for each in found], text=2, ids=0)
    if not found:
        note("nothing found")


@token.command()
@click.argument("name_or_id", metavar="NAME|ID")
@tokens_option
@json_option
@click.pass_obj
def revoke(settings: Settings, name_or_id: str, path: str) -> None:
    """Take a token no more, from now on. Where several have the name, say which by its id.

    Exit code 1: there is no such token, or it was revoked already.
    """
    from ...access.token_file import TokenFile
    from ...temporal.instants import now

    at = now()
    gone = TokenFile(path).revoke(name_or_id, at)
    if settings.json:
        print_json({"revoked": token_shape(gone, at)})
    note(f"revoked token {gone.id} for {gone.name}")


def token_shape(token: Token, at: int) -> Shape:
    """A token as `--json` has it: everything but what opens the door."""
    from ...temporal.instants import to_text

    def instant(each: int | None) -> str | None:
        return None if each is None else to_text(each)

    return {
        "id": token.id,
        "name": token.name,
        "scope": token.scope,
        "scopes": sorted(token.scopes),
        "rights": _rights(token),
        "labels": [{"key": key, "value": value} for key, value in sorted(token.labels)],
        "created_at": instant(token.created_at),
        "expires_at": instant(token.expires_at),
        "revoked_at": instant(token.revoked_at),
        "state": token.state(at),
    }


def _row(token: Token, at: int) -> tuple[str, ...]:
    scopes = "\n".join((token.scope, *sorted(token.scopes), *_labels(token)))
    return token.id, token.name, scopes, ", ".join(_rights(token)), _end(token) or "never", token.state(at)


def _described(token: Token) -> str:
    where = ", ".join((token.scope, *sorted(token.scopes)))
    whom = f" as {', '.join(_labels(token))}" if token.labels else ""
    end = _end(token)
    return (
        f"{token.name}: {', '.join(_rights(token))} in {where}{whom}, {f'until {end}' if end else 'for ever'}"
    )


def _end(token: Token) -> str | None:
    """For people: to the second."""
    from ...temporal.instants import to_datetime
    from ..showing.shapes import moment_text

    if token.expires_at is None:
        return None
    return moment_text(to_datetime(token.expires_at).replace(microsecond=0))


def _rights(token: Token) -> list[str]:
    return [right.value for right in Right if right in token.rights]


def _labels(token: Token) -> list[str]:
    return [f"{key}={value}" for key, value in sorted(token.labels)]


def _label(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise click.BadParameter(f"{text!r} is no label: write KEY=VALUE", param_hint="--label")
    return key, value
