"""What this provider understands beyond the protocol. Names are `vendor:name`, as the protocol asks of vendors."""

from __future__ import annotations

from typing import Final

KNOWN_AT: Final = "memory-provider:known_at"
"""A member of a query: answer with what was known at this instant, written like `as_of`.

It is also a member of the capabilities, with the value true, so that a host can tell whether it is understood.
"""

SCOPE: Final = "memory-provider:scope"
"""A member of a query, of a verification's request, and of the requests that are extensions: the scope to answer from.

Without it the principal's own scope answers. One that the principal does not reach is refused, whether it exists or
not. It is also a member of the capabilities, with the value true.
"""

EXPLAIN: Final = "memory-provider:explain"
"""A member of a query: true asks why each candidate was served or not.

The answer is a member of the result under the same name: ids and numbers that frames of the same scope could have
said. It is also a member of the capabilities, with the value true.
"""
