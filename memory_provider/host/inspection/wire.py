"""Raw bytes to a provider and back: what no host would send has to be sent, and what no host would read be read."""

from __future__ import annotations

import contextlib
import ssl
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

import anyio

from ...protocol.strict_json import MAX_BYTES
from ...temporal.errors import InvalidInput
from ..connections.addresses import HttpAddress, StdioAddress
from ..connections.credentials import body_without, text_without
from ..connections.http import HttpChannel, body_up_to
from ..connections.pipes import CHUNK
from ..connections.processes import Running, end, start, why_not_started
from ..errors import ProviderCrashed, TransportError, peer_text

if TYPE_CHECKING:
    import httpx

PROVIDER: Final = "under inspection"
"""What errors call the provider."""


class Heard(NamedTuple):
    """What came: a line without its end, or the body of a response."""

    data: bytes
    status: int | None = None
    """Of HTTP; None for a line."""
    flaw: str | None = None
    """What is wrong with how it came."""


class Wire(Protocol):
    """One connection to the provider."""

    async def open(self) -> None:
        """Start the process, or make a client. Raises `TransportError`."""
        ...

    async def say(self, *messages: bytes) -> None:
        """Send messages, without waiting for what answers one before the next is sent."""
        ...

    async def hear(self) -> Heard | None:
        """The next that came; None where nothing more will come."""
        ...

    async def ended(self) -> int | None:
        """The exit code of a process that ended, once it has; None where there is none to end."""
        ...

    async def close(self) -> None:
        """Leave nothing running."""
        ...


class ProcessWire:
    """A process of its own, lines to its standard input and from its standard output."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self._command = tuple(command)
        self._environment = environment
        self._running: Running | None = None
        self._buffer = bytearray()
        self._searched = 0

    async def open(self) -> None:
        """Start it, with a bare environment."""
        try:
            self._running = await start(self._command, self._environment)
        except (OSError, ValueError, IndexError) as error:
            raise ProviderCrashed(PROVIDER, why_not_started(error)) from None

    async def say(self, *messages: bytes) -> None:
        """Write the lines. A process that has gone is noticed by who listens."""
        assert self._running is not None
        with contextlib.suppress(OSError):
            await self._running.stdin.write(b"".join(each + b"\n" for each in messages))

    async def hear(self) -> Heard | None:
        """The next line."""
        assert self._running is not None
        while (end_of_line := self._buffer.find(b"\n", self._searched)) < 0:
            self._searched = len(self._buffer)
            if self._searched > MAX_BYTES:
                return Heard(
                    self._take(self._searched)[:CHUNK], flaw=f"a line is longer than {MAX_BYTES} bytes"
                )
            data = await self._running.stdout.read()
            if not data:
                rest = self._take(self._searched)
                return Heard(rest, flaw="the last line has no end") if rest else None
            self._buffer += data
        return Heard(self._take(end_of_line + 1)[:-1])

    async def ended(self) -> int | None:
        """Wait for the process."""
        assert self._running is not None
        return await self._running.process.wait()

    async def close(self) -> None:
        """Kill what is left of it and its group."""
        running, self._running = self._running, None
        if running is not None:
            await end(running)

    def _take(self, length: int) -> bytes:
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        self._searched = 0
        return taken


class HttpWire:
    """An address; each message is a request of its own."""

    def __init__(self, url: str, *, token: str | None = None, tls: ssl.SSLContext | None = None) -> None:
        HttpChannel(
            PROVIDER, url, token=token, tls=tls
        )  # refuses what a host would refuse, before anything is sent
        self._url = url
        self._tls = tls
        self.__token = token
        self._client: httpx.AsyncClient | None = None
        self._heard: deque[Heard] = deque()

    async def open(self) -> None:
        """Nothing is sent yet."""
        try:
            import httpx
        except ImportError:
            raise InvalidInput("HTTP needs the library httpx: pip install 'memory-provider[host]'") from None
        await self.close()
        self._client = httpx.AsyncClient(
            verify=True if self._tls is None else self._tls,
            trust_env=False,
            follow_redirects=False,
            timeout=None,  # whoever listens has limits
        )

    async def say(self, *messages: bytes) -> None:
        """Post them, all at once. Raises `TransportError` where nobody answers."""
        lost: list[TransportError] = []
        async with anyio.create_task_group() as tasks:
            for message in messages:
                tasks.start_soon(self._post, message, lost)
        if lost:
            raise lost[0]

    async def hear(self) -> Heard | None:
        """The next answer; an empty body is none."""
        while self._heard:
            heard = self._heard.popleft()
            if heard.data.strip() or (heard.status is not None and not 200 <= heard.status < 300):
                return heard
        return None

    async def ended(self) -> int | None:
        """No process is known here."""
        return None

    async def close(self) -> None:
        """Let go of the connections."""
        client, self._client = self._client, None
        self._heard.clear()
        if client is not None:
            await client.aclose()

    async def _post(self, body: bytes, lost: list[TransportError]) -> None:
        import httpx

        assert self._client is not None
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        if self.__token is not None:
            headers["Authorization"] = f"Bearer {self.__token}"
        try:
            async with self._client.stream("POST", self._url, content=body, headers=headers) as response:
                data, is_whole = await body_up_to(MAX_BYTES, response)
                data = body_without(self.__token, data)
        except httpx.HTTPError as error:
            why = peer_text(text_without(self.__token, str(error)))
            lost.append(TransportError(PROVIDER, f"{type(error).__name__}: {why}"))
            return
        flaw = None if is_whole else f"the body is longer than {MAX_BYTES} bytes"
        self._heard.append(Heard(data if is_whole else data[:CHUNK], response.status_code, flaw))


Way: TypeAlias = StdioAddress | HttpAddress
"""Where a provider is."""


def wire_to(
    address: Way,
    *,
    token: str | None = None,
    tls: ssl.SSLContext | None = None,
    environment: Mapping[str, str] | None = None,
) -> Wire:
    """A connection to the provider at an address; nothing is started or sent yet. Raises `InvalidInput`."""
    if isinstance(address, HttpAddress):
        if environment:
            raise InvalidInput("only a command has an environment, and this is a URL")
        return HttpWire(address.url, token=token, tls=tls)
    if token is not None or tls is not None:
        raise InvalidInput("a token and TLS are for addresses over HTTP, and this is a command")
    return ProcessWire(address.command, environment)
