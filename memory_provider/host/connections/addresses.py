"""Addresses of providers: `stdio: COMMAND ARGS…`, `https://…`, and `http://…` on this machine."""

from __future__ import annotations

import shlex
import ssl
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from ...temporal.errors import InvalidInput
from .channels import Channel
from .http import HttpChannel, check_address
from .stdio import StdioChannel

HOW: Final = "write 'stdio: COMMAND ARGS…', https://… or, on this machine, http://…"


class StdioAddress(NamedTuple):
    """A command that speaks the protocol on its standard streams."""

    command: tuple[str, ...]


class HttpAddress(NamedTuple):
    """A URL that envelopes are posted to."""

    url: str


Address: TypeAlias = StdioAddress | HttpAddress


def parse_address(provider_id: str, text: str) -> Address:
    """What an address says. A command is split as a POSIX shell would; no shell is run.

    Raises `InvalidInput`, which never quotes the address: there may be a password in it. Plain HTTP to another machine
    is `PlaintextRefused` (C7).
    """
    scheme, colon, rest = text.strip().partition(":")
    match scheme.lower() if colon else "":
        case "stdio":
            return StdioAddress(_command(provider_id, rest))
        case "https" | "http":
            check_address(provider_id, text.strip())
            return HttpAddress(text.strip())
    raise InvalidInput(f"provider {provider_id}: this is no address of a provider; {HOW}")


def channel_to(
    provider_id: str,
    text: str,
    *,
    token: str | None = None,
    tls: ssl.SSLContext | None = None,
    environment: Mapping[str, str] | None = None,
) -> Channel:
    """The way to the provider at an address; nothing is started or sent yet. Raises `InvalidInput`.

    `token` and `tls` are for addresses over HTTP; `environment` is what a command gets besides `PATH` and `HOME`.
    """
    address = parse_address(provider_id, text)
    if isinstance(address, HttpAddress):
        if environment:
            raise InvalidInput(
                f"provider {provider_id}: only a command has an environment, and this is a URL"
            )
        return HttpChannel(provider_id, address.url, token=token, tls=tls)
    if token is not None or tls is not None:
        raise InvalidInput(
            f"provider {provider_id}: a token and TLS are for addresses over HTTP, and this is a command"
        )
    return StdioChannel(provider_id, address.command, environment=environment)


def _command(provider_id: str, text: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(text))
    except ValueError as problem:
        said = str(problem).lower()
        raise InvalidInput(f"provider {provider_id}: the command cannot be split: {said}") from None
    if not command or not command[0]:
        raise InvalidInput(f"provider {provider_id}: stdio: names no command; {HOW}")
    if any("\0" in part for part in command):
        raise InvalidInput(f"provider {provider_id}: a command holds no NUL")
    return command
