"""Whether evidence held earlier still stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from anyio import to_thread

from ...store.contract import Moment, Store
from ...temporal.errors import InvalidInput
from ...temporal.shown import shown
from .. import rendering
from ..facts import Fact
from ..text.extracting import Extracts
from ..values import is_unicode
from .addressing import FrameKey, parse_frame_id
from .frames import Frame
from .sayings import Sayings, asked

EPISODES = 256
"""How many episodes are read at once to see whether an extract of one is held."""


class HeldFrame(NamedTuple):
    """A frame someone holds: its id and the digest of the content they hold."""

    frame_id: str
    digest: str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a held frame."""

    frame_id: str
    status: str
    """`valid`: it says the same now. `stale`: it says something else now. `gone`: nothing of it stands. `unknown`: this
    scope never issued such a frame, or no digest was given to compare."""
    replacement_digest: str | None = None
    """With `stale`: the digest of what the id says now, where it still says something."""


def held_frames(given: object) -> list[HeldFrame]:
    """What a caller holds: frames, facts, or pairs of frame id and digest."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidInput(f"verify takes a list of frames, or of pairs of id and digest, not {shown(given)}")
    return [_held_frame(each) for each in given]


def _held_frame(given: object) -> HeldFrame:
    pair = (given.id, given.digest) if isinstance(given, Frame | Fact) else given
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InvalidInput(f"verify takes frames, or pairs of frame id and digest, not {shown(pair)}")
    frame_id, digest = pair
    if not isinstance(frame_id, str) or not isinstance(digest, str | None):
        raise InvalidInput(f"a frame's id and digest are texts, not {shown(frame_id)} and {shown(digest)}")
    return HeldFrame(frame_id, digest)


async def verify(store: Store, scope: str, moment: Moment, held: Sequence[HeldFrame]) -> list[Verdict]:
    """One verdict for each frame, in order.

    A digest that is not that of a whole text may be that of an extract, which is as valid. One call of the store, and
    one more for every `EPISODES` of which such a digest is held.
    """
    keys = [parse_frame_id(each.frame_id) if is_unicode(each.frame_id) else None for each in held]
    found = await store.held(scope, moment, *asked(keys))
    sayings = Sayings(found.found, found.known_at, moment.now)
    verdicts = [_verdict(each, key, sayings) for each, key in zip(held, keys, strict=True)]
    suspects = {
        place: key
        for place, (each, key, verdict) in enumerate(zip(held, keys, verdicts, strict=True))
        if verdict.status == "stale" and key and key.is_text and _DIGEST.fullmatch(each.digest or "")
    }
    if suspects:
        extracts = await _extracts(store, scope, set(suspects.values()), sayings)
        for place, key in suspects.items():
            if key not in extracts:
                verdicts[place] = Verdict(held[place].frame_id, "gone")  # erased since the first call
            elif held[place].digest in extracts[key]:
                verdicts[place] = Verdict(held[place].frame_id, "valid")
    return verdicts


def _verdict(held: HeldFrame, key: FrameKey | None, sayings: Sayings) -> Verdict:
    if key is None or held.digest is None:
        return Verdict(held.frame_id, "unknown")
    said = sayings.of(key)
    if said.digest is None:
        return Verdict(held.frame_id, said.standing)
    if said.digest == held.digest:
        return Verdict(held.frame_id, "valid")
    return Verdict(held.frame_id, "stale", said.digest)


async def _extracts(
    store: Store, scope: str, keys: Collection[FrameKey], sayings: Sayings
) -> dict[FrameKey, frozenset[str]]:
    """The digests of every extract of these texts."""
    said = {key: content() for key in keys if (content := sayings.of(key).content)}
    found = await to_thread.run_sync(_digests, said)
    wanted = sorted({key.chunk[0] for key in keys if key.chunk})
    for start in range(0, len(wanted), EPISODES):
        episodes = await store.episodes(scope, wanted[start : start + EPISODES])
        texts = {
            FrameKey(chunk=(each.id, chunk.number)): each.text_of(chunk)
            for each in episodes
            for chunk in each.chunks
        }
        found |= await to_thread.run_sync(_digests, {key: texts[key] for key in keys if key in texts})
    return found


def _digests(texts: Mapping[FrameKey, str]) -> dict[FrameKey, frozenset[str]]:
    return {key: frozenset(map(rendering.digest, Extracts(text))) for key, text in texts.items()}


_DIGEST = re.compile("sha256:[0-9a-f]{64}")
