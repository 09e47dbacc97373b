"""The memory's frames as the wire's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..protocol import ContextFrame, ProvenanceLink, Relation
from .instants import timestamp

if TYPE_CHECKING:
    from ..memory import frames


def context_frame(frame: frames.Frame) -> ContextFrame:
    """A full frame: its content inline, `representation` and what goes with a handle left out (P1)."""
    return ContextFrame(
        id=frame.id,
        kind=frame.kind,
        title=frame.title,
        content=frame.content,
        content_digest=frame.digest,
        uri=frame.uri,
        score=frame.score,
        token_cost=frame.token_cost,
        valid_from=timestamp(frame.window.start),
        valid_to=timestamp(frame.window.end),
        recorded_at=timestamp(frame.recorded),
        provenance=tuple(map(_link, frame.provenance)),
        citation_label=frame.citation_label,
        relations=tuple(map(_relation, frame.relations)),
    )


def _link(link: frames.Provenance) -> ProvenanceLink:
    return ProvenanceLink(
        type=link.type, uri=link.uri, range=link.range, digest=link.digest, method=link.method, by=link.by
    )


def _relation(relation: frames.Relation) -> Relation:
    return Relation(rel=relation.rel, target_uri=relation.target_uri, display_name=relation.display_name)
