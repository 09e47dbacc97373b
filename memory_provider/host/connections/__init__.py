"""Ways to a provider: a process on its standard streams, an address over HTTP, or an object in this process."""

from .addresses import Address, HttpAddress, StdioAddress, channel_to, parse_address
from .channels import Channel
from .connection import Connection
from .http import HttpChannel
from .in_process import Answers, InProcessChannel
from .stdio import StdioChannel

__all__ = [
    "Address",
    "Answers",
    "Channel",
    "Connection",
    "HttpAddress",
    "HttpChannel",
    "InProcessChannel",
    "StdioAddress",
    "StdioChannel",
    "channel_to",
    "parse_address",
]
