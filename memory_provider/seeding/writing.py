"""One item as an operation of a transaction."""

from __future__ import annotations

from ..memory.writing.transaction import OperationBuffer
from ..temporal.instants import to_datetime
from .items import EpisodeItem, Item, when


def write(buffer: OperationBuffer, item: Item, key: str, episode: str | None) -> str | None:
    """Ask for an item to be written; answers the id of an episode. `episode` is the id of the one it cites."""
    if isinstance(item, EpisodeItem):
        return buffer.add_episode(
            item.text,
            occurred_at=None if item.occurred_at is None else to_datetime(item.occurred_at),
            source=item.source,
            speaker=item.speaker,
            session=item.session,
            idempotency_key=key,
        )
    start, end = when(item.valid_from), when(item.valid_to)
    cited = episode if item.cites is not None else None
    match item.kind:
        case "retract":
            buffer.retract_fact(
                item.subject,
                item.predicate,
                item.object,
                valid_from=start,
                valid_to=end,
                idempotency_key=key,
            )
        case "correct":
            assert item.object is not None
            buffer.correct_fact(
                item.subject,
                item.predicate,
                item.object,
                valid_from=start,
                valid_to=end,
                replaces=item.replaces,
                episode=cited,
                file=item.file,
                by=item.by,
                confidence=item.confidence,
                idempotency_key=key,
            )
        case _:
            assert item.object is not None
            buffer.assert_fact(
                item.subject,
                item.predicate,
                item.object,
                valid_from=start,
                valid_to=end,
                episode=cited,
                file=item.file,
                by=item.by,
                confidence=item.confidence,
                idempotency_key=key,
            )
    return None
