"""Objects as their predicates take them."""

from __future__ import annotations

from ...store.records import ObjectValue, Predicate
from ..errors import InvalidObject


def fitting(value: ObjectValue | None, predicate: Predicate) -> ObjectValue:
    """The object as the predicate takes it: a text where an entity is meant names the entity."""
    assert value is not None
    if value.type == predicate.object_type:
        return value
    if predicate.object_type == "entity" and value.type == "text":
        if not may_name(value):
            raise InvalidObject(
                f"{value.text[:40]!r} cannot name an entity, which is what {predicate.name!r} takes; "
                "give a name of 1 to 1024 bytes"
            )
        return ObjectValue("entity", value.text)
    raise InvalidObject(
        f"{predicate.name!r} takes {_article(predicate.object_type)}, not {_article(value.type)} "
        f"({value.text[:40]!r}); give the declared type, or use another predicate"
    )


def fits(value: ObjectValue | None, predicate: Predicate) -> bool:
    """Whether `fitting` takes it."""
    if value is None:
        return False
    names = predicate.object_type == "entity" and value.type == "text" and may_name(value)
    return value.type == predicate.object_type or names


def may_name(value: ObjectValue) -> bool:
    """Whether an entity may have this name."""
    return value.is_entity or (
        value.type == "text" and bool(value.text.strip()) and len(value.text.encode()) <= 1024
    )


def _article(kind: str | None) -> str:
    kind = kind or "value"
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
