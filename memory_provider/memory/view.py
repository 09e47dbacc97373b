"""The memory at a moment: a value with two fixed instants that can be asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..store.contract import Answer, Moment, Pattern
from ..temporal.errors import InvalidInput
from ..temporal.instants import Instant, now, to_datetime, to_instant
from ..temporal.shown import shown
from .evidence.frames import Representation
from .evidence.representing import check_representations
from .facts import Fact, Page, fact_of
from .paging import encode, page
from .recall import recalling
from .recall.recalling import Recall, check_budget, check_kinds
from .times import moment_or_none
from .values import Object, check_name, check_text, to_object_value
from .writing.operations import When
from .writing.predicates import check_predicate_name
from .writing.transaction import Opened

MOST_DEPTH = 5
"""How far a graph walk goes at the most."""


@dataclass(frozen=True, slots=True)
class Graph:
    """What a walk over relations found."""

    entities: tuple[str, ...]
    """Names, the start first, then in the order they were reached."""
    relations: list[Fact]
    truncated: bool
    """Whether the limit cut the walk short."""


_CURSOR = (str, str, int, str, str, str)
"""Of a page of facts: subject, predicate, start, the object's type and text, id."""


class View:
    """What is true as of one instant, according to what was known at another.

    Both instants are fixed at the first read: `known_at` left out is everything committed then, `as_of` left out is
    the later of the wall clock and the scope's clock. `as_of` and `known_at` show them once they are fixed.
    """

    def __init__(self, store: Opened, scope: str, as_of: Instant | None, known_at: Instant | None) -> None:
        self._store = store
        self._scope = scope
        self._as_of = as_of
        self._known_at = known_at

    @property
    def as_of(self) -> datetime | None:
        """The instant of valid time, UTC; None until the first read when it was left out."""
        return None if self._as_of is None else to_datetime(self._as_of)

    @property
    def known_at(self) -> datetime | None:
        """The instant of recorded time, UTC; None until the first read when it was left out, and in an empty scope."""
        return None if self._known_at is None else moment_or_none(self._known_at)

    def __repr__(self) -> str:
        return f"View(scope={self._scope!r}, as_of={self.as_of}, known_at={self.known_at})"

    async def facts(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: Object | None = None,
        *,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[Fact]:
        """Facts that hold in this view, at most `limit`, ordered by subject, predicate, start and object.

        `after` takes the `cursor` of the page before. A text for `object` also
        matches the entity of that name.
        """
        pattern = Pattern(
            check_name(subject, "the subject") if subject is not None else None,
            check_predicate_name(predicate) if predicate is not None else None,
            to_object_value(object) if object is not None else None,
        )
        answer = await (await self._store()).facts(
            self._scope, self._moment(), pattern, page(limit, after, _CURSOR)
        )
        self._fix(answer)
        found: Page[Fact] = Page(fact_of(row) for row in answer.found[:limit])
        if len(answer.found) > limit:
            last = answer.found[limit - 1].version
            found.cursor = encode(last.subject, last.predicate, last.valid_from, *last.object, last.id)
        return found

    async def recall(
        self,
        query: str,
        *,
        max_tokens: int = 800,
        max_frames: int = 10,
        kinds: Collection[str] | None = None,
        anchors: Sequence[str] = (),
        representations: Sequence[Representation] = ("full",),
        explain: bool = False,
    ) -> Recall:
        """The frames that answer a question best, within a budget.

        `max_tokens` counts the protocol's tokens (UTF-8 bytes of content divided by four, rounded up). `kinds` keeps
        only frames of these kinds (`fact`, `episode`, `graph`). `anchors` are entity names, entity URIs or frame URIs
        whose surroundings come first. With `explain` the result says of every candidate why it was served or not.

        `representations` are those that frames may come in, best first: each comes in the first that fits what is left
        of the budget. `full` carries its content; `compact` an extract of it, if it is a long episode or record;
        `reference` nothing, at no cost. `Memory.resolve` gives out the content of the last two.
        """
        check_text(query, "the query")
        if not isinstance(explain, bool):
            raise InvalidInput(f"explain is True or False, not {shown(explain)}")
        if isinstance(anchors, str) or not isinstance(anchors, Iterable):
            raise InvalidInput("anchors is a list of texts: entity names, entity URIs or frame URIs")
        as_of, known_at, found = await recalling.recall(
            await self._store(),
            self._scope,
            self._moment(),
            query,
            check_budget(max_tokens, max_frames),
            check_kinds(kinds),
            [check_text(each, "an anchor") for each in anchors],
            check_representations(representations),
            explain,
        )
        self._as_of, self._known_at = as_of, known_at
        return found

    async def graph(self, entity: str, depth: int = 1, *, limit: int = 1000) -> Graph:
        """Entities and relations reached from an entity over at most `depth` relations, in both directions."""
        if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MOST_DEPTH:
            raise InvalidInput(f"depth is a whole number from 1 to {MOST_DEPTH}, not {shown(depth)}")
        rows = page(limit, None, ()).limit - 1
        name = check_name(entity, "the entity's name")
        answer = await (await self._store()).neighbourhood(self._scope, self._moment(), name, depth, rows)
        self._fix(answer)
        walk = answer.found
        return Graph(
            tuple(each.name for each in walk.entities),
            [fact_of(row) for row in walk.relations],
            walk.truncated,
        )

    def _moment(self) -> Moment:
        return Moment(self._as_of, self._known_at, now())

    def _fix(self, answer: Answer[object]) -> None:
        self._as_of, self._known_at = answer.as_of, answer.known_at


def view_instant(value: When | None, what: str) -> Instant | None:
    """A given instant of a view, or None."""
    if value is None:
        return None
    if not isinstance(value, datetime | str):
        raise InvalidInput(f"{what} is an aware datetime or ISO 8601 text, not {shown(value)}")
    return to_instant(value)
