"""Who may do what: principals with rights in scopes, the tokens that stand for them, and the log of what they did.

Nothing here knows a memory or a protocol. A provider is handed a `Principal` and asks it; a transport has
`access.authorization.authorize` make one from a header, with the tokens of an `access.token_file.TokenFile`.
"""

from .principal import EVERY_SCOPE, Principal, local
from .rights import ALL_RIGHTS, Right

__all__ = ["ALL_RIGHTS", "EVERY_SCOPE", "Principal", "Right", "local"]
