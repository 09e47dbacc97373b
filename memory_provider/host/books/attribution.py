"""Which frames an answer had at hand, which it was shown, and which it relied on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from ...protocol import FrameId
from ...temporal.errors import InvalidInput
from ..composition import ComposedPrompt, Included, OverBudget
from ..composition.fence import attribute
from .usage import UsageReport


class Attribution(NamedTuple):
    """What became of one frame that was offered, by its identity (A1). Each step presupposes the one before it."""

    frame: FrameId
    selected: bool
    """It was a candidate for the prompt: it broke no rule, and no other frame stood for it."""
    rendered: bool
    """Its content is in the prompt. A frame that has none, such as a handle, is not rendered."""
    cited: bool
    """The answer cites it."""


def attribution(prompt: ComposedPrompt, cited: Collection[FrameId] = ()) -> tuple[Attribution, ...]:
    """One attribution for each frame that was offered, in the order of the audit.

    `cited` are the frames that the answer relies on: from `cited_in`, or from whoever knows better. Raises
    `InvalidInput` for one that was not rendered: an answer cannot rely on what it was not shown.
    """
    rendered = {offered.identity for offered in prompt.frames if offered.frame.content}
    relied_on = frozenset(cited)
    for frame in relied_on - rendered:
        raise InvalidInput(
            f"frame {frame.frame_id!r} of {frame.provider_id!r} cannot be cited: its content was not in the prompt"
        )
    return tuple(
        Attribution(
            entry.frame,
            isinstance(entry.disposition, Included | OverBudget),
            entry.is_included and entry.frame in rendered,
            entry.is_included and entry.frame in relied_on,
        )
        for entry in prompt.audit.entries
    )


def unbilled(attributions: Iterable[Attribution], reports: Iterable[UsageReport]) -> tuple[FrameId, ...]:
    """The frames that were selected and that no usage report has: none, if the books are in order (A3).

    Frames that were held and reused are in the report of the turn that served them.
    """
    billed = {
        served.frame for report in reports for each in report.providers for served in each.served_frames
    }
    return tuple(each.frame for each in attributions if each.selected and each.frame not in billed)


def cited_in(prompt: ComposedPrompt, answer: str) -> tuple[FrameId, ...]:
    """The rendered frames whose label the answer has in square brackets, as the preamble asks for it.

    A label that several frames share cites all of them: the answer does not say which one it means.
    """
    rendered = {offered.identity for offered in prompt.frames if offered.frame.content}
    return tuple(
        citation.frame
        for citation in prompt.citations
        if citation.frame in rendered and any(f"[{form}]" in answer for form in _forms(citation.label))
    )


def _forms(label: str) -> Iterator[str]:
    """How a model may write a label: as it was shown one, or as it was meant."""
    if label.strip():
        yield label
        yield attribute(label)
