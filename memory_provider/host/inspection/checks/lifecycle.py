"""The profile `contextgraph/lifecycle/1.0-draft`, as far as reading shows it.

The profile gives its operations no messages. Those that are sent here are the extension of this project, and only where
a provider's `lifecycle` block names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from ....protocol import GetRecords, Records, Resolve, Resolved, digest
from ....protocol.lifecycle.codes import CONTENT_HASH_MISMATCH, REFERENCE_EXPIRED, REFERENCE_NOT_FOUND
from ..answers import Answer, text_of
from ..messages import Message
from ..records import RECORD_RULES, judge_record
from ..requirements import REQUIREMENTS
from ..subject import Subject

WRITES: Final = ("LO-ID1", "LO-ID2", "LR2")
"""What only writing shows."""
_RESOLVING: Final = ("LO-R1", "LO-R2", "LO-R3")
_RECORD_URI: Final = "memory:record/"
NO_MESSAGES: Final = "the profile defines no message for it, and none that is known here is offered"
_MOST: Final = 50
_OTHER: Final = "sha256:" + "0" * 64


async def block(subject: Subject) -> None:
    """Whether there is a block, and where."""
    observations = subject.observations
    of_the_profile = [each.id for each in REQUIREMENTS if each.is_of_the_profile]
    if subject.lifecycle is None:
        misplaced = [
            holder for holder in ("provider", "data_flow") if "lifecycle" in _holder(subject, holder)
        ]
        if "lifecycle" in subject.ack or misplaced:
            observations.broken("LP-ID3", "a lifecycle block stands outside of the capabilities")
        observations.does_not_apply(of_the_profile, "it does not offer the lifecycle profile")
        return
    observations.met("LP-ID3", "a lifecycle block stands inside the capabilities")
    if not subject.writes:
        observations.not_seen(WRITES, "only writing would show it, and nothing was written")


async def records(subject: Subject) -> None:
    """Records that frames come from, read whole."""
    if subject.lifecycle is None:
        return
    observations = subject.observations
    if not offers(subject, GetRecords.type, Records.type):
        observations.not_seen(RECORD_RULES, NO_MESSAGES)
        return
    wide = await subject.frames(max_frames=64, max_tokens=65_536)
    ids = _record_ids(wide)
    if not ids:
        observations.not_seen(RECORD_RULES, "no frame that was served comes from a context record")
        return
    found = await _read(subject, ids)
    linked = [id for id in dict.fromkeys(_linked(found)) if id not in ids][:_MOST]
    if linked:
        found += await _read(subject, linked)
    observations.not_seen("LC4", "no record that was read is signed")
    observations.not_seen(RECORD_RULES, f"none of the {len(found)} record(s) that were read shows it")


async def resolving(subject: Subject) -> None:
    """Handles of frames: a good one, one with another hash, one that leads nowhere."""
    if subject.lifecycle is None:
        return
    observations = subject.observations
    if not subject.declares("resolve") or not offers(subject, Resolve.type, Resolved.type):
        observations.not_seen(_RESOLVING, NO_MESSAGES)
        return
    served = await subject.frames(representation_preferences=["reference"])
    frame = next((each for each in served.plain_frames if isinstance(each.get("content_ref"), dict)), None)
    if frame is None:
        observations.not_seen(_RESOLVING, "no frame with a handle was served")
        return
    handle, expected = frame["content_ref"], text_of(frame.get("canonical_content_hash"))
    answer = await _resolve(subject, {"content_ref": handle})
    content = text_of(((answer.message or {}).get("response") or {}).get("content"))
    observations.holds(
        "LO-R1",
        answer.type == Resolved.type and content is not None,
        "a handle is answered with the content",
        f"the handle of a frame that was just served gets {answer}",
        answer.exchange,
    )
    if content is not None:
        observations.holds(
            "LO-R2",
            digest(content.encode()) == expected,
            "content has the hash that its frame says",
            "the content behind a handle has another hash than its frame says",
            answer.exchange,
        )
    answer = await _resolve(subject, {"content_ref": handle, "canonical_content_hash": _OTHER})
    observations.holds(
        "LO-R2",
        answer.code == CONTENT_HASH_MISMATCH,
        "another hash is a content_hash_mismatch",
        f"a handle with another hash gets {answer}",
        answer.exchange,
    )
    nowhere = {"provider_id": text_of(handle.get("provider_id"), "") or "", "uri": "inspection:nowhere"}
    answer = await _resolve(subject, {"content_ref": nowhere})
    observations.holds(
        "LO-R3",
        answer.code in (REFERENCE_NOT_FOUND, REFERENCE_EXPIRED),
        "a handle to nothing is named so",
        f"a handle to nothing gets {answer}",
        answer.exchange,
    )


async def core_first(subject: Subject) -> None:
    """A provider of the profile is a conformant core provider first. Looked at when all else was."""
    if subject.lifecycle is None:
        return
    observations = subject.observations
    core = [each.id for each in REQUIREMENTS if not each.is_of_the_profile and each.level == "MUST"]
    broken = [
        id
        for id in core
        if any(not each.holds and each.level == "MUST" for each in observations.seen.get(id, ()))
    ]
    observations.holds(
        "LP-ID1",
        not broken,
        "no MUST of the core is broken",
        f"it offers the profile and breaks {', '.join(broken)}",
    )


async def _read(subject: Subject, ids: list[str]) -> list[Message]:
    """The records of these ids that are given out, judged."""
    answer = await subject.ask(
        {"type": GetRecords.type, **correlated(subject), "request": {"record_ids": ids}}
    )
    response = (answer.message or {}).get("response")
    lookups = response.get("records") if isinstance(response, dict) else None
    found = []
    for lookup in lookups if isinstance(lookups, list) else ():
        if isinstance(lookup, dict) and isinstance(lookup.get("record"), dict):
            judge_record(subject.observations, lookup, subject.ack, answer.exchange)
            found.append(lookup["record"])
    return found


def _linked(records: list[Message]) -> Iterator[str]:
    """The records that others are linked to, most of which are served as no frame."""
    for record in records:
        links = record.get("record_links")
        for link in links if isinstance(links, list) else ():
            target = link.get("target_record_id") if isinstance(link, dict) else None
            if isinstance(target, str):
                yield target


async def _resolve(subject: Subject, request: Message) -> Answer:
    return await subject.ask({"type": Resolve.type, **correlated(subject), "request": request})


def correlated(subject: Subject) -> Message:
    """The id of a message, where ids are echoed."""
    return {"id": subject.next_id()} if subject.declares("correlation") else {}


def offers(subject: Subject, request: str, answer: str) -> bool:
    """Whether the block names messages of these types."""
    operations: Any = (subject.lifecycle or {}).get("operations")
    return isinstance(operations, list) and any(
        isinstance(each, dict) and each.get("request") == request and each.get("answer") == answer
        for each in operations
    )


def _holder(subject: Subject, name: str) -> Message:
    if name == "data_flow":
        return subject.data_flow
    provider = subject.ack.get("provider")
    return provider if isinstance(provider, dict) else {}


def _record_ids(answer: Answer) -> list[str]:
    uris = [frame.uri or "" for frame in answer.frames]
    uris += [link.uri or "" for frame in answer.frames for link in frame.provenance]
    found = [unquote(uri.removeprefix(_RECORD_URI)) for uri in uris if uri.startswith(_RECORD_URI)]
    return list(dict.fromkeys(found))[:_MOST]
