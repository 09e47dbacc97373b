"""One key in a transaction: what stood, what is believed now, and the rows that come of it."""

from __future__ import annotations

from ...store.names import normalise_name
from ...store.records import Key, NewVersion, ObjectValue, SourceLink, Supersession, Version, VersionRef
from ...temporal.beliefs import Beliefs, Support
from ...temporal.instants import OPEN, Instant
from ...temporal.lines import Line, carry_ids
from ...temporal.windows import Window, coalesce
from ..errors import Ambiguous
from ..ids import mint
from ..rendering import digest, fact_content
from ..text.analysis import document_terms
from ..times import moment_or_none
from .operations import ChangeFact
from .predicates import ALIAS
from .receipts import ClosedFact


class KeyRewrite:
    """What stands for one key while a transaction works on it, and how it becomes rows."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.before: dict[str, Version] = {}
        self.links: dict[str, list[SourceLink]] = {}
        self.beliefs: Beliefs[ObjectValue] = Beliefs()
        self.claims: dict[str, SourceLink] = {}
        self.stated: dict[str, str] = {}
        self.lines_of_claim: dict[str, list[str]] = {}
        self.closed: dict[str, ClosedFact] = {}
        self.touched = False
        self.cause = "assert"

    def load(self, version: Version, links: list[SourceLink]) -> None:
        self.before[version.id] = version
        self.links[version.id] = links

    def begin(self) -> None:
        standing = []
        for version in self.before.values():
            for link in self.links[version.id]:
                start, end = max(link.covers_from, version.valid_from), min(link.covers_to, version.valid_to)
                if start < end:
                    standing.append((version.object, Support(link.claim, Window(start, end))))
        self.beliefs = Beliefs(standing)

    def replace(self, old: ObjectValue, what: ObjectValue, over: Window, claim: str, one: bool) -> None:
        others = [each for each in self.beliefs.holding(over) if each not in (old, what)]
        if one and others:
            raise Ambiguous(
                f"{self.key.predicate!r} holds one value, and {others[0].text[:60]!r} stands in this window beside "
                f"{old.text[:60]!r}; correct without replaces to override both"
            )
        self.beliefs.replace(old, what, over, claim)

    def claim(
        self,
        operation: ChangeFact,
        what: ObjectValue,
        over: Window,
        stated: str,
        at: Instant,
        episode: str | None,
    ) -> None:
        source = operation.source
        file = source.file
        self.claims[operation.claim] = SourceLink(
            id="",
            claim=operation.claim,
            fact_id="",
            episode_id=episode,
            file_uri=file.uri if file else None,
            file_digest=file.digest if file else None,
            file_range=file.range if file else None,
            by=source.by,
            method=_method(operation),
            confidence=source.confidence,
            spoke_from=over.start,
            spoke_to=over.end,
            covers_from=over.start,
            covers_to=over.end,
            recorded_at=at,
            attached_at=at,
            original_recorded_at=source.original_recorded_at,
        )
        self.stated[operation.claim] = stated
        self.cause = operation.kind

    def settle(
        self,
        at: Instant,
        superseded: list[Supersession],
        versions: list[NewVersion],
        detached: list[str],
        links: list[SourceLink],
    ) -> None:
        """Turn the net effect into rows. The lines of objects that no operation changed are as they were."""
        objects = [each for each in self.beliefs.objects() if each in self.beliefs.changed]
        before = [each for each in self.before.values() if each.object in self.beliefs.changed]
        renamed = carry_ids(
            [Line(each.id, each.object, each.window) for each in before],
            {each: self.beliefs.windows(each) for each in objects},
            lambda: mint("fact"),
        )
        kept = {line.id: line for line in renamed.after}
        ended = [
            version
            for version in before
            if version.id not in kept or kept[version.id].window != version.window
        ]
        for version in ended:
            superseded.append(
                Supersession(version.id, version.recorded_at, self.cause, renamed.absorbed.get(version.id))
            )
            self._note_closed(version, version.id not in kept)
        supports = {each: self.beliefs.supports(each) for each in objects}
        for line in renamed.after:
            backing = self._backing(line, supports[line.object])
            for claim in backing:
                self.lines_of_claim.setdefault(claim, []).append(line.id)
            standing = self.before.get(line.id)
            if standing is None or standing.window != line.window:
                versions.append(self._version(line, backing, at, ended))
            self._attach(line, backing, at, detached, links)

    def lines_of(self, claim: str | None) -> list[str]:
        """The lines a claim backs once the transaction has settled."""
        return list(self.lines_of_claim.get(claim, ())) if claim else []

    def _note_closed(self, version: Version, ended: bool) -> None:
        self.closed[version.id] = ClosedFact(
            version.id,
            version.statement,
            moment_or_none(version.valid_from),
            moment_or_none(version.valid_to),
            ended,
        )

    @staticmethod
    def _backing(line: Line[ObjectValue], supports: list[Support]) -> dict[str, list[Window]]:
        """For each claim behind a line, the windows of it that it covers."""
        covered: dict[str, list[Window]] = {}
        for support in supports:
            shared = support.window.intersection(line.window)
            if shared:
                covered.setdefault(support.claim, []).append(shared)
        return {claim: coalesce(windows) for claim, windows in covered.items()}

    def _version(
        self,
        line: Line[ObjectValue],
        backing: dict[str, list[Window]],
        at: Instant,
        ended: list[Version],
    ) -> NewVersion:
        stated = next((self.stated[claim] for claim in reversed(backing) if claim in self.stated), None)
        if stated is None:
            stated = next(
                each.statement
                for each in self.before.values()
                if each.object == line.object and each.window.overlaps(line.window)
            )
        version = Version(
            line.id,
            self.key.subject,
            self.key.predicate,
            line.object,
            line.window.start,
            line.window.end,
            at,
            OPEN,
            stated,
            digest(fact_content(stated, line.window)),
            self.cause,
        )
        replaces = tuple(
            VersionRef(each.id, each.recorded_at)
            for each in ended
            if each.id == line.id or each.window.overlaps(line.window)
        )
        alias = normalise_name(line.object.text) if self.key.predicate == ALIAS else None
        return NewVersion(version, document_terms(stated), alias, replaces)

    def _attach(
        self,
        line: Line[ObjectValue],
        backing: dict[str, list[Window]],
        at: Instant,
        detached: list[str],
        links: list[SourceLink],
    ) -> None:
        wanted = {claim: list(windows) for claim, windows in backing.items()}
        for link in self.links.get(line.id, ()):
            covers = link.covers.intersection(line.window)
            if covers and covers in wanted.get(link.claim, ()):
                wanted[link.claim].remove(covers)
            else:
                detached.append(link.id)
        for claim, windows in wanted.items():
            for covers in windows:
                attached = self._claim(claim)._replace(
                    id=mint("src"),
                    fact_id=line.id,
                    covers_from=covers.start,
                    covers_to=covers.end,
                    attached_at=at,
                    detached_at=OPEN,
                )
                links.append(attached)

    def _claim(self, claim: str) -> SourceLink:
        if claim not in self.claims:
            for each in self.links.values():
                self.claims.update({link.claim: link for link in each if link.claim not in self.claims})
        return self.claims[claim]


def _method(operation: ChangeFact) -> str:
    if operation.source.original_recorded_at is not None:
        return "imported"
    return "corrected" if operation.kind == "correct" else "stated"
