"""Context records: immutable documents with an envelope in common and a body of their own for each of twelve kinds.

They are what a host appends and gets under the profile `contextgraph/lifecycle/1.0-draft`. A record is one flat JSON
object, told apart by its member `record_kind`. It is identified by a hash over its JSON (`record_hashing`), which
these types are not: they are what the JSON says, checked. Keep the JSON beside them.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, TypeAlias, cast

from ..decoding import UnknownType, take_type
from ..errors import InvalidMember, ProtocolError, describe
from ..shapes import Mismatch, read
from ..wire_objects import JsonObject, TaggedObject
from .codes import INVALID_RECORD, UNSUPPORTED_RECORD_KIND
from .record_parts import (
    DIGEST,
    NAMESPACED,
    NOT_EMPTY,
    TIMESTAMP,
    ContractRequirement,
    RecordLink,
    RecordProvenance,
    RecordScope,
    RequirementResult,
    SharingScope,
    ValidationOutcome,
    check_digest,
    check_not_empty,
    check_timestamp,
    not_namespaced,
)

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

SCHEMA_VERSION: Final = "contextgraph/lifecycle/1.0-draft"
"""The profile, and the `schema_version` of every record (LP-ID2)."""

RecordStatus: TypeAlias = Literal["active", "retracted", "archived"]
"""What a record says of itself. That a later one took its place is seen from the lineage and never written (LR3)."""

OriginClass: TypeAlias = Literal["observed", "derived", "declared", "imported"]
"""How a record came to be."""

KnowledgeKind: TypeAlias = Literal["fact", "assumption", "decision"]
"""What sort of knowledge a `knowledge` record states."""

DirectiveKind: TypeAlias = Literal["preference", "rule", "constraint", "procedure"]
"""What sort of directive a `directive` record states (LD1)."""

ConstraintEffect: TypeAlias = Literal["require", "forbid"]
"""What a constraint does. Nothing here ever allows (LD2)."""

Enforcement: TypeAlias = Literal["advisory", "blocking"]
"""How strongly a directive is meant; a host decides whether to enforce it (LD3)."""


class ContextRecord(TaggedObject):
    """What all records have in common. Unknown members are kept in `extra` (LR6).

    `record_id` names this record for good and `lineage_id` the item it is a revision of: a correction is a new
    record on the same lineage (LR2). `observed_at` is when it was learned, `valid_from` when what it says began to
    hold. `extensions` is any JSON under names like `vendor:name` (LR7).

    Raises `InvalidMember` for what the profile forbids: a `schema_version` of another profile (LP-ID2), an empty
    id, an instant or a hash that is none (LR4, F5), a confidence outside [0, 1] (LR5), a `derivation_kind` where
    `origin` has none or none where it needs one (LC2), an extension without a namespace (LR7).
    """

    tag: ClassVar[str] = "record_kind"

    schema_version: str
    record_id: str
    lineage_id: str
    record_status: RecordStatus
    scope: RecordScope
    sharing_scope: SharingScope
    sensitivity: str | None = None
    observed_at: str
    valid_from: str | None = None
    confidence: float | None = None
    origin: OriginClass
    evidence_links: tuple[str, ...] = ()
    record_links: tuple[RecordLink, ...] = ()
    record_hash: str
    provenance: RecordProvenance
    extensions: JsonObject | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {
        "schema_version": f"^{SCHEMA_VERSION}$",
        "record_id": NOT_EMPTY,
        "lineage_id": NOT_EMPTY,
        "observed_at": TIMESTAMP,
        "valid_from": TIMESTAMP,
        "record_hash": DIGEST,
    }
    schema_rules: ClassVar[tuple[JsonObject, ...]] = (
        {
            "properties": {
                "confidence": {"minimum": 0, "maximum": 1},
                "extensions": {"propertyNames": {"pattern": NAMESPACED}},
            }
        },
        {
            "if": {"properties": {"origin": {"enum": ["observed", "declared"]}}},
            "then": {"properties": {"provenance": {"properties": {"derivation_kind": {"type": "null"}}}}},
        },
        {
            "if": {"properties": {"origin": {"const": "derived"}}},
            "then": {
                "properties": {
                    "provenance": {
                        "properties": {"derivation_kind": {"type": "string"}},
                        "required": ["derivation_kind"],
                    }
                }
            },
        },
    )

    def check(self) -> None:
        if self.schema_version != SCHEMA_VERSION:
            raise InvalidMember("schema_version", f"{SCHEMA_VERSION} (LP-ID2)", self.schema_version)
        check_not_empty(self, *(name for name, pattern in self.text_patterns.items() if pattern == NOT_EMPTY))
        check_timestamp(self, "observed_at", "valid_from")
        check_digest(self, "record_hash")
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise InvalidMember("confidence", "a number from 0 to 1 (LR5)", self.confidence)
        derivation = self.provenance.derivation_kind
        if self.origin in ("observed", "declared") and derivation is not None:
            expected = f"no provenance.derivation_kind with the origin {self.origin} (LC2)"
            raise InvalidMember("provenance", expected, derivation)
        if self.origin == "derived" and derivation is None:
            raise InvalidMember("provenance", "a derivation_kind with the origin derived (LC2)", None)
        for name in not_namespaced(self.extensions or {}):
            raise InvalidMember("extensions", "names like vendor:name (LR7)", name)

    @property
    def record_kind(self) -> str:
        """Which of the twelve kinds this is, as it stands in the document."""
        return self.type

    @property
    def said(self) -> str | None:
        """The record's statement, of a kind that has one."""
        return cast("str | None", getattr(self, "statement", None))


