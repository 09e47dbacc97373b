"""Full-text search inside a scope and both clocks, in bounded time for any word.

The index says which rows hold a word. A question's words are taken rarest first while the rows they bring stay
affordable; those rows are looked at in the order of what their words say, until enough of them are in view, and these
are ranked exactly. Words beyond that are so common that they say little: of them the newest rows in view are ranked
too, those first that hold all of them. No row in view is left out for a row that is not, however many of those there
are: where few rows are in view, the search goes on until it has found them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from ..ranking import CONTEXT, Document, ranked, rarity
from .rows import PIECE, RECORD, VERSION
from .views import View
from .words import everything, query

FEW: Final = 500
"""Up to so many rows of a word are simply read."""

AFFORDABLE: Final = 12_000
"""How many rows the words of a question may bring together, before the commoner ones are left to the newest rows."""

SAMPLE: Final = 2_000
"""How many of the newest rows tell how common a word is that is not rare."""

PAGE: Final = 1_000
"""How many of the newest rows of common words are looked at, when enough rows in view were found already."""

_LAST: Final = 2**63 - 1
"""The largest number a row can have."""


class Arm(NamedTuple):
    """One kind of document to search."""

    tables: tuple[str, ...]
    """Its full-text indexes."""
    size: int
    """How many documents the scope has."""
    document: str
    """SELECT row, terms and context of the rows of a table `w`, and what is wanted of them."""
    in_view: str
    """The condition for them to be in view."""
    recent: str
    """SELECT the last row recorded by `:then`: before it, most rows were known and had happened."""
    context: bool
    """Whether documents have a context."""


class Hits(NamedTuple):
    """Documents with their scores, best first, and a lower bound of the matches that the limit left out."""

    rows: list[tuple[Document, float]]
    more: int


def search_facts(connection: sqlite3.Connection, view: View, terms: Sequence[str], limit: int) -> Hits:
    """Fact versions in view that hold any of the terms, each with the columns of `VERSION`."""
    arm = Arm(
        tables=("words_standing", "words_ended") if view.past else ("words_standing",),
        size=view.facts,
        document=f"SELECT f.row_id, f.terms, '', {VERSION} FROM {{rows}} w CROSS JOIN facts f ON f.row_id = w.row_id",
        in_view="f.valid_from <= :as_of AND f.valid_to > :as_of"
        " AND f.recorded_at <= :known AND f.superseded_at > :known",
        recent="SELECT row_id FROM facts WHERE scope = :scope AND recorded_at <= :then"
        " ORDER BY recorded_at DESC, row_id DESC LIMIT 1",
        context=False,
    )
    return _Search(connection, view, arm).run(terms, limit)


def search_chunks(connection: sqlite3.Connection, view: View, terms: Sequence[str], limit: int) -> Hits:
    """Chunks in view that hold any of the terms, in their text or context, each with the columns of `PIECE`."""
    arm = Arm(
        tables=("words_said",),
        size=view.chunks,
        document=f"SELECT c.row_id, c.terms, c.context, {PIECE} FROM {{rows}} w"
        " CROSS JOIN chunks c ON c.row_id = w.row_id CROSS JOIN episodes e ON e.row_id = c.episode",
        in_view="c.occurred_at <= :as_of AND c.recorded_at <= :known",
        recent="SELECT max(row_id) FROM chunks WHERE episode = (SELECT row_id FROM episodes"
        " WHERE scope = :scope AND recorded_at <= :then ORDER BY recorded_at DESC, row_id DESC LIMIT 1)",
        context=True,
    )
    return _Search(connection, view, arm).run(terms, limit)


def search_records(
    connection: sqlite3.Connection, view: View, terms: Sequence[str], limit: int, frames: Sequence[str]
) -> Hits:
    """Context records in view that are served as one of some kinds and hold any of the terms, with `RECORD`."""
    arm = Arm(
        tables=("words_records", "words_records_ended") if view.past else ("words_records",),
        size=view.records,
        document=f"SELECT r.row_id, r.terms, '', {RECORD} FROM {{rows}} w"
        " CROSS JOIN context_records r ON r.row_id = w.row_id",
        in_view=record_in_view(frames),
        recent="SELECT row_id FROM context_records WHERE scope = :scope AND recorded_at <= :then"
        " ORDER BY recorded_at DESC, row_id DESC LIMIT 1",
        context=False,
    )
    return _Search(connection, view, arm).run(terms, limit)


def record_in_view(frames: Sequence[str]) -> str:
    """The condition for `context_records AS r` to be shown as frames of some kinds."""
    kinds = ["'" + each.replace("'", "''") + "'" for each in frames]
    return (
        "r.valid_from <= :as_of AND r.valid_to > :as_of AND r.recorded_at <= :known AND r.superseded_at > :known"
        f" AND r.expires_at > :now AND r.frame IN ({', '.join(kinds)})"
    )


class _Word(NamedTuple):
    """A word of the question in one arm."""

    term: str
    holding: int
    """How many documents hold it: exact for a rare word, else an estimate."""
    rows: tuple[list[int], list[int]] | None
    """The rows that hold it in their text and in their context, once they are read."""


class _Search:
    def __init__(self, connection: sqlite3.Connection, view: View, arm: Arm) -> None:
        self._connection = connection
        self._view = view
        self._arm = arm

    def run(self, terms: Sequence[str], limit: int) -> Hits:
        if not self._view.scope or not limit:
            return Hits([], 0)
        words = [word for term in dict.fromkeys(terms) if (word := self._word(term))]
        if not words:
            return Hits([], 0)
        telling, common = self._sorted_out(words)
        documents = max(self._arm.size, *(each.holding for each in words), 1)
        rarities = {each.term: rarity(documents, each.holding) for each in (*telling, *common)}
        enough = limit + limit // 2 + 16
        shown: dict[int, Document] = {}
        rows = self._by_worth(telling, rarities)
        for batch in iter(lambda: list(islice(rows, enough)), []):
            shown.update(self._of_rows(batch))
            if len(shown) >= enough:
                break
        if common:
            self._add_newest([each.term for each in common], enough, shown)
        best = ranked(list(shown.values()), rarities)
        return Hits(best[:limit], max(0, len(best) - limit))

    def _word(self, term: str) -> _Word | None:
        """How many rows hold a term, and which, if they are few; None where none does."""
        rows = self._rows(term, FEW)
        if rows is not None:
            return _Word(term, len(rows[0]), rows) if any(rows) else None
        match = query(self._view.scope, term)
        shares = [
            self._connection.execute(
                f"SELECT count(*) FROM {table} WHERE {table} MATCH ? AND rowid >= ?", (match, oldest)
            ).fetchone()[0]
            / SAMPLE
            for table, oldest in self._samples.items()
        ]
        return _Word(term, max(int(self._arm.size * max(shares)), FEW), None)

    @cached_property
    def _samples(self) -> dict[str, int]:
        """The oldest of the newest rows of the scope, by index."""
        sampled = {}
        for table in self._arm.tables:
            row = self._connection.execute(
                f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?",
                (everything(self._view.scope), SAMPLE - 1),
            ).fetchone()
            sampled[table] = row[0] if row else 0
        return sampled

    def _sorted_out(self, words: Sequence[_Word]) -> tuple[list[_Word], list[_Word]]:
        """The words whose rows are affordable, rarest first, with their rows; and those that are too common."""
        telling: list[_Word] = []
        waiting = sorted(words, key=lambda each: each.holding)
        left = AFFORDABLE
        while waiting and waiting[0].holding <= 2 * left:
            rows = waiting[0].rows or self._rows(waiting[0].term, left)
            if rows is None or len(rows[0]) > left:
                break
            telling.append(waiting.pop(0)._replace(holding=len(rows[0]), rows=rows))
            left -= len(rows[0])
        return telling, waiting

    def _rows(self, term: str, most: int) -> tuple[list[int], list[int]] | None:
        """The rows that hold a term in their text and in their context; None when either are more than `most`."""
        found: tuple[list[int], list[int]] = ([], [])
        for rows, context in zip(found, (False, True), strict=True):
            match = query(self._view.scope, term, context)
            if match is not None and (self._arm.context or not context):
                for table in self._arm.tables:
                    rows += [
                        row_id
                        for (row_id,) in self._connection.execute(
                            f"SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?",
                            (match, most + 1 - len(rows)),
                        ).fetchall()
                    ]
            if len(rows) > most:
                return None
        return found

    def _by_worth(self, words: Sequence[_Word], rarities: dict[str, float]) -> Iterator[int]:
        """The rows that hold any of the words, those first whose words say most, then the newest."""
        worth: dict[int, float] = {}
        for word in words:
            said, before = word.rows or ([], [])
            _add(worth, said, rarities[word.term])
            _add(worth, before, CONTEXT * rarities[word.term])
        layers: dict[float, list[int]] = {}
        for row_id, value in worth.items():
            layers.setdefault(value, []).append(row_id)
        for value in sorted(layers, reverse=True):
            yield from sorted(layers[value], reverse=True)

    def _of_rows(self, rows: Sequence[int]) -> dict[int, Document]:
        """Those of some rows that are in view."""
        return self._documents("(SELECT value AS row_id FROM json_each(:rows))", rows=json.dumps(rows))

    def _add_newest(self, terms: Sequence[str], enough: int, shown: dict[int, Document]) -> None:
        """Of words too common to be ranked by: the newest rows in view that hold all of them, then any of them."""
        then = min(self._view.as_of, self._view.known_at)
        row = self._connection.execute(self._arm.recent, self._view.arguments(then=then)).fetchone()
        start = (row and row[0]) or 0
        said = [match for term in terms if (match := query(self._view.scope, term))]
        if len(said) > 1:
            self._add_newest_of(" AND ".join(said), start, PAGE, enough // 2, shown)
        if self._arm.context:
            said += [match for term in terms if (match := query(self._view.scope, term, context=True))]
        self._add_newest_of(" OR ".join(said), start, PAGE, enough, shown)
        if len(shown) < enough:
            self._add_newest_of(" OR ".join(said), _LAST, -1, enough, shown)

    def _add_newest_of(
        self, match: str, start: int, page: int, enough: int, shown: dict[int, Document]
    ) -> None:
        """Add up to `enough` rows in view, back from a row; look at no more than a page of them, or (-1) at all."""
        for table in self._arm.tables:
            newest = (
                f"(SELECT rowid AS row_id FROM {table} WHERE {table} MATCH :match AND rowid <= :start"
                " ORDER BY rowid DESC LIMIT :page)"
            )
            shown.update(self._documents(newest, match=match, start=start, page=page, enough=enough))

    def _documents(self, source: str, enough: int = -1, **arguments: int | str) -> dict[int, Document]:
        found = self._connection.execute(
            f"{self._arm.document.format(rows=source)} WHERE {self._arm.in_view} LIMIT :enough",
            self._view.arguments(enough=enough, **arguments),
        ).fetchall()
        return {row[0]: Document(row[0], row[1], row[2], row[3:]) for row in found}


def _add(worth: dict[int, float], rows: Sequence[int], value: float) -> None:
    if worth:
        for row_id in rows:
            worth[row_id] = worth.get(row_id, 0.0) + value
    else:
        worth.update(dict.fromkeys(rows, value))
