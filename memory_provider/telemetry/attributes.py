"""Names of attributes: OpenTelemetry's semantic conventions where there is one, else our own.

Written out here, because the package that has the conventions comes with the SDK, not with the API.
"""

from __future__ import annotations

from typing import Final

DB_SYSTEM_NAME: Final = "db.system.name"
DB_OPERATION_NAME: Final = "db.operation.name"
DB_NAMESPACE: Final = "db.namespace"
DB_RESPONSE_RETURNED_ROWS: Final = "db.response.returned_rows"
SERVER_ADDRESS: Final = "server.address"
SERVER_PORT: Final = "server.port"
ERROR_TYPE: Final = "error.type"

SCOPE_HASH: Final = "memory_provider.scope.hash"
"""The scope, as a keyed hash: names of scopes may be names of people."""
ARM: Final = "memory_provider.arm"
ARM_HITS: Final = "memory_provider.arm.hits"
ARM_LIMIT: Final = "memory_provider.arm.limit"
ARM_TIMED: Final = "memory_provider.arm.timed"
"""Whether the arm's own time is known; where all arms are one statement they share its time."""
REQUEST_TYPE: Final = "memory_provider.request.type"
REQUEST_KINDS: Final = "memory_provider.request.kinds"
OUTCOME: Final = "memory_provider.outcome"
"""`ok`, or the error code that the peer was sent."""
FRAMES: Final = "memory_provider.frames"
FRAME_KIND: Final = "memory_provider.frame.kind"
FRAME_REPRESENTATION: Final = "memory_provider.frame.representation"
TOKENS: Final = "memory_provider.tokens"
TRUNCATED: Final = "memory_provider.truncated"