class Observation(ContextRecord):
    """Something seen at first hand."""

    type: ClassVar[str] = "observation"
    statement: str
    subject_ref: str | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "statement": NOT_EMPTY}


class Knowledge(ContextRecord):
    """A fact, an assumption or a decision."""

    type: ClassVar[str] = "knowledge"
    knowledge_kind: KnowledgeKind
    statement: str

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "statement": NOT_EMPTY}


class MemoryRecord(ContextRecord):
    """Something remembered."""

    type: ClassVar[str] = "memory"
    statement: str
    salience: float | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "statement": NOT_EMPTY}


class Directive(ContextRecord):
    """A preference, a rule, a constraint or a procedure, as a value: a host decides what becomes of it (LD1 to LD4).

    A constraint says its effect and a procedure its steps. Where a record stands on the way to being promoted is
    the host's business and is refused here.
    """

    type: ClassVar[str] = "directive"
    directive_kind: DirectiveKind
    statement: str
    constraint_effect: ConstraintEffect | None = None
    enforcement: Enforcement | None = None
    procedure_steps: tuple[str, ...] = ()

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "statement": NOT_EMPTY}
    schema_rules: ClassVar[tuple[JsonObject, ...]] = (
        *ContextRecord.schema_rules,
        {
            "if": {"properties": {"directive_kind": {"const": "constraint"}}},
            "then": {
                "properties": {"constraint_effect": {"type": "string"}},
                "required": ["constraint_effect"],
            },
        },
        {
            "if": {"properties": {"directive_kind": {"const": "procedure"}}},
            "then": {"properties": {"procedure_steps": {"minItems": 1}}, "required": ["procedure_steps"]},
        },
        {"properties": {"promotion_stage": False, "promotion_status": False}},
    )

    def check(self) -> None:
        super().check()
        if self.directive_kind == "constraint" and self.constraint_effect is None:
            raise InvalidMember("constraint_effect", "require or forbid with a constraint (LD2)", None)
        if self.directive_kind == "procedure" and not self.procedure_steps:
            raise InvalidMember("procedure_steps", "at least one step with a procedure (LD4)", ())
        for name in ("promotion_stage", "promotion_status"):
            if name in self.extra:
                raise InvalidMember(name, "no such member, for it is the host's (LD4)", self.extra[name])


class RecordProposal(ContextRecord):
    """The proposal that a record of some kind be made."""

    type: ClassVar[str] = "record_proposal"
    proposed_kind: str
    rationale: str

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "proposed_kind": NOT_EMPTY}


