"""From the handle of a compact or reference frame to the whole content."""

from __future__ import annotations

from dataclasses import dataclass

from ...store.contract import Moment, Store
from ...temporal.errors import InvalidInput
from ...temporal.instants import now
from ...temporal.shown import shown
from ..errors import ContentMismatch, ReferenceExpired, ReferenceNotFound
from ..rendering import digest, token_cost
from ..values import is_unicode
from .addressing import ContentKey, parse_content_uri, parse_frame_id
from .frames import Frame
from .sayings import Sayings, asked


@dataclass(frozen=True, slots=True)
class Content:
    """The whole content of a frame."""

    frame_id: str
    content: str
    digest: str
    """`sha256:…` over its UTF-8 bytes, which is what the handle asked for."""
    token_cost: int
    """What a frame that carries it costs."""


def content_key(reference: object) -> ContentKey:
    """What to resolve: a frame that stands for a content, or its handle.

    Raises `InvalidInput` for a full frame and for what is neither, `ReferenceNotFound` for a text that is no handle.
    """
    if isinstance(reference, Frame):
        if reference.canonical is None:
            raise InvalidInput(f"the frame {shown(reference.id)} is full: it carries its content itself")
        reference = reference.canonical.uri
    if not isinstance(reference, str):
        raise InvalidInput(
            f"resolve takes a compact or reference frame, or its handle, not {shown(reference)}"
        )
    key = parse_content_uri(reference) if is_unicode(reference) else None
    if key is None:
        raise ReferenceNotFound(f"{shown(reference)} is no handle to a content of this memory")
    return key


async def resolve(store: Store, scope: str, key: ContentKey) -> Content:
    """The content behind a handle, its bytes checked against the handle's digest.

    Raises `ReferenceNotFound`, `ReferenceExpired` or `ContentMismatch`. One call of the store, two for an episode.
    """
    frame = parse_frame_id(key.frame_id)
    if frame is None:
        raise _not_found(key)
    moment = Moment(None, key.known_at, now())
    answer = await store.held(scope, moment, *asked([frame]))
    said = Sayings(answer.found, answer.known_at, moment.now).of(frame)
    if said.standing == "unknown":
        raise _not_found(key)
    if said.standing == "gone":
        raise _expired(key)
    if said.digest != key.digest:
        raise _mismatch(key)
    if said.content:
        content = said.content()
    else:
        assert frame.chunk is not None
        found = await _text(store, scope, frame.chunk)
        if found is None:
            raise _expired(key)  # erased since the first call
        content = found
    if digest(content) != key.digest:
        raise _mismatch(key)
    return Content(key.frame_id, content, key.digest, token_cost(content))


async def _text(store: Store, scope: str, chunk: tuple[str, int]) -> str | None:
    for episode in await store.episodes(scope, [chunk[0]]):
        for each in episode.chunks:
            if each.number == chunk[1]:
                return episode.text_of(each)
    return None


def _not_found(key: ContentKey) -> ReferenceNotFound:
    return ReferenceNotFound(f"this scope has no frame {shown(key.frame_id)}")


def _expired(key: ContentKey) -> ReferenceExpired:
    return ReferenceExpired(f"the frame {shown(key.frame_id)} no longer stands; recall again")


def _mismatch(key: ContentKey) -> ContentMismatch:
    return ContentMismatch(f"the frame {shown(key.frame_id)} says something else now; recall again")
