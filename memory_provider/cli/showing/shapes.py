"""The shapes of `--json`: stable, documented in docs/cli.md. Instants are ISO 8601 with Z; null is unbounded."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from ...temporal.instants import from_datetime, to_text

if TYPE_CHECKING:
    from ...memory.changes import Change
    from ...memory.evidence.explaining import Explanation
    from ...memory.evidence.frames import Canonical, Frame
    from ...memory.evidence.resolving import Content
    from ...memory.evidence.verifying import Verdict
    from ...memory.facts import Episode, Fact, Source
    from ...memory.recall.explanation import RecallExplanation
    from ...memory.records.context_records import ContextRecord
    from ...memory.timeline import Stretch
    from ...memory.values import Object
    from ...memory.writing.operations import File
    from ...memory.writing.receipts import EraseReport, Receipt

Shape = dict[str, Any]


def instant_text(moment: datetime) -> str:
    """ISO 8601 in UTC with `Z`; a fraction only where there is one."""
    return to_text(from_datetime(moment))


def instant(moment: datetime | None) -> str | None:
    return None if moment is None else instant_text(moment)


def moment_text(moment: datetime | None, unbounded: str = "") -> str:
    """An instant for people: a date alone at exactly midnight UTC."""
    return unbounded if moment is None else instant_text(moment).removesuffix("T00:00:00Z")


def instant_cell(moment: datetime) -> str:
    """An instant in a table: a fraction has six digits, so that instants below each other can be compared."""
    whole, dot, fraction = instant_text(moment).removesuffix("Z").partition(".")
    return f"{whole}{dot}{fraction:0<6}Z" if dot else f"{whole}Z"


def moment_cell(moment: datetime | None, unbounded: str) -> str:
    """The same, a date alone at exactly midnight UTC."""
    return unbounded if moment is None else instant_cell(moment).removesuffix("T00:00:00Z")


def window_text(start: datetime | None, end: datetime | None) -> str:
    """A window for people."""
    if start is None:
        return "at all times" if end is None else f"until {moment_text(end)}"
    return (
        f"since {moment_text(start)}"
        if end is None
        else f"from {moment_text(start)} until {moment_text(end)}"
    )


def object_shape(value: Object) -> Shape:
    """An object with its type; entities, dates and instants as text."""
    match value:
        case bool():
            return {"type": "boolean", "value": value}
        case int():
            return {"type": "integer", "value": value}
        case float():
            return {"type": "number", "value": value}
        case str():
            return {"type": "text", "value": value}
        case datetime():
            return {"type": "instant", "value": instant_text(value)}
        case date():
            return {"type": "date", "value": value.isoformat()}
    return {"type": "entity", "value": value.name}


def object_text(value: Object) -> str:
    """An object in a table."""
    shown = object_shape(value)["value"]
    return str(shown).lower() if isinstance(shown, bool) else str(shown)


def fact_shape(fact: Fact) -> Shape:
    return {
        "id": fact.id,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": object_shape(fact.object),
        "statement": fact.statement,
        "content": fact.content,
        "digest": fact.digest,
        "valid_from": instant(fact.valid_from),
        "valid_to": instant(fact.valid_to),
        "recorded_at": instant(fact.recorded_at),
        "superseded_at": instant(fact.superseded_at),
        "cause": fact.cause,
        "ended_by": fact.ended_by,
        "sources": [source_shape(each) for each in fact.sources],
    }


def source_shape(source: Source) -> Shape:
    return {
        "episode_id": source.episode_id,
        "file": file_shape(source.file) if source.file else None,
        "by": source.by,
        "method": source.method,
        "confidence": source.confidence,
        "valid_from": instant(source.valid_from),
        "valid_to": instant(source.valid_to),
        "recorded_at": instant(source.recorded_at),
        "original_recorded_at": instant(source.original_recorded_at),
    }


def file_shape(file: File) -> Shape:
    return {"uri": file.uri, "digest": file.digest, "range": file.range}


def episode_shape(episode: Episode) -> Shape:
    return {
        "id": episode.id,
        "text": episode.text,
        "occurred_at": instant(episode.occurred_at),
        "recorded_at": instant(episode.recorded_at),
        "source": episode.source,
        "speaker": episode.speaker,
        "session": episode.session,
        "position": episode.position,
    }


def receipt_shape(receipt: Receipt) -> Shape:
    return {
        "recorded_at": instant(receipt.recorded_at),
        "episode_id": receipt.episode_id,
        "episode_ids": list(receipt.episode_ids),
        "fact_ids": list(receipt.fact_ids),
        "superseded_ids": list(receipt.superseded_ids),
        "closed": [
            {
                "id": each.id,
                "statement": each.statement,
                "valid_from": instant(each.valid_from),
                "valid_to": instant(each.valid_to),
                "ended": each.ended,
            }
            for each in receipt.closed
        ],
        "warnings": list(receipt.warnings),
        "duplicate": receipt.duplicate,
        "erased": receipt.erased,
    }


def erase_shape(report: EraseReport) -> Shape:
    return {
        "dry_run": report.dry_run,
        "recorded_at": instant(report.recorded_at),
        "fact_ids": list(report.fact_ids),
        "trimmed_ids": list(report.trimmed_ids),
        "versions": report.versions,
        "episode_ids": list(report.episode_ids),
        "entity": report.entity,
        "source_links": report.source_links,
        "record_ids": list(report.record_ids),
        "still_named_in": list(report.still_named_in),
        "residue": report.residue,
    }


def frame_shape(frame: Frame) -> Shape:
    return {
        "id": frame.id,
        "kind": frame.kind,
        "title": frame.title,
        "content": frame.content,
        "digest": frame.digest,
        "uri": frame.uri,
        "score": frame.score,
        "token_cost": frame.token_cost,
        "valid_from": instant(frame.valid_from),
        "valid_to": instant(frame.valid_to),
        "recorded_at": instant(frame.recorded_at),
        "citation_label": frame.citation_label,
        "provenance": [
            {
                "type": each.type,
                "uri": each.uri,
                "digest": each.digest,
                "range": each.range,
                "method": each.method,
                "by": each.by,
            }
            for each in frame.provenance
        ],
        "relations": [
            {"rel": each.rel, "target_uri": each.target_uri, "display_name": each.display_name}
            for each in frame.relations
        ],
        "representation": frame.representation,
        "canonical": canonical_shape(frame.canonical) if frame.canonical else None,
    }


def canonical_shape(canonical: Canonical) -> Shape:
    cost = canonical.cost
    return {
        "uri": canonical.uri,
        "digest": canonical.digest,
        "tokens": cost.tokens if cost else None,
        "tokenizer": cost.tokenizer if cost else None,
    }


def content_shape(content: Content) -> Shape:
    return {
        "frame_id": content.frame_id,
        "content": content.content,
        "digest": content.digest,
        "token_cost": content.token_cost,
    }


def recall_explanation_shape(told: RecallExplanation) -> Shape:
    return {
        "candidates": [
            {
                "id": each.id,
                "kind": each.kind,
                "outcome": each.outcome,
                "arms": list(each.arms),
                "rank": each.rank,
                "score": each.score,
                "parts": each.parts._asdict() if each.parts else None,
                "token_cost": each.token_cost,
                "remaining": each.remaining,
                "representation": each.representation,
            }
            for each in told.candidates
        ],
        "arms": [{"name": arm.name, "hits": arm.hits, "limit": arm.limit} for arm in told.arms],
        "left_out": told.left_out,
    }


def stretch_shape(stretch: Stretch) -> Shape:
    return {
        "object": object_shape(stretch.object),
        "valid_from": instant(stretch.valid_from),
        "valid_to": instant(stretch.valid_to),
    }


def change_shape(change: Change) -> Shape:
    return {
        "recorded_at": instant(change.recorded_at),
        "kind": change.kind,
        "id": change.id,
        "before": change.before,
        "after": change.after,
        "reason": change.reason,
        "by": change.by,
    }


def explanation_shape(story: Explanation) -> Shape:
    return {
        "id": story.id,
        "kind": story.kind,
        "erased": {"at": instant(story.erased.at), "reason": story.erased.reason, "by": story.erased.by}
        if story.erased
        else None,
        "versions": [fact_shape(each) for each in story.versions],
        "episodes": [episode_shape(each) for each in story.episodes],
        "replaced": [fact_shape(each) for each in story.replaced],
        "replaced_by": [fact_shape(each) for each in story.replaced_by],
        "absorbed_by": story.absorbed_by,
        "records": [record_shape(each) for each in story.records],
    }


def record_shape(record: ContextRecord) -> Shape:
    return {
        "record_id": record.record_id,
        "lineage_id": record.lineage_id,
        "kind": record.kind,
        "status": record.status,
        "statement": record.statement,
        "digest": record.digest,
        "observed_at": instant(record.observed_at),
        "valid_from": instant(record.valid_from),
        "valid_to": instant(record.valid_to),
        "recorded_at": instant(record.recorded_at),
        "superseded_at": instant(record.superseded_at),
        "sharing_scope": record.sharing_scope,
        "subject_scope": dict(record.subject_scope),
        "retention": record.retention,
        "expires_at": instant(record.expires_at),
        "client": record.client,
        "by": record.by,
        "original_recorded_at": instant(record.original_recorded_at),
        "body": record.body,
    }


def verdict_shape(verdict: Verdict) -> Shape:
    return {
        "frame_id": verdict.frame_id,
        "status": verdict.status,
        "replacement_digest": verdict.replacement_digest,
    }
