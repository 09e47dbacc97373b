"""What a provider says before it is asked anything: who it is, where data goes, what it can do (SPEC 3, 4)."""

from collections.abc import Mapping
from typing import ClassVar, Final

from .errors import InvalidMember
from .representations import FULL, Representation
from .wire_objects import ExtensibleObject

LOCAL_ONLY: Final = "local-only"
"""The egress scope of content that stays on this machine."""

BASE_EGRESS_SCOPES: Final = (LOCAL_ONLY, "org-tenant", "third-party-index", "third-party-model")
"""The scopes the protocol names; any other is a vendor's, `vendor:name` (U3)."""


class DataFlow(ExtensibleObject):
    """What a provider does with data: reads it, writes it, lets it leave the machine (`egress`) and whereto.

    Raises `InvalidMember` for a declaration that contradicts itself (C5): an `egress_scopes` entry other than
    `local-only` while `egress` is false, or one that is neither a base scope nor `vendor:name`.
    """

    reads: bool
    writes: bool
    egress: bool
    egress_scopes: tuple[str, ...] = ()

    text_patterns: ClassVar[Mapping[str, str]] = {
        "egress_scopes": rf"^({'|'.join(BASE_EGRESS_SCOPES)})$|^[^:]*[^:\s][^:]*:[\s\S]*\S"
    }

    def check(self) -> None:
        for scope in self.egress_scopes:
            vendor, _, name = scope.partition(":")
            if scope not in BASE_EGRESS_SCOPES and not (vendor.strip() and name.strip()):
                expected = f"one of {', '.join(BASE_EGRESS_SCOPES)} or vendor:name (C5)"
                raise InvalidMember("egress_scopes", expected, scope)
            if scope != LOCAL_ONLY and not self.egress:
                raise InvalidMember("egress_scopes", f"only {LOCAL_ONLY} where egress is false (C5)", scope)

    @property
    def off_machine_scopes(self) -> tuple[str, ...]:
        """The scopes a host needs a consent receipt for before it asks anything (C6)."""
        return tuple(scope for scope in self.egress_scopes if scope != LOCAL_ONLY)


class ProviderInfo(ExtensibleObject):
    """A provider's name, its own version and its data flow.

    Raises `InvalidMember` if the name or the version is blank (H2).
    """

    name: str
    version: str
    data_flow: DataFlow

    text_patterns: ClassVar[Mapping[str, str]] = {"name": r"\S", "version": r"\S"}

    def check(self) -> None:
        for member, text in (("name", self.name), ("version", self.version)):
            if not text.strip():
                raise InvalidMember(member, "a text that is not blank (H2)", text)


class QueryCapability(ExtensibleObject):
    """The frame kinds a provider serves."""

    kinds: tuple[str, ...]


class Capabilities(ExtensibleObject):
    """What a host may ask of a provider.

    `correlation`: ids are echoed (H4). `graph`: anchors count (G4). `verify`: held frames can be verified
    (V2). `embeddings_fingerprint`: the space it takes embeddings in, `<model>/<dimensions>[/<normalization>]`
    (E1). `representations`: those it can return, none meaning full only. `resolve`: it gives out the content
    behind a `content_ref`. Raises `InvalidMember` when it is built with a compact or reference representation and
    without `resolve` (P6); `offered_representations` says what is on offer.
    """

    query: QueryCapability
    correlation: bool = False
    graph: bool = False
    embeddings_fingerprint: str | None = None
    verify: bool = False
    representations: tuple[Representation, ...] = ()
    resolve: bool = False

    @property
    def offered_representations(self) -> tuple[Representation, ...]:
        """The representations that frames may be asked for in."""
        return self.representations or (FULL,)

    def check_built(self) -> None:
        if not self.resolve and set(self.representations) - {FULL}:
            raise InvalidMember("resolve", "true where more than full is offered (P6)", self.resolve)
