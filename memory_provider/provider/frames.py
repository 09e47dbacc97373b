"""The memory's frames as the wire's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..memory.text.extracting import IMPLEMENTATION, METHOD, VERSION
from ..protocol import COMPACT, REFERENCE, ContentRef, ContextFrame, ProvenanceLink, Relation, Transform
from .instants import timestamp

if TYPE_CHECKING:
    from ..memory.evidence import frames


def context_frame(frame: frames.Frame, provider: str) -> ContextFrame:
    """A frame with what its representation has: the handle of one that is not full is good at `provider` (P1 to P4)."""
    members: dict[str, Any] = {}
    if frame.representation != REFERENCE:
        members = {"content": frame.content, "content_digest": frame.digest}
    if frame.canonical is not None:
        members |= _standing_for(frame.canonical, provider)
        members |= {
            "representation": frame.representation,
            "content_fidelity": _FIDELITY[frame.representation],
        }
        members |= {"inline_content_requirement": "resolvable_reference_allowed"}
    if frame.representation == COMPACT:
        members["transform"] = Transform(method=METHOD, implementation=IMPLEMENTATION, version=VERSION)
    return ContextFrame(
        id=frame.id,
        kind=frame.kind,
        title=frame.title,
        uri=frame.uri,
        score=frame.score,
        token_cost=frame.token_cost,
        valid_from=timestamp(frame.window.start),
        valid_to=timestamp(frame.window.end),
        recorded_at=timestamp(frame.recorded),
        provenance=tuple(map(_link, frame.provenance)),
        citation_label=frame.citation_label,
        relations=tuple(map(_relation, frame.relations)),
        **members,
    )


_FIDELITY: Final = {COMPACT: "summarized", REFERENCE: "omitted"}
"""How faithful what is inline is to the whole: the protocol has no word for parts of it, verbatim."""


def _standing_for(content: frames.Canonical, provider: str) -> dict[str, Any]:
    members: dict[str, Any] = {
        "canonical_content_hash": content.digest,
        "content_ref": ContentRef(provider_id=provider, uri=content.uri),
    }
    if content.cost is not None:
        members["canonical_token_cost"] = content.cost.tokens
        members["tokenizer_ref"] = content.cost.tokenizer
    return members


def _link(link: frames.Provenance) -> ProvenanceLink:
    return ProvenanceLink(
        type=link.type, uri=link.uri, range=link.range, digest=link.digest, method=link.method, by=link.by
    )


def _relation(relation: frames.Relation) -> Relation:
    return Relation(rel=relation.rel, target_uri=relation.target_uri, display_name=relation.display_name)
