"""A provider that is an object in this process."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from ...protocol import Envelope, ProtocolError, Shutdown, decode, encode
from ...protocol.well_formed import is_well_formed
from ..errors import HostError, ProviderCrashed, UnexpectedAnswer, WireError, peer_text
from .requests import encoded


@runtime_checkable
class Answers(Protocol):
    """Anything that answers envelopes, such as this package's `Provider`."""

    async def answer(self, envelope: Envelope, /) -> Envelope | None:
        """The answer, or None where none is due."""
        ...


class InProcessChannel:
    """Calls the provider. What it raises is its crash, and nobody else's."""

    is_egress = False
    has_session = False

    def __init__(self, provider_id: str, provider: Answers) -> None:
        self._provider_id = provider_id
        self._provider = provider
        self.is_open = False

    async def open(self) -> None:
        """Nothing has to be started."""
        self.is_open = True

    async def exchange(self, request: Envelope) -> Envelope:
        """Call the provider. What it returns is held to what can be said on a wire."""
        encoded(self._provider_id, request)
        try:
            answer = await self._provider.answer(request)
        except HostError:
            raise
        except Exception as error:
            said = f"it raised {type(error).__name__}: {peer_text(str(error))}"
            raise ProviderCrashed(self._provider_id, said) from error
        if answer is None:
            raise UnexpectedAnswer(self._provider_id, f"it has no answer to {request.type}")
        try:
            return answer if is_well_formed(answer) else decode(encode(answer))
        except Exception as error:
            said = peer_text(str(error)) if isinstance(error, ProtocolError) else type(answer).__name__
            raise WireError(self._provider_id, f"its answer is no envelope: {said}") from None

    async def abort(self) -> None:
        """Nothing runs."""
        self.is_open = False

    async def close(self) -> None:
        """Say goodbye."""
        if self.is_open:
            self.is_open = False
            try:
                await self._provider.answer(Shutdown())
            except Exception:
                return
