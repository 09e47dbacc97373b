"""What carries envelopes to one provider and back."""

from __future__ import annotations

from typing import Protocol

from ...protocol import Envelope


class Channel(Protocol):
    """Carries one request at a time, or several if they have ids. It knows nothing of handshakes, names or consent."""

    @property
    def is_egress(self) -> bool:
        """Whether what goes through it counts as leaving the machine, whatever the provider declares (C4)."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether a request may be sent. A channel that failed is not open, and can be opened again."""
        ...

    @property
    def has_session(self) -> bool:
        """Whether there is one and the same provider behind it for as long as it is open."""
        ...

    async def open(self) -> None:
        """Make it ready. What was there before is cleaned up. Raises `HostError`."""
        ...

    async def exchange(self, request: Envelope) -> Envelope:
        """The envelope that answers `request`. Raises `HostError`, and may be cancelled."""
        ...

    async def abort(self) -> None:
        """Give up: nothing is left running, and nobody is said goodbye to."""
        ...

    async def close(self) -> None:
        """Say goodbye, and leave nothing running."""
        ...
