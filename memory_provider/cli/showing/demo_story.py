"""The story that `demo` tells: a move, a late correction, a retraction and an erasure, and what can be asked of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...memory.values import Entity

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...memory.evidence.frames import Frame


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the command that asks it, and the answer."""

    command: str
    answer: list[str]


@dataclass(frozen=True, slots=True)
class Chapter:
    """What a few questions show together."""

    title: str
    asked: list[Asked] = field(default_factory=list)


WRITTEN = [
    ("2024-01-15", "Alice: “I have lived in Paris since 2019.”"),
    ("2024-02-10", "Dr. Roux: “The test says that Alice is allergic to peanuts.”"),
    ("2024-05-02", "Alice: “We moved to Lyon last month!”"),
    ("2024-09-10", "Alice: “I looked it up: we moved on the first of March.”"),
    ("2024-10-01", "retracted: the laboratory had mixed up two samples, no allergy"),
    ("2024-11-05", "erased: Alice asks that everything about her be forgotten"),
]
"""What is written on which day."""

QUESTION = "where does Alice live?"


def _on(place: int) -> str:
    return f"{WRITTEN[place][0]}T09:00:00Z"


def _said(place: int) -> str:
    return WRITTEN[place][1].partition(": ")[2].strip("“”")


class DemoStory:
    """Writes the story into a memory, chapter by chapter."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._held: Frame
        self.trust = Chapter("Can evidence still be trusted that an agent has held since May 2024?")

    async def until_may(self) -> None:
        """Alice lives in Paris, is said to be allergic, and moves."""
        memory = self._memory
        await memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
        await memory.define_predicate("allergic_to", object="text", label="is allergic to")
        async with memory.transaction(recorded_at=_on(0)) as tx:
            heard = tx.add_episode(_said(0), speaker="Alice", occurred_at=_on(0))
            tx.assert_fact(
                "Alice", "lives_in", Entity("Paris"), valid_from="2019-01-01T00:00:00Z", episode=heard
            )
        async with memory.transaction(recorded_at=_on(1)) as tx:
            heard = tx.add_episode(_said(1), speaker="Dr. Roux", occurred_at=_on(1))
            tx.assert_fact(
                "Alice", "allergic_to", "peanuts", valid_from="2024-02-10T00:00:00Z", episode=heard
            )
        async with memory.transaction(recorded_at=_on(2)) as tx:
            heard = tx.add_episode(_said(2), speaker="Alice", occurred_at=_on(2))
            tx.assert_fact(
                "Alice", "lives_in", Entity("Lyon"), valid_from="2024-04-01T00:00:00Z", episode=heard
            )
        found = await memory.at().recall(QUESTION, kinds=["fact"], max_frames=1)
        self._held = found.frames[0]
        self.trust.asked.append(Asked(f'recall "{QUESTION}" --json > held.json', [f"“{self._held.content}”"]))
        await self._verify("in May")

    async def until_october(self) -> None:
        """The move turns out to have been earlier, and the allergy a mistake."""
        memory = self._memory
        async with memory.transaction(recorded_at=_on(3)) as tx:
            heard = tx.add_episode(_said(3), speaker="Alice", occurred_at=_on(3))
            tx.correct_fact(
                "Alice", "lives_in", Entity("Lyon"), valid_from="2024-03-01T00:00:00Z", episode=heard
            )
        await self._verify("in September")
        await memory.retract_fact("Alice", "allergic_to", "peanuts", valid_from=None, recorded_at=_on(4))

    async def november(self) -> None:
        """Alice is forgotten, and so is the episode that still names her."""
        reason = "Alice asked to be forgotten"
        report = await self._memory.erase(entity="Alice", reason=reason, recorded_at=_on(5))
        for episode in report.still_named_in:
            await self._memory.erase(episode=episode, reason=reason)
        await self._verify("in November")

    async def true_as_of(self) -> Chapter:
        """What is true depends on the date asked about."""
        return Chapter(
            "What is true as of a date?",
            [await self._facts("lives_in", "2024-02-01"), await self._facts("lives_in", "2024-06-01")],
        )

    async def known_at(self) -> Chapter:
        """What was known depends on the date asked from."""
        return Chapter(
            "What was known at a date? Where Alice lived on 15 March 2024, and whether she had an allergy:",
            [
                await self._facts("lives_in", "2024-03-15", "2024-06-01"),
                await self._facts("lives_in", "2024-03-15", "2024-10-15"),
                await self._facts("allergic_to", "2024-03-15", "2024-06-01"),
                await self._facts("allergic_to", "2024-03-15", "2024-10-15"),
            ],
        )

    async def _facts(self, predicate: str, as_of: str, known_at: str | None = None) -> Asked:
        view = self._memory.at(f"{as_of}T00:00:00Z", f"{known_at}T00:00:00Z" if known_at else None)
        found = await view.facts("Alice", predicate)
        command = f"facts Alice {predicate} --as-of {as_of}" + (f" --known-at {known_at}" if known_at else "")
        return Asked(command, [each.content for each in found] or ["nothing found"])

    async def _verify(self, when: str) -> None:
        verdict = (await self._memory.verify([self._held]))[0]
        answer = f"{verdict.status}"
        if verdict.status == "stale":
            says = (await self._memory.explain(self._held)).versions[-1]
            answer = f"stale: it says now “{says.content}”"
        self.trust.asked.append(Asked(f"verify held.json   # {when}", [answer]))
