"""The providers that a command asks: who they are, and the host that asks them."""

from __future__ import annotations

import os
import re
import shlex
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

import click

from ..options.seconds import Seconds
from ..settings import Settings

if TYPE_CHECKING:
    from ...host import ConsentFile, Host

MEMORY: Final = "memory"
"""What the memory of this package is called where it is asked in this process."""

SECONDS: Final = 30.0
"""How long a provider may take to answer if nothing else is said."""

_ID: Final = re.compile(r"(?!stdio:|https?:)([^\s=/]+)=(.*)", re.DOTALL | re.IGNORECASE)

Command = TypeVar("Command", bound=Callable[..., Any])


class Named(NamedTuple):
    """A provider that was typed."""

    id: str
    address: str
    is_http: bool

    @property
    def shown(self) -> str:
        """The address to be typed again, without what follows the `?` of a URL: it may open doors."""
        path, query, _ = self.address.partition("?") if self.is_http else (self.address, "", "")
        return shlex.quote(f"{path}?…" if query else path)


@dataclass(frozen=True)
class Providers:
    """Whom a command asks, and how."""

    named: tuple[Named, ...]
    memory: bool
    tokens: dict[str, str]
    tls: ssl.SSLContext | None
    environments: dict[str, dict[str, str]]
    timeout: float

    @property
    def ids(self) -> tuple[str, ...]:
        """What each is called, the memory first."""
        return (*((MEMORY,) if self.memory else ()), *(each.id for each in self.named))

    def option(self, id: str) -> str:
        """How to name a provider to another command."""
        found = [each.shown for each in self.named if each.id == id]
        return f"--provider {found[0]}" if found else "--memory"

    @asynccontextmanager
    async def connected(
        self, settings: Settings, consents: ConsentFile | None = None, *, strict: bool = False
    ) -> AsyncIterator[Host]:
        """A host of all of them. None has been greeted yet."""
        from ...host import Host

        provider = _memory_provider(settings) if self.memory else None
        try:
            async with Host(consents=consents, strict=strict) as host:
                if provider is not None:
                    host.add(MEMORY, provider, timeout=self.timeout)
                for each in self.named:
                    host.add(
                        each.id,
                        each.address,
                        token=self.tokens.get(each.id),
                        tls=self.tls if each.is_http else None,
                        environment=self.environments.get(each.id),
                        timeout=self.timeout,
                    )
                yield host
        finally:
            if provider is not None:
                await provider.close()


def providers_options(command: Command, *, one: bool = False) -> Command:
    """`--provider`, `--memory` and what `access_options` has; hand what they are to `providers_of`.

    `one` is for commands that take one provider, whose id they have.
    """
    command = access_options(command, one=one)
    address = "'stdio: COMMAND ARGS…', https://… or http://127.0.0.1:…"
    for option in (
        click.option(
            "--memory",
            is_flag=True,
            help=f"Ask the memory of --store and --scope, as the provider `{MEMORY}`.",
        ),
        click.option(
            "--provider",
            "providers",
            metavar="ADDRESS" if one else "[ID=]ADDRESS",
            multiple=True,
            help=address
            if one
            else f"{address}  Without ID it is called like its program or its host. Repeatable.",
        ),
    ):
        command = option(command)
    return command


def access_options(command: Command, *, one: bool = False) -> Command:
    """`--token-file` and the like: what providers, or the `one` there is, are reached with."""
    whose = "the command" if one else "the command of the provider ID"
    for option in (
        click.option(
            "--pass-env",
            "passed_on",
            metavar="NAME" if one else "[ID=]NAME",
            multiple=True,
            help=f"Let {whose} have this variable of the environment, besides PATH and HOME. Repeatable.",
        ),
        click.option(
            "--tls-ca",
            metavar="FILE",
            help="Trust certificates of this authority, too, for https:// (PEM).",
        ),
        click.option(
            "--token-file",
            "token_files",
            metavar="FILE" if one else "[ID=]FILE",
            multiple=True,
            help="The file of the bearer token, over HTTP."
            if one
            else "The file of the bearer token for the provider ID, over HTTP. Repeatable.",
        ),
    ):
        command = option(command)
    return command


def timeout_option(command: Command) -> Command:
    """`--timeout S`, for `providers_of`, too."""
    return click.option(
        "--timeout",
        type=Seconds(),
        default=SECONDS,
        show_default=True,
        metavar="S",
        help="How long each may take to answer.",
    )(command)


