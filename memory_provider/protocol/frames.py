"""The unit of exchange: a frame of context with its cost, validity, provenance and relations (SPEC 6)."""

from typing import Final, Literal, TypeAlias

from .errors import InvalidMember
from .representations import Representation as Representation
from .representations import breaches
from .wire_objects import U32, ExtensibleObject

FRAME_KINDS: Final = ("snippet", "symbol", "fact", "doc", "memory", "episode", "graph")
"""The kinds the protocol names. Since 1.0 the vocabulary is open: accept any text, send only these (U2)."""

ContentFidelity: TypeAlias = Literal["exact", "normalized", "summarized", "omitted"]
"""How faithful the inline content is to its source."""

InlineContentRequirement: TypeAlias = Literal["required", "resolvable_reference_allowed"]
"""Whether the content has to travel inline."""


class ProvenanceLink(ExtensibleObject):
    """Where a frame's content comes from.

    `type` is open; a `file` link carries `digest`, `sha256:` and 64 lower-case hexadecimal digits over
    exactly the bytes of `uri` and `range` (F5), and its `range` is `L<n>` or `L<n>-<m>` (F17).
    """

    type: str
    uri: str | None = None
    range: str | None = None
    digest: str | None = None
    method: str | None = None
    by: str | None = None


class Relation(ExtensibleObject):
    """An edge to something else. People are shown `display_name`, never the raw `target_uri` (G1, G2)."""

    rel: str
    target_uri: str
    display_name: str | None = None


class ContentRef(ExtensibleObject):
    """A handle to the whole content of a compact or reference frame, good at the provider it names."""

    provider_id: str
    uri: str
    expires_at: str | None = None


class Transform(ExtensibleObject):
    """What turned the source into a compact frame's content."""

    method: str
    implementation: str
    version: str


class FrameEmbedding(ExtensibleObject):
    """A frame's vector, and the space it is in: `<model>/<dimensions>[/<normalization>]` (E1)."""

    fingerprint: str
    vector: tuple[float, ...] | None = None


class ContextFrame(ExtensibleObject):
    """One piece of context. Its content is untrusted data, to be quoted and never obeyed (R3).

    `score` is relevance in [0, 1], comparable within one provider only. `token_cost` is the UTF-8 bytes of
    the inline content divided by 4, rounded up (B3). `content_digest` is `sha256:` and 64 lower-case
    hexadecimal digits over exactly the inline bytes (D1). `valid_from`, `valid_to` and `recorded_at` are
    timestamps of the profile F4, `[valid_from, valid_to)` being when the content holds. `citation_label` is
    what a person would write (F3). Which of `content`, `content_digest`, `content_ref`, `transform` and
    `canonical_content_hash` a frame has goes by its `representation`, which a full frame leaves out (P1 to P3).

    Raises `InvalidMember` when it is built against P1 to P4. Only types are checked on reading. The rules named by a
    letter and a number are the provider's to keep and the host's to report: one frame against them does not make the
    message unreadable, and `breaches` says what is wrong with it.
    """

    id: str
    kind: str
    title: str
    content: str | None = None
    content_digest: str | None = None
    uri: str | None = None
    representation: Representation | None = None
    content_fidelity: ContentFidelity | None = None
    canonical_content_hash: str | None = None
    content_ref: ContentRef | None = None
    transform: Transform | None = None
    minimum_content_fidelity: ContentFidelity | None = None
    inline_content_requirement: InlineContentRequirement | None = None
    score: float
    token_cost: U32
    canonical_token_cost: U32 | None = None
    tokenizer_ref: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    recorded_at: str | None = None
    provenance: tuple[ProvenanceLink, ...] = ()
    citation_label: str | None = None
    embedding: FrameEmbedding | None = None
    relations: tuple[Relation, ...] = ()

    def check_built(self) -> None:
        for breach in breaches(self):
            value = getattr(self, breach.member)
            raise InvalidMember(breach.member, f"{breach.expected} ({breach.rule})", value)
