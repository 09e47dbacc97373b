"""What a host may ask of a provider, as the handshake says it."""

from __future__ import annotations

from ..protocol import Capabilities, QueryCapability, Representation
from ..protocol.lifecycle.capability import LIFECYCLE
from .extensions import EXPLAIN, KNOWN_AT, SCOPE
from .lifecycle import lifecycle_block
from .questions import KINDS, REPRESENTATIONS


def capabilities(representations: tuple[Representation, ...] = REPRESENTATIONS) -> Capabilities:
    """The capabilities of a provider: what the protocol has a name for, and its extensions."""
    return Capabilities(
        query=QueryCapability(kinds=KINDS),
        correlation=True,
        graph=True,
        verify=True,
        representations=representations,
        resolve=True,
        extra={KNOWN_AT: True, SCOPE: True, EXPLAIN: True, LIFECYCLE: lifecycle_block(representations)},
    )
