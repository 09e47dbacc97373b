"""The objects that stand inside a context record (profile `contextgraph/lifecycle/1.0-draft`)."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, Literal, TypeAlias

from .. import digests, timestamps
from ..errors import InvalidMember, TimestampError
from ..wire_objects import ExtensibleObject, JsonObject, WireObject

SharingScope: TypeAlias = Literal["user", "repository", "workspace", "organization"]
"""Whom a record is shared with, within what its scope names (LS2)."""

ValidationOutcome: TypeAlias = Literal["pass", "fail", "inconclusive"]
"""How a contract, or one requirement of it, was met."""

NOT_EMPTY: Final = r"[\s\S]"
"""The pattern of a text that holds at least one character."""

NAMESPACED: Final = r"^[^:]*[^:\s][^:]*:[\s\S]*\S"
"""The pattern of a vendor's own name, `vendor:name` (U3)."""

TIMESTAMP: Final = f"^{timestamps.PATTERN}$"
"""The pattern of a timestamp (F4)."""

DIGEST: Final = f"^{digests.PATTERN}$"
"""The pattern of a digest (F5)."""


class RecordScope(ExtensibleObject):
    """Whom and what a record is about. The keys present narrow it together (LS1).

    Raises `InvalidMember` for any other key: each narrows who may see the record, so that one which is not
    understood cannot be ignored as other members are. `tenant_id` and `project_id` are among them (LS3).
    """

    user_id: str | None = None
    organization_id: str | None = None
    repository_id: str | None = None
    workspace_id: str | None = None
    environment_id: str | None = None
    session_id: str | None = None
    task_id: str | None = None

    schema_rules: ClassVar[tuple[JsonObject, ...]] = (
        {
            "propertyNames": {
                "enum": [
                    *("user_id", "organization_id", "repository_id", "workspace_id"),
                    *("environment_id", "session_id", "task_id"),
                ]
            }
        },
    )

    def check(self) -> None:
        for name in self.extra:
            expected = f"no such key, only {', '.join(self.wire_members)} (LS1, LS3)"
            raise InvalidMember(name, expected, self.extra[name])

    @property
    def keys(self) -> dict[str, str]:
        """The keys that are present, with their values."""
        return {name: value for name in self.wire_members if (value := getattr(self, name)) is not None}


class RecordProvenance(ExtensibleObject):
    """Where a record comes from: the provider, and who or what produced it, how and from what (LC1)."""

    origin_provider_id: str
    origin_authority_id: str | None = None
    producer_kind: str
    producer_ref: str | None = None
    derivation_kind: str | None = None
    source_refs: tuple[str, ...] = ()

    text_patterns: ClassVar[Mapping[str, str]] = {"origin_provider_id": NOT_EMPTY, "producer_kind": NOT_EMPTY}

    def check(self) -> None:
        check_not_empty(self, "origin_provider_id", "producer_kind")


class RecordLink(ExtensibleObject):
    """A link to another record. `rel` is open; a vendor's own is `vendor:name` (LR7)."""

    rel: str
    target_record_id: str

    text_patterns: ClassVar[Mapping[str, str]] = {
        "rel": f"^[^:]+$|{NAMESPACED}",
        "target_record_id": NOT_EMPTY,
    }

    def check(self) -> None:
        check_not_empty(self, "rel", "target_record_id")
        if ":" in self.rel and not is_namespaced(self.rel):
            raise InvalidMember("rel", "vendor:name where it holds a colon (LR7)", self.rel)


class ContractRequirement(ExtensibleObject):
    """One requirement of an artifact contract. A command names the approval to run it, and is none itself (LX1)."""

    requirement_kind: str
    description: str | None = None
    execution_approval_ref: str | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {"requirement_kind": NOT_EMPTY}
    schema_rules: ClassVar[tuple[JsonObject, ...]] = (
        {
            "if": {"properties": {"requirement_kind": {"const": "command"}}},
            "then": {
                "properties": {"execution_approval_ref": {"type": "string", "minLength": 1}},
                "required": ["execution_approval_ref"],
            },
        },
    )

    def check(self) -> None:
        check_not_empty(self, "requirement_kind")
        if self.requirement_kind == "command" and not self.execution_approval_ref:
            expected = "the reference of an approval with a requirement of kind command (LX1)"
            raise InvalidMember("execution_approval_ref", expected, self.execution_approval_ref)


class RequirementResult(ExtensibleObject):
    """How one requirement of a contract was met."""

    requirement_kind: str
    outcome: ValidationOutcome
    detail: str | None = None

    text_patterns: ClassVar[Mapping[str, str]] = {"requirement_kind": NOT_EMPTY}

    def check(self) -> None:
        check_not_empty(self, "requirement_kind")


def check_not_empty(value: WireObject, *members: str) -> None:
    """Raise `InvalidMember` for the first of these texts that is empty."""
    for name in members:
        if getattr(value, name) == "":
            raise InvalidMember(name, "a text that is not empty", "")


def check_timestamp(value: WireObject, *members: str) -> None:
    """Raise `InvalidMember` for the first of these texts that is there and no timestamp of the profile F4."""
    for name in members:
        text = getattr(value, name)
        if text is not None:
            try:
                timestamps.parse_timestamp(text)
            except TimestampError:
                raise InvalidMember(name, timestamps.EXPECTED, text) from None


def check_digest(value: WireObject, *members: str) -> None:
    """Raise `InvalidMember` for the first of these texts that is no digest (F5)."""
    for name in members:
        text = getattr(value, name)
        if not digests.is_digest(text):
            raise InvalidMember(name, digests.EXPECTED, text)


def is_namespaced(name: str) -> bool:
    """Whether a name is a vendor's own, `vendor:name` (U3)."""
    vendor, colon, rest = name.partition(":")
    return bool(colon and vendor.strip() and rest.strip())


def not_namespaced(names: Mapping[str, object]) -> Iterator[str]:
    """Those of the names that are not `vendor:name`."""
    return (name for name in names if not is_namespaced(name))
