"""Bytes from a peer to an envelope: the only way in."""

from collections.abc import Mapping
from typing import Any, TypeVar

from .envelopes import ENVELOPES, Envelope
from .errors import DecodeError, UnknownTypeError, describe
from .shapes import Mismatch, Missing, read
from .strict_json import MAX_BYTES, parse_json
from .wire_objects import TaggedObject

Tagged = TypeVar("Tagged", bound=TaggedObject)


class UnknownType(Mismatch):
    """The member that tells types apart holds a text that stands for none of the types expected."""

    def __init__(self, type_name: str, known: Mapping[str, Any], tag: str) -> None:
        super().__init__(f"{'one of ' if len(known) > 1 else ''}{', '.join(known)}", describe(type_name))
        self.type_name = type_name
        self.inside(tag)


def decode(data: bytes, *, max_bytes: int = MAX_BYTES) -> Envelope:
    """The envelope in one line (stdio) or one body (HTTP), with or without its line end.

    Envelopes of both directions are read; which of them make sense to receive is the receiver's to say.
    Raises `DecodeError`, and nothing else, for everything that is no valid envelope. It carries the
    correlation id whenever the message was an object with a text as its `id`, so that the answer can be
    matched.
    """
    value = parse_json(data, max_bytes=max_bytes)
    id = value.get("id") if type(value) is dict else None
    correlation_id = id if type(id) is str else None
    type_name: str | None = None
    try:
        shape = take_type(value, ENVELOPES)
        type_name = shape.type
        return read(shape, value)
    except UnknownType as unknown:
        raise UnknownTypeError(
            str(unknown), id=correlation_id, type=unknown.type_name, reply=id is not None
        ) from None
    except Mismatch as mismatch:
        raise DecodeError(str(mismatch), id=correlation_id, type=type_name) from None


def take_type(value: Any, known: Mapping[str, type[Tagged]], tag: str = "type") -> type[Tagged]:
    """Takes the member `tag` out of a plain JSON object; the class it stands for. Raises `Mismatch`."""
    if type(value) is not dict:
        raise Mismatch(f"an object with a text as its {tag}", describe(value))
    if tag not in value:
        raise Missing(tag)
    type_name = value.pop(tag)
    if type(type_name) is not str:
        raise Mismatch("a text", describe(type_name)).inside(tag)
    shape = known.get(type_name)
    if shape is None:
        raise UnknownType(type_name, known, tag)
    return shape
