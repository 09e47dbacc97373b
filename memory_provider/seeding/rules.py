"""What has to fit together for a load to go through: predicates, their types, and windows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import InvalidInput
from ..memory.values import Object, check_name, to_object_value
from ..memory.writing.operations import Unset
from ..memory.writing.predicates import RESERVED
from ..memory.writing.predicates import Declaration as Declaring
from ..memory.writing.transaction import OperationBuffer
from ..store.records import Predicate
from ..temporal.instants import OPEN, Instant, now, to_text
from .items import ChangeItem, Declaration, Item
from .writing import write


class Rules:
    """What is known of the scope's predicates while files are read; the same for all of them."""

    def __init__(self, predicates: Iterable[Predicate]) -> None:
        known = [*RESERVED.values(), *predicates]
        self.types: dict[str, str | None] = {each.name: each.object_type for each in known}
        self.declarations: dict[str, Declaration] = {}
        self._cardinality = {each.name: each.cardinality for each in known}
        self._used: dict[str, str] = {}

    def declare(self, declaration: Declaration) -> str | None:
        """Take up a declaration; what is wrong with it, if anything is."""
        name = declaration.name
        earlier = self.declarations.get(name)
        if earlier:
            if earlier.entry.file == declaration.entry.file and earlier.entry.line == declaration.entry.line:
                return None
            same = earlier.same_as(declaration)
            return (
                None
                if same
                else f"{name!r} was declared otherwise at {earlier.entry.file}:{earlier.entry.line}"
            )
        if name in self._used:
            return f"{name!r} is used at {self._used[name]} already; declare it before that"
        try:
            Declaring(
                name,
                declaration.cardinality,
                declaration.object,
                declaration.label,
                declaration.inverse_label,
            )
        except InvalidInput as problem:
            return str(problem)
        there = self.types.get(name)
        if there and declaration.object and there != declaration.object:
            return f"{name!r} takes objects of type {there} in this scope already, not {declaration.object}"
        self.declarations[name] = declaration
        self.types[name] = declaration.object or there
        self._cardinality[name] = declaration.cardinality
        return None

    def problems_of(
        self, item: Item, recorded_at: Instant | None, cited_at: Instant | None
    ) -> Iterator[tuple[str, str]]:
        """What would be refused of an operation: the member it stands at, and a message.

        `cited_at` is when the cited episode occurred; None without one, or when that is the time of the load.
        """
        try:
            write(OperationBuffer(), item, "seed:check", "ep_check")
        except InvalidInput as problem:
            yield "type", str(problem)
            return
        if isinstance(item, ChangeItem):
            yield from self._fits(item)
            start, end = item.valid_from, item.valid_to
            if isinstance(start, Unset) and isinstance(end, Instant) and end != OPEN:
                start = next(each for each in (cited_at, recorded_at, now()) if each is not None)
                if start >= end:
                    yield (
                        "valid_to",
                        f"valid_from is left out and so {to_text(start)}, which is not before valid_to",
                    )

    def _fits(self, item: ChangeItem) -> Iterator[tuple[str, str]]:
        name = item.predicate
        self._used.setdefault(name, f"{item.entry.file}:{item.entry.line}")
        if item.replaces is not None and self._cardinality.get(name) == "one":
            yield "replaces", f"{name!r} holds one object; correct it without replaces"
        for member, value in (("object", item.object), ("replaces", item.replaces)):
            if value is None:
                continue
            problem = self._misfit(name, value)
            if problem:
                yield member, problem

    def _misfit(self, name: str, value: Object) -> str | None:
        kind = to_object_value(value).type
        expected = self.types.get(name)
        if expected is None:
            self.types[name] = kind
            return None
        if kind == expected:
            return None
        if expected == "entity" and isinstance(value, str):
            try:
                check_name(value, "the name of the entity")
            except InvalidInput as problem:
                return str(problem)
            return None
        return f"{name!r} takes objects of type {expected}, not {kind} ({to_object_value(value).text[:40]!r})"
