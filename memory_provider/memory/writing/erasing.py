"""The plan of an erase: what matches leaves at every known_at, and what it had overridden stays overridden."""

from __future__ import annotations

from ...store.contract import Erasable, Erasure, lineage_tombstone, record_tombstone
from ...store.names import normalise_name
from ...store.records import NewVersion, SourceLink, Tombstone, Version
from ...temporal.clock import next_transaction_time
from ...temporal.instants import Instant, now, to_datetime
from ...temporal.remainders import Believed, Remainder, remaining
from ...temporal.windows import Window
from ..ids import mint
from ..rendering import digest, fact_content
from ..text.analysis import document_terms
from .predicates import ALIAS
from .receipts import EraseReport


class ErasePlan:
    """Called by the store under the lock, perhaps several times; keeps the last report."""

    def __init__(self, *, reason: str, by: str | None, recorded_at: Instant | None, dry_run: bool) -> None:
        self._reason = reason
        self._by = by
        self._supplied = recorded_at
        self._dry_run = dry_run
        self.report: EraseReport

    def __call__(self, found: Erasable) -> Erasure:
        at = next_transaction_time(found.clock, now(), self._supplied)
        gone_episodes = {episode.id for episode in found.episodes}
        links: dict[str, list[SourceLink]] = {}
        for link in found.links:
            links.setdefault(link.fact_id, []).append(link)
        versions: dict[str, list[Version]] = {}
        for version in found.versions:
            versions.setdefault(version.id, []).append(version)
        erased: list[str] = []
        trimmed: list[str] = []
        rewritten: list[NewVersion] = []
        kept_links: list[SourceLink] = []
        claims: set[str] = set()
        for fact_id, line in versions.items():
            own = links.get(fact_id, [])
            if fact_id in found.matched:
                erased.append(fact_id)
                claims.update(link.claim for link in own)
                continue
            staying = [link for link in own if link.episode_id not in gone_episodes]
            claims.update(link.claim for link in own if link.episode_id in gone_episodes)
            rest, rest_links = _rewrite(fact_id, line, staying)
            if rest:
                trimmed.append(fact_id)
            else:
                erased.append(fact_id)
            rewritten.extend(rest)
            kept_links.extend(rest_links)
        stones = [
            *((fact_id, "fact") for fact_id in erased),
            *((episode, "episode") for episode in sorted(gone_episodes)),
            *([(found.entity.id, "entity")] if found.entity else []),
            *((record_tombstone(each.id), "record") for each in found.records),
            *((lineage_tombstone(each), "lineage") for each in sorted(found.bereft)),
        ]
        self.report = EraseReport(
            to_datetime(at),
            tuple(erased),
            tuple(trimmed),
            len(found.versions),
            tuple(sorted(gone_episodes)),
            found.entity.id if found.entity else None,
            len(found.links) - len(kept_links),
            tuple(found.naming),
            None,
            self._dry_run,
            tuple(each.id for each in found.records),
        )
        return Erasure(
            at,
            facts=[*erased, *trimmed],
            rewritten=rewritten,
            links=kept_links,
            episodes=gone_episodes,
            entities=[found.entity.name] if found.entity else [],
            claims=claims,
            records=[each.id for each in found.records],
            tombstones=[Tombstone(each, kind, at, self._reason, self._by) for each, kind in stones],
        )


def _rewrite(
    fact_id: str, line: list[Version], staying: list[SourceLink]
) -> tuple[list[NewVersion], list[SourceLink]]:
    believed = [Believed(each.window, Window(each.recorded_at, each.superseded_at)) for each in line]
    backing = [Believed(link.covers, Window(link.attached_at, link.detached_at)) for link in staying]
    rest = remaining(fact_id, believed, backing, lambda: mint("fact"))
    versions = [_version(each, line) for each in rest]
    links: list[SourceLink] = []
    for each in dict.fromkeys(row.id for row in rest):
        for link in staying:
            if any(row.id == each and row.window.overlaps(link.covers) for row in rest):
                moved = link if each == fact_id else link._replace(id=mint("src"), fact_id=each)
                links.append(moved)
    return versions, links


def _version(row: Remainder, line: list[Version]) -> NewVersion:
    source = next(each for each in line if each.recorded_at <= row.recorded.start < each.superseded_at)
    untouched = source.window == row.window and source.id == row.id
    # What is left may have gone on unchanged while the whole changed: it ends with the version it ends in.
    last = next(each for each in line if each.recorded_at < row.recorded.end <= each.superseded_at)
    ends_with_last = row.recorded.end == last.superseded_at
    version = source._replace(
        id=row.id,
        valid_from=row.window.start,
        valid_to=row.window.end,
        recorded_at=row.recorded.start,
        superseded_at=row.recorded.end,
        digest=source.digest if untouched else digest(fact_content(source.statement, row.window)),
        cause=source.cause if untouched and row.recorded.start == source.recorded_at else "erase",
        ended_by=last.ended_by if ends_with_last else "erase",
        absorbed_by=last.absorbed_by if ends_with_last else None,
    )
    alias = normalise_name(version.object.text) if version.predicate == ALIAS else None
    return NewVersion(version, document_terms(version.statement), alias)
