"""Who may ask: told from the headers of a request, before anything else of it is looked at."""

from __future__ import annotations

from typing import Protocol
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from .addresses import is_loopback


class Refused(Exception):
    """A request that is not let in: the status, a word for why, and a text for the peer."""

    def __init__(self, status: int, why: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.why = why


class Authorization(Protocol):
    """Decides on requests."""

    def admit(self, headers: Headers) -> None:
        """Let a request in, or raise `Refused`."""


class Anybody:
    """No credentials are asked for: whoever reaches the address may ask."""

    def admit(self, headers: Headers) -> None:
        """Always."""


class AnybodyHere:
    """No credentials are asked for, on a loopback address: whoever runs on this machine may ask.

    A web page that is open in a browser here is not one of them. It could reach the address under a name of its own
    that it points here, or send blindly; so a request has to be for a loopback name, and from no other origin.
    """

    def admit(self, headers: Headers) -> None:
        """Let in what was meant for this machine."""
        for name, value in (("Host", _host(headers.get("host"))), ("Origin", _origin(headers.get("origin")))):
            if value is not None and not is_loopback(value):
                raise Refused(
                    403,
                    "origin",
                    f"without tokens only requests of this machine are answered, and {name} names another",
                )


def _host(header: str | None) -> str | None:
    return None if header is None else urlsplit(f"//{header}").hostname or ""


def _origin(header: str | None) -> str | None:
    return None if header is None else urlsplit(header).hostname or ""
