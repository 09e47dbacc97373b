"""Bytes from a peer to an envelope: the only way in."""

from typing import Any

from .envelopes import ENVELOPES, Envelope
from .errors import DecodeError, UnknownTypeError, describe, excerpt
from .shapes import Mismatch, read
from .strict_json import MAX_BYTES, parse_json


def decode(data: bytes, *, max_bytes: int = MAX_BYTES) -> Envelope:
    """The envelope in one line (stdio) or one body (HTTP), with or without its line end.

    Envelopes of both directions are read; which of them make sense to receive is the receiver's to say.
    Raises `DecodeError`, and nothing else, for everything that is no valid envelope. It carries the
    correlation id whenever the message was an object with a text as its `id`, so that the answer can be
    matched.
    """
    value = parse_json(data, max_bytes=max_bytes)
    if type(value) is not dict:
        raise DecodeError(f"expected an object with a text as its type, got {describe(value)}")
    id = value.get("id")
    correlation_id = id if type(id) is str else None
    if "type" not in value:
        raise DecodeError("expected a member type, got none", id=correlation_id)
    type_name = value.pop("type")
    if type(type_name) is not str:
        raise DecodeError(f"type: expected a text, got {describe(type_name)}", id=correlation_id)
    shape = ENVELOPES.get(type_name)
    if shape is None:
        raise _unknown_type(type_name, id, correlation_id)
    try:
        return read(shape, value)
    except Mismatch as mismatch:
        raise DecodeError(str(mismatch), id=correlation_id, type=type_name) from None


def _unknown_type(type_name: str, id: Any, correlation_id: str | None) -> UnknownTypeError:
    message = f"type: {excerpt(type_name)} is not known here"
    return UnknownTypeError(message, id=correlation_id, type=type_name, reply=id is not None)
