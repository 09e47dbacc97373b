"""A frame as a quotation that nothing in it can end (R3).

All that a provider wrote is untrusted: not the content alone, but its id, kind and label too (COMP9).
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ...protocol import ContextFrame

_BREAKS: Final = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
"""The control characters and what else ends a line: in an attribute each is a blank."""

_ATTRIBUTE: Final = {
    **dict.fromkeys(_BREAKS, " "),
    **{
        ord(character): f"&{name};"
        for character, name in (("&", "amp"), ('"', "quot"), ("<", "lt"), (">", "gt"))
    },
}

_UNSEEN: Final = (
    r"\x00-\x08\x0e-\x1b\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What is not seen at all: controls, signs of direction, selectors of variants, tags."""
_BLANKS: Final = rf"[\s{_UNSEEN}]*+"

_LIKENESSES: Final = (*range(0x2070, 0x2190), *range(0x24B6, 0x24EA), *range(0xFE50, 0xFF5F))
_MATHEMATICAL: Final = range(0x1D400, 0x1D7CC)


def _likenesses_of(characters: str) -> dict[str, str]:
    """What Unicode counts as compatible with each of the characters: full width, mathematical, in circles."""
    found = {character: character for character in characters}
    for code in (*_LIKENESSES, *_MATHEMATICAL):
        plain = unicodedata.normalize("NFKC", chr(code)).lower()
        if plain in found:
            found[plain] += chr(code)
    return found


_LIKE: Final = _likenesses_of("</frame")
_WORD: Final = rf"[{_UNSEEN}]*+".join(f"[{_LIKE[letter]}]" for letter in "frame")

_MARK: Final = re.compile(rf"[{_LIKE['<']}](?={_BLANKS}(?:[{_LIKE['/']}]{_BLANKS})?{_WORD})", re.IGNORECASE)
"""Where a fence would begin or end: in any case, with blanks where readers forgive them, with what is not seen
anywhere, and in signs that some readers make plain."""


def fenced(provider_id: str, frame: ContextFrame) -> str:
    """The block that quotes a frame of the provider that is known here as `provider_id`.

    It depends on nothing but the identity, kind, label and content: not on the score, the cost or other frames.
    A frame without inline content is quoted with none (P7).
    """
    provider, id, kind, cite = map(attribute, (provider_id, frame.id, frame.kind, label(frame)))
    content = defused(frame.content or "")
    return f'<frame provider="{provider}" id="{id}" kind="{kind}" cite="{cite}">\n{content}\n</frame>\n'


def label(frame: ContextFrame) -> str:
    """What the frame is cited by: its citation label, or its title where that is blank."""
    given = frame.citation_label
    return given if given is not None and given.strip() else frame.title


def attribute(text: str) -> str:
    """A text as it stands between the quotation marks of an attribute: on one line, and ended by nothing in it."""
    return text.translate(_ATTRIBUTE)


def defused(content: str) -> str:
    """Content with a backslash in all that could be taken for the beginning or end of a fence."""
    return _MARK.sub(r"\g<0>\\", content)