class Evidence(ContextRecord):
    """What supports another record."""

    type: ClassVar[str] = "evidence"
    statement: str
    evidence_kind: str | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "statement": NOT_EMPTY}


class ArtifactContract(ContextRecord):
    """What an artifact has to meet. Carried here, executed by nobody here (LX1)."""

    type: ClassVar[str] = "artifact_contract"
    contract_name: str
    requirements: tuple[ContractRequirement, ...] = ()

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "contract_name": NOT_EMPTY}


class ContractValidation(ContextRecord):
    """How a contract was met (LX2)."""

    type: ClassVar[str] = "contract_validation"
    contract_ref: str
    outcome: ValidationOutcome
    requirement_results: tuple[RequirementResult, ...] = ()

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "contract_ref": NOT_EMPTY}


class OutcomeAssessment(ContextRecord):
    """How something turned out, as a host judged it (LX3)."""

    type: ClassVar[str] = "outcome_assessment"
    subject_ref: str
    assessment: str
    rating: float | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "subject_ref": NOT_EMPTY}


class PromotionEvent(ContextRecord):
    """That a host promoted a record (LX3)."""

    type: ClassVar[str] = "promotion_event"
    subject_ref: str
    to_status: str
    from_status: str | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {
        **ContextRecord.text_patterns,
        "subject_ref": NOT_EMPTY,
        "to_status": NOT_EMPTY,
    }


class ContextUse(ContextRecord):
    """What became of a record in a prompt; the same that usage reports say (LX4)."""

    type: ClassVar[str] = "context_use"
    used_record_ref: str
    selected: bool
    rendered: bool
    cited: bool
    task_ref: str | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "used_record_ref": NOT_EMPTY}


class ContextUseFeedback(ContextRecord):
    """What somebody thought of a use."""

    type: ClassVar[str] = "context_use_feedback"
    context_use_ref: str
    feedback: str
    rating: float | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {**ContextRecord.text_patterns, "context_use_ref": NOT_EMPTY}


RECORDS: Final[dict[str, type[ContextRecord]]] = {
    record.type: record
    for record in (
        Observation,
        Knowledge,
        MemoryRecord,
        Directive,
        RecordProposal,
        Evidence,
        ArtifactContract,
        ContractValidation,
        OutcomeAssessment,
        PromotionEvent,
        ContextUse,
        ContextUseFeedback,
    )
}
"""The type of each kind of record."""

RECORD_KINDS: Final = tuple(RECORDS)
"""The twelve kinds; the vocabulary is closed within the profile (LR6)."""


class ByRecordKind:
    """Annotation of the union of all records: Pydantic, too, tells them apart by their `record_kind`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from ..pydantic_support import union_schema

        return union_schema("ContextRecord", RECORDS, handler)


AnyRecord: TypeAlias = Annotated[
    Observation
    | Knowledge
    | MemoryRecord
    | Directive
    | RecordProposal
    | Evidence
    | ArtifactContract
    | ContractValidation
    | OutcomeAssessment
    | PromotionEvent
    | ContextUse
    | ContextUseFeedback,
    ByRecordKind(),
]
"""Any record, as a type for Pydantic."""


class RecordError(ProtocolError):
    """A document that is no record of the profile: `invalid_record`, or `unsupported_record_kind`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def read_record(document: Any) -> ContextRecord:
    """The record that a plain JSON object describes; the object is left as it is.

    Its hash is not looked at: `record_hashing.record_hash` says what it should be. Raises `RecordError`.
    """
    if type(document) is not dict:
        raise RecordError(INVALID_RECORD, f"expected an object, got {describe(document)}")
    members = dict(document)
    try:
        return read(take_type(members, RECORDS, ContextRecord.tag), members)
    except UnknownType as unknown:
        raise RecordError(UNSUPPORTED_RECORD_KIND, str(unknown)) from None
    except Mismatch as mismatch:
        raise RecordError(INVALID_RECORD, str(mismatch)) from None
