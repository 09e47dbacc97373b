"""A provider behind an address: one envelope a request, by POST."""

from __future__ import annotations

import ssl
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ...protocol import DecodeError, Envelope, decode
from ...protocol.strict_json import MAX_BYTES
from ...temporal.errors import InvalidInput
from ..errors import (
    LONGEST_PEER_TEXT,
    ConnectionClosed,
    HostError,
    PlaintextRefused,
    TransportError,
    Unauthorized,
    WireError,
    peer_text,
)
from .credentials import body_without, text_without
from .requests import encoded

if TYPE_CHECKING:
    import httpx

TIMEOUT: Final = 30.0
"""Seconds that a connection, a write or a read may take."""


class HttpChannel:
    """Every provider over HTTP counts as egress, one on this machine included: nobody can tell what it forwards to.

    No redirect is followed, no proxy and no `.netrc` of the environment is used, and the credential goes nowhere but
    into the `Authorization` of a request. Raises `PlaintextRefused` for plain HTTP to another machine (C7).
    """

    is_egress = True
    has_session = False

    def __init__(
        self,
        provider_id: str,
        url: str,
        *,
        token: str | None = None,
        tls: ssl.SSLContext | None = None,
        timeout: float = TIMEOUT,
        max_body: int = MAX_BYTES,
    ) -> None:
        check_address(provider_id, url)
        if token is not None and not (
            token.isascii() and token.isprintable() and token.strip() == token != ""
        ):
            raise InvalidInput(f"provider {provider_id}: the token is no text that fits in a header")
        self._provider_id = provider_id
        self._url = url
        self.__token = token
        self._tls = tls
        self._timeout = timeout
        self._max_body = max_body
        self._client: httpx.AsyncClient | None = None

    def __repr__(self) -> str:
        path, query, _ = self._url.partition("?")  # what follows may open doors
        return f"HttpChannel({self._provider_id!r}, {path + '?…' if query else path!r})"

    @property
    def is_open(self) -> bool:
        """Whether there is a client; each request connects for itself."""
        return self._client is not None

    async def open(self) -> None:
        """Nothing is sent yet."""
        await self.abort()
        try:
            import httpx
        except ImportError:
            raise InvalidInput("HTTP needs the library httpx: pip install 'memory-provider[host]'") from None
        self._client = httpx.AsyncClient(
            verify=True if self._tls is None else self._tls,
            trust_env=False,
            follow_redirects=False,
            timeout=self._timeout,
            # Each request on a connection of its own: on one that is kept, what a provider says too much would be
            # taken for its answer to the next question.
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    async def exchange(self, request: Envelope) -> Envelope:
        """Post an envelope, and read the envelope in the body of the answer."""
        import httpx

        if self._client is None:
            raise ConnectionClosed(self._provider_id, "the connection is closed")
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # a compressed body says nothing of its size
        }
        if self.__token is not None:
            headers["Authorization"] = f"Bearer {self.__token}"
        body = encoded(self._provider_id, request)
        try:
            async with self._client.stream("POST", self._url, content=body, headers=headers) as response:
                return await self._read(response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            why = peer_text(text_without(self.__token, str(error)))  # it may quote what came
            said = f"{type(error).__name__}: {why}" if why else type(error).__name__
            raise TransportError(self._provider_id, said) from None

    async def abort(self) -> None:
        """Let go of the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def close(self) -> None:
        """The same: the binding has no session to end, and others may be asking the provider."""
        await self.abort()

    async def _read(self, response: httpx.Response) -> Envelope:
        status = response.status_code
        if status == 401:
            raise Unauthorized(self._provider_id)
        if 300 <= status < 400:
            where = peer_text(text_without(self.__token, response.headers.get("location", "nowhere")))
            raise TransportError(
                self._provider_id, f"HTTP {status} redirects to {where}; redirects are not followed"
            )
        if not 200 <= status < 300:
            said = text_without(self.__token, (await self._beginning(response)).decode("utf-8", "replace"))
            raise TransportError(self._provider_id, f"HTTP {status}: {peer_text(said)}")
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise TransportError(self._provider_id, "the body is compressed, which was not asked for")
        body = body_without(self.__token, await self._body(response))
        try:
            return decode(body, max_bytes=self._max_body)
        except DecodeError as error:
            raise WireError(
                self._provider_id,
                f"the body is no envelope: {peer_text(text_without(self.__token, str(error)))}",
            ) from None

    async def _body(self, response: httpx.Response) -> bytes:
        declared = response.headers.get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > self._max_body:
            raise self._too_long()
        body, is_whole = await body_up_to(self._max_body, response)
        if not is_whole:
            raise self._too_long()
        return body

    async def _beginning(self, response: httpx.Response) -> bytes:
        return (await body_up_to(LONGEST_PEER_TEXT, response))[0]

    def _too_long(self) -> HostError:
        return TransportError(
            self._provider_id, f"the body is longer than the limit of {self._max_body} bytes"
        )


async def body_up_to(limit: int, response: httpx.Response) -> tuple[bytes, bool]:
    """The body, a little more than the limit at most, and whether that is all of it."""
    import httpx

    body = bytearray()
    chunks = response.aiter_raw()
    async for chunk in chunks:
        body += chunk
        if len(body) > limit:
            break
    else:
        return bytes(body), True
    # Generators inside of `chunks` are closed by nobody but the end of what they read from.
    await response.aclose()
    with suppress(httpx.HTTPError, httpx.StreamError):
        async for _ in chunks:
            pass
    return bytes(body), False


def check_address(provider_id: str, url: str) -> None:
    """Raises `PlaintextRefused` for plain HTTP to anything but this machine, `InvalidInput` for no address at all."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InvalidInput(f"provider {provider_id}: this is no address of a provider") from None
    if any(not char.isprintable() or char.isspace() for char in url):
        raise InvalidInput(f"provider {provider_id}: an address holds no blanks and no control characters")
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidInput(
            f"provider {provider_id}: an address begins with https:// or http:// and names a host"
        )
    if "@" in parts.netloc:
        # Not quoted: it may be a password.
        raise InvalidInput(f"provider {provider_id}: an address holds no user or password; give a token")
    if parts.scheme == "http" and not is_loopback(host):
        raise PlaintextRefused(provider_id, f"plain HTTP to {host} is refused; use https:// (C7)")


def is_loopback(host: str) -> bool:
    """Whether a host name is this machine, going by the name alone: nothing is looked up."""
    if host.lower() == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback
