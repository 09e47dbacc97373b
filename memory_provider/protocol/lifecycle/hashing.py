"""The hash that identifies a context record: SHA-256 over its canonical JSON, RFC 8785 (LH1, LH2).

The hash is taken over the record's JSON as it came, with members nobody here knows; only its own member
`record_hash` at the top is left out, whatever it holds. One inside `extensions` or a body is ordinary content.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..digests import digest
from ..errors import ProtocolError, describe
from .codes import INVALID_RECORD

RECORD_HASH: Final = "record_hash"
"""The member that a record's hash stands in."""

_SAFE_INTEGER: Final = 2**53 - 1


class CanonicalizationError(ProtocolError):
    """A value that has no canonical JSON: half of a surrogate pair, a number that readers would not agree about."""

    code = INVALID_RECORD


def canonical_json(value: Any) -> bytes:
    """The canonical JSON of a plain JSON value (RFC 8785).

    To RFC 8785 every number is a double. An integer beyond 2^53 - 1 is therefore taken only if it is written as
    the double nearest to it would be, as in `100000000000000000000` for 1e20. For any other, such as
    9007199254740993, readers disagree whether it is this or the double beside it, and would give the same record
    two hashes: that raises `CanonicalizationError`, as does what strict JSON cannot say at all.
    """
    import rfc8785

    try:
        return rfc8785.dumps(_doubles(value))
    except UnicodeEncodeError:
        raise CanonicalizationError("no canonical JSON: a name holds half of a surrogate pair") from None
    except rfc8785.CanonicalizationError as error:
        raise CanonicalizationError(f"no canonical JSON: {error}") from None


def record_hash(record: Mapping[str, Any]) -> str:
    """The hash of a record given as its plain JSON object; `record_hash` itself may be right, wrong or absent."""
    return digest(preimage(record))


def preimage(record: Mapping[str, Any]) -> bytes:
    """The bytes that a record's hash is taken over, to compare where two hashes differ."""
    return canonical_json({name: value for name, value in record.items() if name != RECORD_HASH})


def canonical_and_hash(record: Mapping[str, Any]) -> tuple[bytes, str]:
    """A record's canonical JSON and its hash, in the time that one of them takes."""
    names = sorted(record, key=lambda name: name.encode("utf-16be", "surrogatepass"))
    members = {name: canonical_json(name) + b":" + canonical_json(record[name]) for name in names}
    hashed_members = (member for name, member in members.items() if name != RECORD_HASH)
    return b"{%b}" % b",".join(members.values()), digest(b"{%b}" % b",".join(hashed_members))


def hashed(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its `record_hash` set to what it is."""
    return {**record, RECORD_HASH: record_hash(record)}


def _doubles(value: Any) -> Any:
    """The value with large integers made the doubles they are."""
    if isinstance(value, Mapping):
        return {name: _doubles(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_doubles(item) for item in value]
    if type(value) is int and not -_SAFE_INTEGER <= value <= _SAFE_INTEGER:
        return _double(value)
    return value


def _double(integer: int) -> float:
    import rfc8785

    try:
        double = float(integer)
    except OverflowError:
        raise CanonicalizationError(f"{describe(integer)} is no double; write it as a text") from None
    if rfc8785.dumps(double) != str(integer).encode():
        message = (
            f"{describe(integer)} is no double's canonical form, so that readers would disagree about it"
        )
        raise CanonicalizationError(f"{message}; write it as a text")
    return double
