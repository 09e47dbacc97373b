"""A frame as a quotation that nothing in it can end (R3).

All that a provider wrote is untrusted: not the content alone, but its id, kind and label too (COMP9).
"""

from __future__ import annotations

import re
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

_BLANKS: Final = r"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*+"
"""Blanks, and what is not seen at all."""

_MARK: Final = re.compile(rf"<(?={_BLANKS}(?:/{_BLANKS})?frame)", re.IGNORECASE)
"""Where a fence would begin or end: in any case, and with blanks where readers forgive them."""


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
    return _MARK.sub(r"<\\", content)
