"""From frames that are handles to frames with content, fetched from the provider that served them (P7)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from ..protocol import ContextFrame, FrameId, Representation, token_cost
from .errors import HostError, peer_text
from .evidence import Evidence
from .fan_out import together
from .offers import Offered
from .outcomes import Frames, Outcome

REFERENCES: Final[tuple[Representation, ...]] = ("reference",)
"""Frames of nothing but a handle. A compact frame has content of its own, which was chosen for the budget."""


class Handle(NamedTuple):
    """What is exchanged for content. Frames that say the same of it are content with one answer."""

    provider_id: str
    uri: str | None
    canonical_content_hash: str | None

    @classmethod
    def of(cls, offered: Offered) -> Handle:
        """The handle of a compact or reference frame."""
        frame = offered.frame
        uri = None if frame.content_ref is None else frame.content_ref.uri
        return cls(offered.provider_id, uri, frame.canonical_content_hash)


Fetch: TypeAlias = Callable[[Offered], Awaitable[str]]
"""The whole content of a frame, held to its hash. Raises `HostError`."""


async def rehydrate(
    outcomes: Iterable[Outcome], fetch: Fetch, representations: Collection[Representation]
) -> tuple[Outcome, ...]:
    """The outcomes, in which the frames of these representations have become full. All are asked for at once."""
    answers = tuple(outcomes)
    wanted = {
        Handle.of(offered): offered
        for outcome in answers
        if isinstance(outcome, Frames)
        for offered in outcome.frames
        if offered.frame.representation in representations
    }

    def call(offered: Offered) -> Callable[[], Awaitable[str]]:
        return lambda: fetch(offered)

    contents = await together(
        {handle: call(offered) for handle, offered in wanted.items()},
        provider_of=lambda handle: handle.provider_id,
    )
    return tuple(
        _rehydrated(outcome, contents, representations) if isinstance(outcome, Frames) else outcome
        for outcome in answers
    )


def _rehydrated(
    outcome: Frames, contents: Mapping[Handle, str | HostError], representations: Collection[Representation]
) -> Frames:
    frames: list[Offered] = []
    reports: list[str] = []
    evidence: dict[FrameId, Evidence] = dict(outcome.evidence)
    for offered in outcome.frames:
        if offered.frame.representation in representations:
            content = contents[Handle.of(offered)]
            if isinstance(content, HostError):
                reports.append(f"frame {peer_text(offered.frame.id)}: it is left as it came: {content}")
            else:
                attested = evidence.get(offered.identity)
                handle, offered = offered.frame, offered._replace(frame=whole(offered.frame, content))
                if attested is not None:
                    evidence[offered.identity] = attested.of_handle(handle)
        frames.append(offered)
    return replace(outcome, frames=tuple(frames), reports=(*outcome.reports, *reports), evidence=evidence)


def whole(frame: ContextFrame, content: str) -> ContextFrame:
    """The full frame that a compact or reference frame stands for: its content has been held to the hash."""
    return frame.replace(
        representation=None,
        content=content,
        content_digest=frame.canonical_content_hash,
        token_cost=token_cost(content),
        content_fidelity=None,
        inline_content_requirement=None,
        content_ref=None,
        canonical_content_hash=None,
        transform=None,
    )
