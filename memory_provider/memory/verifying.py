"""Whether evidence held earlier still stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from anyio import to_thread

from ..store.contract import Moment, Store
from ..store.records import Episode
from ..temporal.errors import InvalidInput
from ..temporal.shown import shown
from . import rendering
from .addressing import FrameKey, parse_frame_id
from .extracting import Extracts
from .facts import Fact
from .frames import Frame
from .sayings import Sayings, asked
from .values import is_unicode

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

    One call of the store, and one more for every `EPISODES` where the digest held of an episode is not that of its
    whole text: it may be that of an extract, which is as valid.
    """
    keys = [parse_frame_id(each.frame_id) if is_unicode(each.frame_id) else None for each in held]
    found = await store.held(scope, moment, *asked(keys))
    sayings = Sayings(found.found, found.known_at, moment.now)
    verdicts = [_verdict(each, key, sayings) for each, key in zip(held, keys, strict=True)]
    suspects = [
        (place, key.chunk, each.digest)
        for place, (each, key, verdict) in enumerate(zip(held, keys, verdicts, strict=True))
        if verdict.status == "stale" and key and key.chunk and each.digest and _DIGEST.fullmatch(each.digest)
    ]
    if suspects:
        extracts = await _extracts(store, scope, {chunk for _, chunk, _ in suspects})
        for place, chunk, digest in suspects:
            if chunk not in extracts:
                verdicts[place] = Verdict(held[place].frame_id, "gone")  # erased since the first call
            elif digest in extracts[chunk]:
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
    store: Store, scope: str, chunks: Collection[tuple[str, int]]
) -> dict[tuple[str, int], frozenset[str]]:
    """The digests of every extract of these chunks."""
    found: dict[tuple[str, int], frozenset[str]] = {}
    wanted = sorted({episode for episode, _ in chunks})
    for start in range(0, len(wanted), EPISODES):
        episodes = await store.episodes(scope, wanted[start : start + EPISODES])
        found |= await to_thread.run_sync(_digests, episodes, chunks)
    return found


def _digests(
    episodes: Sequence[Episode], chunks: Collection[tuple[str, int]]
) -> dict[tuple[str, int], frozenset[str]]:
    return {
        (episode.id, chunk.number): frozenset(map(rendering.digest, Extracts(episode.text_of(chunk))))
        for episode in episodes
        for chunk in episode.chunks
        if (episode.id, chunk.number) in chunks
    }


_DIGEST = re.compile("sha256:[0-9a-f]{64}")
