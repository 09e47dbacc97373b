"""The provider: one object that turns an envelope into an envelope.

It does no I/O of its own: transports bring it lines or bodies, and it awaits the memory. Nothing here may be
imported that a handshake does not need; the memory and its store are loaded when the first question needs them.
"""

from .data_flow import data_flow
from .extensions import EXPLAIN, KNOWN_AT, SCOPE
from .provider import NAME, Pending, Provider, Reply, Settled

__all__ = ["EXPLAIN", "KNOWN_AT", "NAME", "SCOPE", "Pending", "Provider", "Reply", "Settled", "data_flow"]