def providers_of(
    *,
    providers: Sequence[str],
    memory: bool,
    token_files: Sequence[str],
    tls_ca: str | None,
    passed_on: Sequence[str],
    timeout: float = SECONDS,
    called: str | None = None,
) -> Providers:
    """Whom these options name; `called` is the id of those who are typed without one. Raises `UsageError`."""
    context = click.get_current_context()
    named = tuple(_named(typed, number, called) for number, typed in enumerate(providers, 1))
    ids = [*([MEMORY] if memory else []), *(each.id for each in named)]
    if not ids:
        raise click.UsageError("name whom to ask: --provider ADDRESS, or --memory", context)
    for id in ids:
        if ids.count(id) > 1:
            raise click.UsageError(
                f"two providers are called {id}: give one another id, --provider ID=ADDRESS", context
            )
    if any(each.is_http for each in named) and find_spec("httpx") is None:
        raise click.ClickException(
            "asking over HTTP needs httpx, which is not installed: pip install 'memory-provider[host]'"
        )
    return Providers(
        named, memory, _tokens(token_files, named), _tls(tls_ca), _environments(passed_on, named), timeout
    )


def _named(typed: str, number: int, called: str | None) -> Named:
    from ...errors import InvalidInput
    from ...host import parse_address
    from ...host.connections import HttpAddress

    match = _ID.fullmatch(typed)
    id, text = match.groups() if match else (called, typed)
    try:
        address = parse_address(id or f"number {number}", text)
    except InvalidInput as problem:
        raise click.BadParameter(str(problem), param_hint="'--provider'") from None
    if isinstance(address, HttpAddress):
        return Named(id or urlsplit(address.url).netloc.lower(), address.url, True)
    program = address.command[0]
    return Named(id or Path(program).name or program, text.strip(), False)


def _tokens(files: Sequence[str], named: Sequence[Named]) -> dict[str, str]:
    option = "--token-file"
    found: dict[str, str] = {}
    for typed in files:
        id, path = _for_whom(typed, [each.id for each in named if each.is_http], option, "over HTTP")
        if id in found:
            raise click.BadParameter(f"{id} has two", param_hint=f"'{option}'")
        found[id] = _token(id, path)
    return found


def _environments(names: Sequence[str], named: Sequence[Named]) -> dict[str, dict[str, str]]:
    option = "--pass-env"
    found: dict[str, dict[str, str]] = {}
    for typed in names:
        id, name = _for_whom(typed, [each.id for each in named if not each.is_http], option, "with a command")
        if name not in os.environ:
            raise click.BadParameter(f"{name!r} is not in the environment", param_hint=f"'{option}'")
        found.setdefault(id, {})[name] = os.environ[name]
    return found


def _for_whom(typed: str, ids: Sequence[str], option: str, which: str) -> tuple[str, str]:
    """`ID=VALUE` in two; without an ID it is for the only provider there is."""
    id, sign, value = typed.partition("=")
    if sign and id in ids:
        return id, value
    if len(ids) == 1:
        return ids[0], typed
    problem = (
        f"say for whom, ID=…, ID being that of a provider {which}: {', '.join(ids)}"
        if ids
        else f"no provider {which} is named"
    )
    raise click.BadParameter(problem, param_hint=f"'{option}'")


def _token(id: str, path: str) -> str:
    """The path is not repeated: it may be the token itself, typed in the wrong place."""
    hint = "'--token-file'"
    try:
        token = Path(path).read_text(encoding="ascii").strip()
    except UnicodeDecodeError:
        token = ""
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or "this is no path"
        raise click.BadParameter(f"the file for {id} cannot be read: {why}", param_hint=hint) from None
    if not token or not token.isprintable():
        raise click.BadParameter(
            f"the file for {id} holds no token, which is one line of ASCII", param_hint=hint
        )
    return token


def _tls(authority: str | None) -> ssl.SSLContext | None:
    if authority is None:
        return None
    context = ssl.create_default_context()
    try:
        context.load_verify_locations(authority)
    except OSError as problem:  # `ssl.SSLError` is one
        why = "it holds no certificate in PEM" if isinstance(problem, ssl.SSLError) else problem.strerror
        raise click.BadParameter(f"{authority!r} cannot be used: {why}", param_hint="'--tls-ca'") from None
    return context


def _memory_provider(settings: Settings) -> Any:
    """The memory as a provider, opened by the first question that it is asked."""
    from ...memory.api import Memory
    from ...memory.places import place_of
    from ...memory.values import check_name
    from ...provider import Provider, data_flow

    check_name(settings.scope, "the scope's name")
    place = place_of(settings.store)
    return Provider(
        lambda: Memory.open(settings.store, scope=settings.scope),
        data_flow=data_flow(local=place.local, host=place.host),
    )
