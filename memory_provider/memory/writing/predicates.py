"""Declaring predicates, and the ones every scope has."""

from __future__ import annotations

from ...store.contract import Changes, Loaded, Needs
from ...store.records import Predicate, Version
from ...temporal.errors import InvalidInput
from ...temporal.shown import shown
from ..errors import InvalidName, PredicateConflict
from ..ids import mint
from ..rendering import fact_content, plain_label
from ..values import OBJECT_TYPES, check_name

KIND = "kind"
ALIAS = "also_known_as"

PREDICATE_BYTES = 256

RESERVED = {
    KIND: Predicate("", KIND, "one", "text", "is a", None, True),
    ALIAS: Predicate("", ALIAS, "many", "text", "is also known as", None, True),
}
"""Ordinary facts under names with a meaning: what kind of thing an entity is, and its other names."""


def undeclared(name: str) -> Predicate:
    """A predicate as its first use makes it: `many`, labelled by its name, its type still to be fixed."""
    return Predicate("", name, "many", None, plain_label(name), None, False)


def check_predicate_name(name: object) -> str:
    """A predicate's name: not blank, at most `PREDICATE_BYTES` bytes."""
    checked = check_name(name, "the predicate's name")
    if len(checked.encode()) > PREDICATE_BYTES:
        raise InvalidName(f"the predicate's name is longer than {PREDICATE_BYTES} bytes: {checked[:40]!r}…")
    return checked


class Declaration:
    """The plan of declaring one predicate. It takes the scope's lock and leaves its clock alone."""

    def __init__(
        self,
        name: str,
        cardinality: str,
        object_type: str | None,
        label: str | None,
        inverse_label: str | None,
    ) -> None:
        self.name = check_predicate_name(name)
        if self.name in RESERVED:
            raise InvalidName(f"{self.name!r} is reserved and declared already; use another name")
        if cardinality not in ("one", "many"):
            raise InvalidInput(f"cardinality is 'one' or 'many', not {shown(cardinality)}")
        if object_type is not None and object_type not in OBJECT_TYPES:
            raise InvalidInput(f"object is one of {', '.join(OBJECT_TYPES)}, not {shown(object_type)}")
        self.cardinality = cardinality
        self.object_type = object_type
        self.label = check_name(label, "the label") if label is not None else None
        self.inverse_label = (
            check_name(inverse_label, "the inverse label") if inverse_label is not None else None
        )

    def needs(self) -> Needs:
        return Needs(predicates=[self.name], standing_of_predicates=[self.name])

    def __call__(self, loaded: Loaded) -> Changes:
        known = loaded.predicates.get(self.name)
        if known and known.object_type and self.object_type and self.object_type != known.object_type:
            raise PredicateConflict(
                f"{self.name!r} already takes {known.object_type!r}; facts written so stay: "
                f"declare another predicate for {self.object_type!r}"
            )
        if known and known.cardinality == "many" and self.cardinality == "one":
            _refuse_overlaps(self.name, [each for each in loaded.versions if each.predicate == self.name])
        declared = Predicate(
            known.id if known else mint("prd"),
            self.name,
            self.cardinality,
            self.object_type or (known.object_type if known else None),
            self.label or (known.label if known and known.declared else plain_label(self.name)),
            self.inverse_label or (known.inverse_label if known else None),
            True,
        )
        return Changes(None, predicates=[] if declared == known else [declared])


def _refuse_overlaps(name: str, standing: list[Version]) -> None:
    """A key may not hold two objects at once when it is to hold one."""
    clashes: list[str] = []
    latest: dict[str, Version] = {}
    for version in sorted(standing, key=lambda each: (each.subject, each.valid_from)):
        earlier = latest.get(version.subject)
        if earlier and version.valid_from < earlier.valid_to:
            clashes.append(
                f"{fact_content(earlier.statement, earlier.window)} [{earlier.id}] and "
                f"{fact_content(version.statement, version.window)} [{version.id}]"
            )
        if earlier is None or version.valid_to > earlier.valid_to:
            latest[version.subject] = version
    if clashes:
        shown = "; ".join(clashes[:10]) + (f"; and {len(clashes) - 10} more" if len(clashes) > 10 else "")
        raise PredicateConflict(
            f"{name!r} cannot become 'one' while facts overlap: {shown}. Retract or bound them first"
        )
