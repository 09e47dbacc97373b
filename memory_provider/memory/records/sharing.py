"""A store as somebody sees it who has part in some of its context records only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from ...store.contract import Answer, Candidates, Held, Moment, Probe, Scored, Store
from ...store.records import ContextRecord, IndexedRecord

Sees = Callable[[Mapping[str, str], str], bool]
"""Whether somebody has part in a record, told from whom it is about and with whom it is shared."""

WIDER: Final = 4
"""How much wider each further attempt looks, where too many of the records found are other people's."""

MOST: Final = 4096
"""How many records are looked at, at the most."""


class SharedRecords:
    """Keeps the contract of a store for reading; whatever is not narrowed here is the store's own.

    Facts and episodes belong to everybody in a scope. A record that is not seen is as one that is not there.
    """

    def __init__(self, store: Store, sees: Sees) -> None:
        self._store = store
        self._sees = sees

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def candidates(self, scope: str, moment: Moment, probe: Probe) -> Answer[Candidates]:
        """Everything a recall needs. The records are asked for by themselves: more of them, and then counted again."""
        answer = await self._store.candidates(scope, moment, probe._replace(records=0))
        anchored = [each for each in answer.found.anchored_records if self._may(each.record)]
        found = answer.found._replace(anchored_records=anchored)
        if probe.records:
            pinned = moment._replace(as_of=answer.as_of, known_at=answer.known_at)
            seen = await self._seen(scope, pinned, probe)
            left_out = max(0, len(seen) - probe.records)
            found = found._replace(records=seen[: probe.records], more=found.more + left_out)
        return Answer(answer.as_of, answer.known_at, found)

    async def _seen(self, scope: str, moment: Moment, probe: Probe) -> list[Scored[IndexedRecord]]:
        wanted = probe.records
        while True:
            alone = Probe(probe.terms, (), (), (), 0, 0, 0, wanted, probe.frames)
            hits = (await self._store.candidates(scope, moment, alone)).found.records
            seen = [each for each in hits if self._may(each.hit.record)]
            if len(seen) > probe.records or len(hits) < wanted or wanted >= MOST:
                return seen
            wanted = min(MOST, wanted * WIDER)

    async def held(
        self,
        scope: str,
        moment: Moment,
        facts: Collection[str],
        episodes: Collection[str],
        entities: Collection[str],
        lineages: Collection[str] = (),
    ) -> Answer[Held]:
        """What ids say. A lineage whose last record is not seen says nothing."""
        answer = await self._store.held(scope, moment, facts, episodes, entities, lineages)
        seen = {id: each for id, each in answer.found.lineages.items() if self._may(each)}
        return Answer(answer.as_of, answer.known_at, answer.found._replace(lineages=seen))

    async def records(
        self, scope: str, moment: Moment, ids: Collection[str], lineages: Collection[str]
    ) -> Answer[Sequence[ContextRecord]]:
        """Records by id and of lineages."""
        answer = await self._store.records(scope, moment, ids, lineages)
        return Answer(answer.as_of, answer.known_at, [each for each in answer.found if self._may(each)])

    def _may(self, record: ContextRecord) -> bool:
        return self._sees(dict(record.subjects), record.sharing)
