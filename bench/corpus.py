"""The data: people, where they work and live, whom they know, what they noted; and what they said, in sessions.

Made from a seed, so that every store and every run holds the same. Words come in classes, so that a question knows how
many documents it meets: common ones in most, medium ones in one of a hundred, rare ones in about ten of 100,000 facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from random import Random
from typing import NamedTuple

COMMON = ("project", "team", "plan", "review", "report", "budget")
"""Words that most documents hold."""

FACTS_EACH = 20
NOTES_EACH = 14
TURNS = 20
BEGIN = datetime(2016, 1, 1, tzinfo=UTC)
END = datetime(2026, 1, 1, tzinfo=UTC)
HALFWAY = datetime(2021, 1, 1, tzinfo=UTC)
EARLY = datetime(2016, 7, 1, tzinfo=UTC)

PREDICATES = {
    "works_at": ("one", "entity", "works at", "employs"),
    "lives_in": ("one", "entity", "lives in", "home of"),
    "knows": ("many", "entity", "knows", "is known by"),
    "role": ("one", "text", "works as", None),
    "notes": ("many", "text", "noted", None),
}
"""Cardinality, object type, label and inverse label."""


class Said(NamedTuple):
    """An episode to be added."""

    text: str
    occurred_at: datetime
    speaker: str
    session: str


class Claim(NamedTuple):
    """A fact to be asserted; `episode` numbers the episode it cites."""

    subject: str
    predicate: str
    object: str
    is_entity: bool
    valid_from: datetime
    valid_to: datetime | None
    episode: int


@dataclass(frozen=True)
class Corpus:
    """`facts` facts and a fifth as many episodes."""

    facts: int
    seed: int = 7

    @property
    def episodes(self) -> int:
        return max(self.facts // 5, TURNS)

    @cached_property
    def people(self) -> list[str]:
        """Two names each, every one shared with others."""
        count = max(self.facts // FACTS_EACH, 5)
        words = _words(Random(f"{self.seed} names"), 100 + count // 100 + 1, 3)
        first, last = words[:100], words[100:]
        return [f"{first[i % 100]} {last[i // 100]}".title() for i in range(count)]

    @cached_property
    def companies(self) -> list[str]:
        return [f"{word} Works".title() for word in _words(Random(f"{self.seed} companies"), 100, 3)]

    @cached_property
    def cities(self) -> list[str]:
        return [word.title() for word in _words(Random(f"{self.seed} cities"), 50, 3)]

    @cached_property
    def medium(self) -> list[str]:
        """Each in one of a hundred facts, and in one of a hundred episodes."""
        return _words(Random(f"{self.seed} medium"), 70, 2)

    @cached_property
    def rare(self) -> list[str]:
        """Each in about ten facts and two episodes."""
        return _words(Random(f"{self.seed} rare"), max(self.facts * NOTES_EACH // FACTS_EACH // 10, 10), 4)

    @cached_property
    def filler(self) -> list[str]:
        return _words(Random(f"{self.seed} filler"), 2000, 3)

    def said(self) -> Iterator[Said]:
        """The episodes, in the order they were recorded."""
        random = Random(f"{self.seed} said")
        for number in range(self.episodes):
            session, turn = divmod(number, TURNS)
            begin = BEGIN + (END - BEGIN) * (session * TURNS / self.episodes)
            yield Said(
                f"{self._text(random, 0.95, 24)}.",
                begin + timedelta(minutes=turn),
                random.choice(self.people),
                f"session-{session}",
            )

    def claims(self) -> list[Claim]:
        """The facts, in the order they are recorded: people's facts are mixed."""
        random = Random(f"{self.seed} claims")
        claims = [claim for person in self.people for claim in self._about(person, random)]
        random.shuffle(claims)
        return claims

    def _about(self, person: str, random: Random) -> Iterator[Claim]:
        def claim(predicate: str, what: str, begin: datetime, end: datetime | None = None) -> Claim:
            is_entity = PREDICATES[predicate][1] == "entity"
            return Claim(person, predicate, what, is_entity, begin, end, random.randrange(self.episodes))

        moved = _day(random)
        yield claim("works_at", random.choice(self.companies), BEGIN, moved)
        yield claim("works_at", random.choice(self.companies), moved)
        yield claim("lives_in", random.choice(self.cities), BEGIN)
        for friend in random.sample([each for each in self.people if each != person], 2):
            yield claim("knows", friend, _day(random))
        yield claim("role", random.choice(self.filler), BEGIN)
        for _ in range(NOTES_EACH):
            begin = _day(random)
            end = begin + timedelta(days=random.randrange(300, 1500)) if random.random() < 0.3 else None
            yield claim("notes", self._text(random, 0.9, 4), begin, end)

    def _text(self, random: Random, commonly: float, fillers: int) -> str:
        words = [word for word in COMMON if random.random() < commonly]
        words += [random.choice(self.medium), random.choice(self.rare)]
        words += random.choices(self.filler, k=fillers)
        random.shuffle(words)
        return " ".join(words)

    def questions(self, kind: str, count: int = 40) -> list[str]:
        """Questions of one or two words of a class; `named` asks about a person by name."""
        random = Random(f"{self.seed} {kind}")
        if kind == "named":
            return [f"Where does {random.choice(self.people)} work?" for _ in range(count)]
        words: list[str] = list({"rare": self.rare, "medium": self.medium, "common": COMMON}[kind])
        return [
            f"What about {random.choice(words)}?"
            if number % 2
            else f"What about {' and '.join(random.sample(words, 2))}?"
            for number in range(count)
        ]

    def keys(self, predicate: str, count: int = 200) -> list[tuple[str, str]]:
        """Subjects with a predicate that every person has."""
        random = Random(f"{self.seed} {predicate}")
        return [(random.choice(self.people), predicate) for _ in range(count)]


def _day(random: Random) -> datetime:
    return BEGIN + timedelta(days=random.randrange(1, (END - BEGIN).days))


def _words(random: Random, count: int, syllables: int) -> list[str]:
    """Different words that a stemmer leaves alone, as far as that matters: consonants and vowels by turns."""
    words: dict[str, None] = {}
    while len(words) < count:
        start = "".join(random.choice("bdfgklmnprtvz") + random.choice("aiou") for _ in range(syllables))
        words[start + random.choice("kmpx")] = None
    return list(words)
