"""The wire types as Pydantic sees them. Imported when Pydantic asks one of them for its schema, and only then.

Pydantic is given two things. One is a function that validates: it hands the value to the reader behind `decode`,
so that nothing is checked a second way. The other is a description of the same members, which never runs; JSON
Schema is made from it.
"""

from collections.abc import Callable, Mapping
from inspect import cleandoc
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError
from pydantic_core import core_schema as pydantic

from .decoding import take_type
from .encoding import plain
from .envelopes import ENVELOPES
from .plain_values import plain_copy
from .shapes import Mismatch, Missing, read
from .wire_objects import REQUIRED, ExtensibleObject, IntegerRange, TaggedObject, WireObject

ERROR_TYPE: Final = "wire_mismatch"
"""Pydantic's `type` of every error but that of an absent member, which is Pydantic's own `missing`."""


def object_schema(shape: type[WireObject], handler: GetCoreSchemaHandler) -> CoreSchema:
    """Pydantic's schema of one wire type."""
    fields = {
        name: pydantic.typed_dict_field(
            _described_member(member.annotation, shape.text_patterns.get(name), handler),
            required=member.default is REQUIRED,
        )
        for name, member in shape.wire_members.items()
    }
    if issubclass(shape, TaggedObject):
        fields = {shape.tag: pydantic.typed_dict_field(pydantic.literal_schema([shape.type])), **fields}
    keeps_extra = issubclass(shape, ExtensibleObject)
    members = pydantic.typed_dict_schema(fields, extra_behavior="allow" if keeps_extra else "ignore")
    return _schema(
        _reader(shape), members, shape.__name__, f"{shape.__module__}.{shape.__qualname__}:{id(shape)}"
    )


def envelope_schema(handler: GetCoreSchemaHandler) -> CoreSchema:
    """Pydantic's schema of any envelope: a union discriminated by `type`."""
    return union_schema("Envelope", ENVELOPES, handler)


def union_schema(
    title: str, shapes: Mapping[str, type[TaggedObject]], handler: GetCoreSchemaHandler
) -> CoreSchema:
    """Pydantic's schema of a union of wire types, discriminated by the member that is their tag."""
    tag = next(iter(shapes.values())).tag
    choices: dict[Any, CoreSchema] = {name: handler.generate_schema(shape) for name, shape in shapes.items()}
    union = pydantic.tagged_union_schema(choices, discriminator=tag)

    def read_union(value: Any) -> Any:
        if isinstance(value, tuple(shapes.values())):
            return value
        copy = plain_copy(value)
        return read(take_type(copy, shapes, tag), copy)

    return _schema(read_union, union, title, f"{__package__}.{title}:{id(shapes)}")


def described(shape: type[WireObject], schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """The JSON Schema of one wire type, with its name and what its class says about itself."""
    json_schema = handler(schema)
    definition = handler.resolve_ref_schema(json_schema)
    definition["title"] = shape.__name__
    if shape.__doc__:
        definition["description"] = cleandoc(shape.__doc__)
    if shape.schema_rules:
        definition["allOf"] = [dict(rule) for rule in shape.schema_rules]
    return json_schema


def _schema(read: Callable[[Any], Any], description: CoreSchema, title: str, ref: str) -> CoreSchema:
    def validate(value: Any, _: Any) -> Any:
        try:
            return read(value)
        except Mismatch as mismatch:
            raise ValidationError.from_exception_data(title, [_details(mismatch, value)]) from None

    validate.__name__ = validate.__qualname__ = title  # Pydantic shows it where it has no better title
    return pydantic.no_info_wrap_validator_function(
        validate, description, ref=ref, serialization=pydantic.plain_serializer_function_ser_schema(_write)
    )


def _write(value: Any) -> Any:
    """What `encode` writes of a wire object; refused where it would be, which Pydantic makes a null otherwise."""
    if not isinstance(value, WireObject):
        return value
    try:
        return plain_copy(plain(value))
    except Mismatch as mismatch:
        raise ValueError(f"{type(value).__name__} is no JSON: {mismatch}") from None


def _reader(shape: type[WireObject]) -> Callable[[Any], Any]:
    def read_object(value: Any) -> Any:
        if isinstance(value, shape):
            return value
        copy = plain_copy(value)
        if issubclass(shape, TaggedObject) and not isinstance(copy, WireObject):
            take_type(copy, {shape.type: shape}, shape.tag)
        return read(shape, copy)

    return read_object


def _details(mismatch: Mismatch, value: Any) -> InitErrorDetails:
    """A mismatch as Pydantic reports errors, with the part of the input that it is about."""
    location = mismatch.location
    for step in location:
        if isinstance(value, dict) and step not in value:
            break  # a member that another one asks for
        value = value[step]
    if isinstance(mismatch, Missing):
        return InitErrorDetails(type="missing", loc=(*location, mismatch.member), input=value)
    said = {"expected": mismatch.expected, "found": mismatch.found}
    error = PydanticCustomError(ERROR_TYPE, "Input should be {expected}, got {found}", said)
    return InitErrorDetails(type=error, loc=location, input=value)


def _described_member(annotation: Any, pattern: str | None, handler: GetCoreSchemaHandler) -> CoreSchema:
    """The description of one member, going by its annotation as `shapes` does."""
    if annotation is str:
        return pydantic.str_schema(pattern=pattern)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated and isinstance(arguments[1], IntegerRange):
        return pydantic.int_schema(ge=arguments[1].low, le=arguments[1].high)
    if origin is Mapping:
        return pydantic.dict_schema(pydantic.str_schema(), pydantic.any_schema())
    if origin is tuple:
        return pydantic.list_schema(_described_member(arguments[0], pattern, handler))
    if origin in (UnionType, Union):
        return pydantic.nullable_schema(_described_member(arguments[0], pattern, handler))
    return handler.generate_schema(annotation)  # a choice of texts, true or false, a number, a wire type
