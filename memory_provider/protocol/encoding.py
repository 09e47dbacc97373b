"""An envelope to bytes: the only way out."""

import json
from collections.abc import Mapping
from typing import Any

from .envelopes import Envelope
from .errors import EncodeError
from .strict_json import MAX_BYTES
from .wire_objects import ExtensibleObject, TaggedObject, WireObject


def encode(envelope: Envelope) -> bytes:
    """One line of compact UTF-8 JSON, without the line end.

    Optional members that are `None` and optional lists that are empty are left out; required lists and all
    booleans are always written, `truncated` among them. Members kept in `extra` follow the known ones.

    Raises `EncodeError` for what JSON or Unicode cannot say (NaN, half of a surrogate pair, a foreign object
    in `extra`), and for a message that is longer than a peer would read.
    """
    try:
        data = _WRITER.encode(envelope).encode("utf-8")
    except UnicodeEncodeError:
        raise EncodeError("a text holds half of a surrogate pair") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise EncodeError(f"this {envelope.type} envelope is no JSON: {error}") from None
    if len(data) > MAX_BYTES:
        raise EncodeError(f"a message of {len(data)} bytes is longer than the limit of {MAX_BYTES} bytes")
    return data


def _members(value: Any) -> dict[str, Any]:
    """The members of a wire object as they are written; the JSON writer calls it for every one it meets."""
    if not isinstance(value, WireObject):
        raise TypeError(f"{type(value).__name__} has no place on the wire")
    given = value.__dict__
    members: dict[str, Any] = {value.tag: value.type} if isinstance(value, TaggedObject) else {}
    for name, (_, default) in value.wire_members.items():
        member = given.get(name, default)
        if member is None and default is None:
            continue
        if default == () and not member:
            continue
        members[name] = member
    if isinstance(value, ExtensibleObject) and value.extra:
        known = {*value.wire_members, *members}
        members.update((name, item) for name, item in value.extra.items() if name not in known)
    return members


def plain(value: Any) -> Any:
    """What `encode` writes, as the plain values that reading it as JSON would give; foreign objects as they are."""
    if isinstance(value, WireObject):
        value = _members(value)
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_members)
