"""Keys and arguments of operations as keyed hashes, so that neither can be read or guessed back."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from typing import Any

from ...temporal.errors import InvalidInput
from ...temporal.instants import Instant
from ...temporal.shown import shown
from ..values import check_text
from .operations import AddEpisode, Operation, SourceOfClaim, Unset

KEY_BYTES = 1024


def check_key(key: str | None) -> str | None:
    """A non-empty text of at most `KEY_BYTES` bytes."""
    if key is None:
        return None
    if not isinstance(key, str) or not key or len(key.encode(errors="replace")) > KEY_BYTES:
        raise InvalidInput(f"an idempotency key is a text of 1 to {KEY_BYTES} bytes, not {shown(key)}")
    return check_text(key, "the idempotency key")


def hash_key(secret: bytes, scope: str, key: str) -> str:
    """The key as it is kept."""
    return _keyed(secret, ["key", scope, key])


def hash_record_key(secret: bytes, scope: str, client: str, key: str) -> str:
    """The key of a client's batch of context records as it is kept; never equal to a key of another operation."""
    return _keyed(secret, ["record key", scope, client, key])


def hash_command(secret: bytes, command: object, recorded_at: Instant | None) -> str:
    """What a batch of context records asks for, as it is kept."""
    return _keyed(secret, ["records", command, recorded_at])


def hash_arguments(
    secret: bytes, operation: Operation, recorded_at: Instant | None, minted: Mapping[str, int]
) -> str:
    """The arguments as given, before any default. An episode of the same transaction counts by its place in it."""
    match operation:
        case AddEpisode():
            given: list[Any] = [
                "episode",
                operation.text,
                operation.occurred_at,
                operation.source,
                operation.speaker,
                operation.session,
            ]
        case _:
            given = [
                operation.kind,
                operation.subject,
                operation.predicate,
                operation.object,
                operation.valid_from,
                operation.valid_to,
                operation.replaces,
                _source(operation.source, minted),
            ]
    return _keyed(secret, [*given, recorded_at])


def _source(source: SourceOfClaim, minted: Mapping[str, int]) -> list[Any]:
    file = source.file
    episode: Any = source.episode
    if source.episode is not None and source.episode in minted:
        episode = minted[source.episode]
    return [episode, file and [file.uri, file.digest, file.range], source.by, source.confidence]


def _keyed(secret: bytes, given: list[Any]) -> str:
    text = json.dumps(given, ensure_ascii=False, default=_left_out)
    return hmac.new(secret, text.encode(), "sha256").hexdigest()


def _left_out(value: Any) -> Any:
    if isinstance(value, Unset):
        return {"left out": True}
    raise TypeError(type(value))
