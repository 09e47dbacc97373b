"""Frames that carry less than their content: an extract of it, or a handle alone. Pure.

A full frame is what `frames` makes. A compact one says an extract of it, its digest being that of the extract; a
reference says nothing and costs nothing. Both keep the id, and carry the digest of the whole and a handle that
`resolving` turns into it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import NamedTuple, cast, get_args

from ...temporal.errors import InvalidInput
from ...temporal.instants import Instant
from ...temporal.shown import shown
from ..rendering import digest, token_cost
from ..text.extracting import SIZES, Extracts
from ..text.tokenizing import TokenCounter
from .addressing import content_uri, parse_frame_id
from .frames import Canonical, Frame, Representation


class Representing(NamedTuple):
    """How frames may carry their content, in order of preference."""

    accepted: tuple[Representation, ...] = ("full",)
    question: Collection[str] = ()
    """The terms that an extract should hold."""
    known_at: Instant | None = None
    """The view's, where it was given: what a handle leads to is then what was known at that time."""
    counter: TokenCounter | None = None
    """What counts a model's tokens, if anything does."""

    @property
    def free(self) -> bool:
        """Whether a frame may cost nothing."""
        return "reference" in self.accepted

    def fitting(self, frame: Frame, tokens: int) -> Frame | None:
        """A full frame as the first of the accepted representations that fits; None when none does."""
        for representation in self.accepted:
            if representation == "reference":
                return replace(
                    frame,
                    content="",
                    token_cost=0,
                    representation="reference",
                    canonical=self._canonical(frame),
                )
            if representation == "compact":
                fits = self._compact(frame, tokens)
            else:
                fits = frame if frame.token_cost <= tokens else None
            if fits:
                return fits
        return None

    def _compact(self, frame: Frame, tokens: int) -> Frame | None:
        """The longest extract that fits. A frame that no extract is made of stands for itself."""
        room = 4 * tokens  # bytes
        key = parse_frame_id(frame.id)
        if key and key.is_text and frame.token_cost * 4 > SIZES[-1]:
            if room < SIZES[-1]:
                return None
            extracts = Extracts(frame.content)
            if extracts.sizes:
                size = next((each for each in extracts.sizes if each <= room), None)
                return None if size is None else self._extract(frame, extracts.best(size, self.question))
        return frame if frame.token_cost <= tokens else None

    def _extract(self, frame: Frame, content: str) -> Frame:
        return replace(
            frame,
            content=content,
            digest=digest(content),
            token_cost=token_cost(content),
            representation="compact",
            canonical=self._canonical(frame),
        )

    def _canonical(self, frame: Frame) -> Canonical:
        uri = content_uri(frame.id, frame.digest, self.known_at)
        return Canonical(uri, frame.digest, self.counter(frame.content) if self.counter else None)


def check_representations(given: object) -> tuple[Representation, ...]:
    """The representations asked for, best first, each once; full when none is. Raises `InvalidInput` for another."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidInput(f"representations is a list of {', '.join(_ALL)}, not {shown(given)}")
    asked = list(given)  # once: it may be an iterator
    for each in asked:
        if each not in _ALL:
            raise InvalidInput(f"{shown(each)} is no representation; there are {', '.join(_ALL)}")
    return cast(tuple[Representation, ...], tuple(dict.fromkeys(asked))) or ("full",)


_ALL: tuple[str, ...] = get_args(Representation)

WHOLE = Representing()
"""Every frame is served full."""
