"""Plain composition: the same frames give the same bytes, whatever came first and however it was scored."""

from __future__ import annotations

from collections.abc import Iterable

from ..offers import Offered
from .fence import fenced


def compose_context(offers: Iterable[Offered]) -> str:
    """The blocks of the frames in the order of their identities, each identity once (CR-D2).

    Nothing but identities, kinds, labels and contents is in it (CR-D3), so a prompt that begins with it can be cached.
    Should frames of one identity differ, which the protocol forbids (D2), the first by what is quoted stands for them.
    """
    blocks: dict[tuple[bytes, bytes, bool, bytes], str] = {}
    for offered in offers:
        key = offered.identity.sort_key
        block = fenced(offered.provider_id, offered.frame)
        blocks[key] = min(block, blocks.get(key, block))
    return "".join(blocks[key] for key in sorted(blocks))
