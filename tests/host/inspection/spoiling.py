"""How a small provider is made to break a requirement: something else is said at one moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

from memory_provider.protocol.lifecycle.hashing import hashed

from .small_provider import FRAMES, Exit, Json, Spoil, acknowledgement, carry, digest, written

OTHER: Final = "sha256:" + "1" * 64
"""The digest of nothing here."""
GONE: Final = object()
"""A member's value that takes the member away."""


def at(moment: str, change: Callable[[Json, Any], Any]) -> Spoil:
    """Change what is said at one moment, which `change` gets with what was asked."""
    return lambda now, asked, what: change(asked, what) if now == moment else what


def with_(what: Any, value: Any, *path: Any) -> Any:
    """`what`, with a member deep inside set."""
    holder = what
    for step in path[:-1]:
        holder = holder[step]
    if value is GONE:
        holder.pop(path[-1], None)
    else:
        holder[path[-1]] = value
    return what


def error(code: str, message: str = "no") -> Json:
    return {"type": "error", "code": code, "message": message}


# --- lines


def unread(is_meant: Callable[[bytes], bool], reaction: Callable[[], Any]) -> Spoil:
    """A line that is not even read."""
    return at("line", lambda asked, line: reaction() if is_meant(line) else line)


def holding(part: bytes) -> Callable[[bytes], bool]:
    return lambda line: part in line


def is_goodbye(line: bytes) -> bool:
    return line.startswith(b'{"type":"shutdown"') and b"}{" not in line


def dies() -> NoReturn:
    raise Exit(3)


def says_nothing() -> list[bytes]:
    return []


def says(message: Json) -> Callable[[], list[bytes]]:
    return lambda: [written(message)]


# --- handshakes


def ack(value: Any, *path: Any) -> Spoil:
    """Acknowledgements with another member."""
    return at(
        "handshake",
        lambda asked, said: with_(said, value, *path) if said["type"] == "handshake_ack" else said,
    )


def acknowledges(version: str) -> Spoil:
    """Hosts of a version, or one that has it inside, are acknowledged, whatever it is."""
    return at(
        "handshake", lambda asked, said: acknowledgement() if version in asked["protocol_version"] else said
    )


# --- questions


def refused(is_meant: Callable[[Json], Any], code: str) -> Spoil:
    """Questions that are answered by an error."""
    return at("query", lambda asked, said: error(code) | id_of(asked) if is_meant(asked["query"]) else said)


def served(is_meant: Callable[[Json], Any], change: Callable[[Json, list[Json]], list[Json]]) -> Spoil:
    """Questions that get other frames, which are signed as if they were right."""
    return at("served", lambda query, frames: change(query, frames) if is_meant(query) else frames)


def id_of(asked: Json) -> Json:
    return {"id": asked["id"]} if "id" in asked else {}


def everything(query: Json, frames: list[Json]) -> list[Json]:
    """All frames there are."""
    return [dict(each) for each in FRAMES]


def with_lent(query: Json, frames: list[Json]) -> list[Json]:
    """One more, whose time is over."""
    return [*frames, *(dict(each) for each in FRAMES if each["id"] == "lent")]


def references(query: Json, frames: list[Json]) -> list[Json]:
    return [carry(each, ["reference"]) for each in frames]


def empty(asked: Json, said: Json) -> Json:
    """No frames, where a question was to be refused."""
    return {"type": "frames", **id_of(asked), "result": {"frames": [], "truncated": False}}


# --- frames


def frames(change: Callable[[Json], Any]) -> Spoil:
    """Every frame changed, whichever are served; its cost and digest stay as they were."""

    def every(query: Json, served: list[Json]) -> list[Json]:
        for each in served:
            change(each)
        return served

    return at("served", every)


def member(name: str, value: Any, *, of: str | None = None) -> Spoil:
    """Every frame, or every one of a representation, with another member."""
    return frames(
        lambda frame: with_(frame, value, name) if of in (None, frame.get("representation", "full")) else None
    )


def links(name: str, value: Any) -> Spoil:
    """Every link to a file with another member."""
    return frames(
        lambda frame: [
            with_(each, value, name) for each in frame.get("provenance", []) if each["type"] == "file"
        ]
    )


def relations(name: str, value: Any) -> Spoil:
    """Every relation with another member."""
    return frames(lambda frame: [with_(each, value, name) for each in frame.get("relations", [])])


def contents_that_change() -> Spoil:
    """Other bytes in each answer, under the digest of the first."""
    times = iter(range(10**6))
    first = digest(f"{0:08d}")
    return member_of_content(
        lambda: {"content": f"{next(times):08d}", "token_cost": 2, "content_digest": first}
    )


def member_of_content(members: Callable[[], Json]) -> Spoil:
    """Members of every frame that has content."""
    return frames(lambda frame: frame.update(members()) if "content" in frame else None)


# --- what is signed


def signed(change: Callable[[Json], Any]) -> Spoil:
    """Results that are changed after they were signed."""

    def query(asked: Json, said: Json) -> Json:
        if said["type"] == "frames" and "frame_attestations" in said["result"]:
            change(said["result"])
        return said

    return at("query", query)


# --- verdicts and records


def verdicts(change: Callable[[Json], Json]) -> Spoil:
    """Every verdict changed."""

    def verify(asked: Json, said: Json) -> Json:
        return with_(said, [change(each) for each in said["response"]["verdicts"]], "response", "verdicts")

    return at("verify", verify)


def of_record(id: str, value: Any, *path: Any) -> Spoil:
    """A record with another member, and the hash that goes with it."""

    def change(asked: Json, document: Any) -> Any:
        if document is None or document["record_id"] != id:
            return document
        return hashed(with_(document, value, *path))

    return at("record", change)


def resolved(change: Callable[[Json, Json], Any]) -> Spoil:
    """What handles are answered with, changed."""
    return at("memory-provider:resolve", change)
