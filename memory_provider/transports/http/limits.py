"""How much a peer may ask for, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass

from ...protocol import MAX_BYTES


@dataclass(frozen=True)
class Limits:
    """All of them. A peer that is over one hears of it, or is let go; nobody else is slowed."""

    body: int = MAX_BYTES
    """Bytes of a request's body."""
    bodies: int = 8 * MAX_BYTES
    """Bytes of all bodies that are being received at one time."""
    seconds: float = 25.0
    """How long a request may take once it has been received, its turn included: less than the 30 s a host waits."""
    slow: float = 10.0
    """Seconds that a peer gets to send a request's head, again to send its body, and again to take the answer."""
    idle: float = 60.0
    """Seconds that a connection may stay open without a request."""
    at_once: int = 64
    """Requests that are answered at one time; more wait their turn."""
    connections: int = 1024
    """Open connections; a request on one more is refused."""

    @property
    def grace(self) -> float:
        """Seconds after which whatever was begun has come to an end."""
        return self.seconds + 2 * self.slow + 1
