"""Who may ask: told from the headers of a request, before anything else of it is looked at."""

from __future__ import annotations

import logging
import re
from typing import Protocol
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from ...access import Principal
from ...access.errors import TokenFileError
from ...access.token_file import TokenFile
from ...loopback import is_loopback


class Refused(Exception):
    """A request that is not let in: the status, a word for why, and a text for the peer."""

    def __init__(self, status: int, why: str, text: str, challenge: str | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.why = why
        self.challenge = challenge
        """What credentials are asked for, as `WWW-Authenticate` has it."""


class Authorization(Protocol):
    """Decides on requests."""

    def admit(self, headers: Headers) -> Principal | None:
        """Who sent a request, None being whoever started the process. Raises `Refused`."""


class Anybody:
    """No credentials are asked for: whoever reaches the address may ask."""

    def admit(self, headers: Headers) -> Principal | None:
        """Always."""
        return None


class AnybodyHere:
    """No credentials are asked for, on a loopback address: whoever runs on this machine may ask.

    A web page that is open in a browser here is not one of them. It could reach the address under a name of its own
    that it points here, or send blindly; so a request has to be for a loopback name, and from no other origin.
    """

    def admit(self, headers: Headers) -> Principal | None:
        """Let in what was meant for this machine."""
        for name, read in (("Host", _host), ("Origin", _origin)):
            if not all(is_loopback(read(value)) for value in headers.getlist(name)):
                raise Refused(
                    403,
                    "origin",
                    f"without tokens only requests of this machine are answered, and {name} names another",
                )
        return None


class Bearers:
    """Whoever holds a token may ask what it grants."""

    def __init__(self, tokens: TokenFile) -> None:
        self._tokens = tokens
        self._told = False

    def admit(self, headers: Headers) -> Principal | None:
        """The holder of the token that the request brings. While the file cannot be read nobody is let in."""
        try:
            found = self._tokens.authorize(", ".join(headers.getlist("authorization")) or None)
        except TokenFileError as problem:
            if not self._told:
                logging.getLogger("memory_provider").error("nobody is let in: %s", problem)
                self._told = True
            raise Refused(503, "tokens", "tokens cannot be checked now; try again later") from None
        self._told = False
        if isinstance(found, Principal):
            return found
        raise Refused(401, "credential", found.message, found.challenge)


def _host(header: str) -> str:
    # A host and perhaps a port: none of what else an address may have.
    return "" if _NO_HOST.search(header) else _origin(f"//{header}")


def _origin(header: str) -> str:
    try:
        return urlsplit(header).hostname or ""
    except ValueError:  # brackets that hold no address
        return ""


_NO_HOST = re.compile(r"[/?#@\\]")
