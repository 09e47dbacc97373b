"""Ways to a provider: a process on its standard streams, an address over HTTP, or an object in this process."""

from .channels import Channel
from .connection import Connection
from .http import HttpChannel
from .in_process import InProcessChannel
from .stdio import StdioChannel

__all__ = ["Channel", "Connection", "HttpChannel", "InProcessChannel", "StdioChannel"]
