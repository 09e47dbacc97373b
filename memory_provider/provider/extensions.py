"""What this provider understands beyond the protocol. Names are `vendor:name`, as the protocol asks of vendors."""

from __future__ import annotations

from typing import Final

KNOWN_AT: Final = "memory-provider:known_at"
"""A member of a query: answer with what was known at this instant, written like `as_of`.

It is also a member of the capabilities, with the value true, so that a host can tell whether it is understood.
"""
