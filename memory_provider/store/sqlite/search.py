"""Full-text search inside a scope and both clocks, in bounded time for any word.

The index says which rows hold a word. A question's words are taken rarest first while the rows they bring stay
affordable; the rows are looked at in the order of what their words say, until enough of them are in view, and those
are ranked exactly. Words that most documents hold say next to nothing: of them the newest rows in view are taken. No
row in view is left out for a row that is not, however many of those there are.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from .ranking import CONTEXT, Document, ranked, rarity
from .views import View
from .words import everything, query

FEW: Final = 1_000
"""Up to so many rows of a word are simply read."""

AFFORDABLE: Final = 30_000
"""How many rows the words of a question may bring together, before the commoner ones are left to the newest rows."""

SAMPLE: Final = 4_000
"""How many of the newest rows tell how common a common word is."""

BATCH: Final = 250
"""How many rows are looked at at a time."""

PAGE: Final = 5_000
"""How many of the newest rows of common words are looked at at a time."""

MOST_TERMS: Final = 64
"""Further words of a question are not searched for."""


class Arm(NamedTuple):
    """One kind of document to search."""

    tables: tuple[str, ...]
    """Its full-text indexes."""
    size: int
    """How many documents the scope has."""
    look: str
    """SELECT row, terms and context of those rows of `:rows` (a JSON list) that are in view."""
    context: bool
    """Whether documents have a context."""


FACTS_LOOK = (
    "SELECT f.row_id, f.terms, '' FROM json_each(:rows) r JOIN facts f ON f.row_id = r.value"
    " WHERE f.valid_from <= :as_of AND f.valid_to > :as_of AND f.recorded_at <= :known AND f.superseded_at > :known"
)
CHUNKS_LOOK = (
    "SELECT c.row_id, c.terms, c.context FROM json_each(:rows) r JOIN chunks c ON c.row_id = r.value"
    " WHERE c.occurred_at <= :as_of AND c.recorded_at <= :known"
)


class Hits(NamedTuple):
    """Rows with their scores, best first, and a lower bound of the matches that the limit left out."""

    rows: list[tuple[int, float]]
    more: int


def search_facts(connection: sqlite3.Connection, view: View, terms: Sequence[str], limit: int) -> Hits:
    """Fact versions in view that hold any of the terms."""
    tables = ("words_standing", "words_ended") if view.past else ("words_standing",)
    return _Search(connection, view, Arm(tables, view.facts, FACTS_LOOK, False)).run(terms, limit)


def search_chunks(connection: sqlite3.Connection, view: View, terms: Sequence[str], limit: int) -> Hits:
    """Chunks in view that hold any of the terms, in their text or context."""
    return _Search(connection, view, Arm(("words_said",), view.chunks, CHUNKS_LOOK, True)).run(terms, limit)


class _Word(NamedTuple):
    """A word of the question in one arm."""

    term: str
    holding: int
    """How many documents hold it: exact for a rare word, else an estimate."""
    rows: list[int] | None
    """The rows that hold it in their text, where they were few enough to be read at once."""
    context: list[int] | None
    """The rows that hold it in their context, likewise."""


class _Search:
    def __init__(self, connection: sqlite3.Connection, view: View, arm: Arm) -> None:
        self._connection = connection
        self._view = view
        self._arm = arm

    def run(self, terms: Sequence[str], limit: int) -> Hits:
        if not self._view.scope or not limit:
            return Hits([], 0)
        words = sorted(
            filter(None, map(self._word, dict.fromkeys(terms[:MOST_TERMS]))), key=lambda each: each.holding
        )
        if not words:
            return Hits([], 0)
        documents = max(self._arm.size, max(each.holding for each in words))
        rarities = {each.term: rarity(documents, each.holding) for each in words}
        bought, spent = 0, 0
        while bought < len(words) and spent + words[bought].holding <= AFFORDABLE:
            spent += words[bought].holding
            bought += 1
        enough = 2 * limit + 50
        found: dict[int, Document] = {}
        rows = self._by_worth(words[:bought], rarities)
        for batch in iter(lambda: list(islice(rows, BATCH)), []):
            found.update(self._in_view(batch))
            if len(found) >= enough:
                break
        if bought < len(words):
            self._add_newest(words[bought:], enough, found)
        best = ranked(list(found.values()), rarities)
        return Hits([(document.row_id, score) for document, score in best[:limit]], max(0, len(best) - limit))

    def _word(self, term: str) -> _Word | None:
        """How many rows hold a term, and which, if they are few."""
        match = query(self._view.scope, term)
        if match is None:
            return None
        rows = self._rows(match, FEW + 1)
        context: list[int] | None = []
        if self._arm.context and len(rows) <= FEW:
            context = self._rows(query(self._view.scope, term, context=True), FEW + 1)
        if len(rows) <= FEW and context is not None and len(context) <= FEW:
            return _Word(term, len(rows), rows, context) if rows or context else None
        return _Word(term, max(self._count(term), FEW), None, None)

    def _rows(self, match: str | None, limit: int = -1) -> list[int]:
        return [
            row_id
            for table in self._arm.tables
            for (row_id,) in self._connection.execute(
                f"SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?", (match, limit)
            )
        ]

    def _count(self, term: str) -> int:
        """How many rows hold a common term: counted as far as affordable, then estimated from the newest rows."""
        match = query(self._view.scope, term)
        total = 0
        for table in self._arm.tables:
            counted = self._connection.execute(
                f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT ?)",
                (match, AFFORDABLE + 1),
            ).fetchone()[0]
            if counted > AFFORDABLE:
                oldest = self._connection.execute(
                    f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?",
                    (everything(self._view.scope), SAMPLE - 1),
                ).fetchone()[0]
                among = self._connection.execute(
                    f"SELECT count(*) FROM {table} WHERE {table} MATCH ? AND rowid >= ?", (match, oldest)
                ).fetchone()[0]
                counted = max(counted, self._arm.size * among // SAMPLE)
            total += counted
        return total

    def _by_worth(self, words: Sequence[_Word], rarities: dict[str, float]) -> Iterator[int]:
        """The rows that hold any of the words, those first whose words say most, then the newest."""
        worth: dict[int, float] = {}
        for word in words:
            said = self._rows(query(self._view.scope, word.term)) if word.rows is None else word.rows
            _add(worth, said, rarities[word.term])
            if self._arm.context:
                match = query(self._view.scope, word.term, context=True)
                before = self._rows(match) if word.context is None else word.context
                _add(worth, before, CONTEXT * rarities[word.term])
        layers: dict[float, list[int]] = {}
        for row_id, value in worth.items():
            layers.setdefault(value, []).append(row_id)
        for value in sorted(layers, reverse=True):
            yield from sorted(layers[value], reverse=True)

    def _in_view(self, rows: Sequence[int]) -> dict[int, Document]:
        looked = self._connection.execute(self._arm.look, self._view.arguments(rows=json.dumps(rows)))
        return {row[0]: Document._make(row) for row in looked}

    def _add_newest(self, words: Sequence[_Word], enough: int, found: dict[int, Document]) -> None:
        """Of words too common to be ranked by: the newest rows in view that hold all of them, then any of them."""
        said = [match for each in words if (match := query(self._view.scope, each.term))]
        if len(said) > 1:
            self._newest(" AND ".join(said), enough // 2, found)
        if self._arm.context:
            said += [match for each in words if (match := query(self._view.scope, each.term, context=True))]
        self._newest(" OR ".join(said), enough, found)

    def _newest(self, match: str, enough: int, found: dict[int, Document]) -> None:
        """Look from the newest row back, until enough are in view; past that only at a first page."""
        for table in self._arm.tables:
            before, added = 2**62, 0
            while added < enough and not (before < 2**62 and len(found) >= enough):
                rows = [
                    row_id
                    for (row_id,) in self._connection.execute(
                        f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?",
                        (match, before, PAGE),
                    )
                ]
                for start in range(0, len(rows), BATCH):
                    seen = self._in_view(rows[start : start + BATCH])
                    found.update(seen)
                    added += len(seen)
                    if added >= enough:
                        break
                if len(rows) < PAGE:
                    break
                before = rows[-1]


def _add(worth: dict[int, float], rows: Sequence[int], value: float) -> None:
    for row_id in rows:
        worth[row_id] = worth.get(row_id, 0.0) + value
