"""Loading seed files: all of them are checked before the first write, then written transaction by transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import anyio.to_thread

from ..errors import ClockRefused, InvalidInput
from ..memory.api import Memory
from ..memory.writing.receipts import Receipt
from ..temporal.instants import Instant, to_datetime
from .errors import Problems, SeedProblem, SeedRefused, TooMany
from .groups import READERS, Group, Keyed, SeedFile, cited, merged
from .items import EpisodeItem, Item
from .rules import Rules
from .shipped import found
from .writing import write

Progress = Callable[[str, int, int | None], None]
"""Called now and then with what is being done (`checking`, `writing`), how many items are done, and how many there are
(None while nobody knows)."""


def silent(doing: str, done: int, total: int | None) -> None:
    """Shows nothing."""


@dataclass(slots=True)
class SeedReport:
    """What a load did."""

    scope: str
    predicates: int = 0
    """How many predicates were declared; declaring again what is declared changes nothing."""
    episodes: int = 0
    facts: int = 0
    """Facts and relations asserted."""
    corrections: int = 0
    retractions: int = 0
    transactions: int = 0
    already_there: int = 0
    """Items an earlier load had written."""
    erased: int = 0
    """Items that an earlier load had written and that were erased since: they stay erased."""
    last_recorded_at: datetime | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def written(self) -> int:
        """How many items were written now."""
        return self.episodes + self.facts + self.corrections + self.retractions


async def seed(memory: Memory, paths: Sequence[str | Path], *, progress: Progress = silent) -> SeedReport:
    """Load files into an open memory's scope, as one history if there are several.

    A name alone, where there is no such file, is one of the data sets that ship: `noor.yaml`, `northgate.jsonl`.
    Nothing is written unless everything in all files can be: else `SeedRefused` lists what is wrong. A load that was
    interrupted goes on where it stopped when it is repeated; one that was done changes nothing. Raises `ClockRefused`
    when the scope has history from after what the files recorded.
    """
    files = [_readable(found(path)) for path in paths]
    predicates = await memory.store.predicates(memory.scope)
    rules, total = await anyio.to_thread.run_sync(_checked, files, Rules(predicates), progress)
    return await _Load(memory, rules, total, progress).run(files)


def _readable(path: Path) -> Path:
    if path.suffix.lower() not in READERS:
        raise InvalidInput(f"{str(path)!r} is no seed file by its name; it ends in {', '.join(READERS)}")
    try:
        with path.open("rb"):
            return path
    except OSError as problem:
        raise InvalidInput(f"{str(path)!r} cannot be read: {problem.strerror}") from None


def _checked(paths: list[Path], rules: Rules, progress: Progress) -> tuple[Rules, int]:
    """Read everything once, and refuse it if anything is wrong; how many items there are."""
    problems = Problems()
    done = 0
    times: dict[Instant, tuple[SeedFile, Group]] = {}
    with suppress(TooMany):
        for group in merged([SeedFile(path, rules, problems) for path in paths]):
            done += len(group.items)
            progress("checking", done, None)
            if group.recorded_at is not None and len(paths) > 1:
                file, _ = times.setdefault(group.recorded_at, (group.file, group))
                if file is not group.file:
                    line = group.items[0].item.entry.line
                    problems.add(
                        str(group.file.path),
                        line,
                        f"{file.path} records something at the same instant; a transaction is of one file",
                    )
    problems.refuse()
    return rules, done


class _Load:
    def __init__(self, memory: Memory, rules: Rules, total: int, progress: Progress) -> None:
        self._memory = memory
        self._rules = rules
        self._total = total
        self._progress = progress
        self._done = 0
        self._report = SeedReport(memory.scope)

    async def run(self, paths: list[Path]) -> SeedReport:
        for each in self._rules.declarations.values():
            await self._memory.define_predicate(
                each.name,
                cardinality=each.cardinality,
                object=each.object,
                label=each.label,
                inverse_label=each.inverse_label,
            )
            self._report.predicates += 1
        problems = Problems()
        groups = merged([SeedFile(path, self._rules, problems) for path in paths])
        while (group := await anyio.to_thread.run_sync(next, groups, None)) is not None:
            problems.refuse()  # a file was changed since it was checked
            if group.recorded_at is None:
                # Recorded now either way: with its episodes first, a fact cites an id that does not depend on where
                # the file is cut.
                await self._write(group, [each for each in group.items if isinstance(each.item, EpisodeItem)])
                await self._write(
                    group, [each for each in group.items if not isinstance(each.item, EpisodeItem)]
                )
            else:
                await self._write(group, group.items)
        return self._report

    async def _write(self, group: Group, items: Sequence[Keyed]) -> None:
        here: dict[str, str] = {}
        written: list[Item] = []
        recorded_at = None if group.recorded_at is None else to_datetime(group.recorded_at)
        transaction = self._memory.transaction(recorded_at=recorded_at)
        try:
            async with transaction as tx:
                for item, key in items:
                    name = cited(item)
                    episode = None
                    if name is not None:
                        episode = here.get(name) or group.file.episodes.get(name)
                        if episode is None:
                            self._report.erased += 1  # what it cites was erased, and it with it
                            continue
                    minted = write(tx, item, key, episode)
                    if isinstance(item, EpisodeItem) and item.id is not None and minted:
                        here[item.id] = minted
                    written.append(item)
        except ClockRefused as problem:
            raise SeedRefused([_at(items[0].item, str(problem))]) from problem
        for item, receipt in zip(written, transaction.receipts, strict=True):
            self._note(group, item, receipt)
        if any(not each.duplicate for each in transaction.receipts):
            self._report.transactions += 1
        self._done += len(items)
        self._progress("writing", self._done, self._total)

    def _note(self, group: Group, item: Item, receipt: Receipt) -> None:
        report = self._report
        if isinstance(item, EpisodeItem) and item.id is not None:
            group.file.episodes[item.id] = receipt.episode_id
        entry = item.entry
        report.warnings += [f"{entry.file}:{entry.line}: {each}" for each in receipt.warnings]
        report.last_recorded_at = max(report.last_recorded_at or receipt.recorded_at, receipt.recorded_at)
        if receipt.erased:
            report.erased += 1
        elif receipt.duplicate:
            report.already_there += 1
        elif isinstance(item, EpisodeItem):
            report.episodes += 1
        elif item.kind == "correct":
            report.corrections += 1
        elif item.kind == "retract":
            report.retractions += 1
        else:
            report.facts += 1


def _at(item: Item, message: str) -> SeedProblem:
    return SeedProblem(item.entry.file, item.entry.line, message)
