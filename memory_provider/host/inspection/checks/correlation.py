"""Ids of questions."""

from __future__ import annotations

from ...errors import peer_text
from ..answers import Answer
from ..messages import Message
from ..observations import Exchange
from ..subject import Subject


async def echoes(subject: Subject) -> None:
    """Ids of all sorts, on frames and on errors; the subject compares what comes back."""
    if not subject.declares("correlation"):
        return
    for id in ("17", "id with blanks", 'quotes " and \\', "line\nend", "🫖", "x" * 1000):
        await subject.ask(subject.question() | {"id": id})
    bad = subject.question(subject.query(max_tokens=-1))
    await subject.ask(bad)
    without = subject.question()
    del without["id"]
    await subject.ask(without)


async def several_at_once(subject: Subject) -> None:
    """Questions that do not wait for one another, with different limits."""
    if not subject.declares("correlation"):
        return
    questions: list[Message] = [subject.question(subject.query(max_frames=n % 3)) for n in range(6)]
    answers = await subject.ask_all(questions)
    limits = {each["id"]: each["query"]["max_frames"] for each in questions}
    ids = [(answer.message or {}).get("id") for answer in answers]
    observations = subject.observations
    if not observations.holds(
        "H4",
        len(ids) == len(limits) and set(map(str, ids)) == set(limits),
        "questions that are asked at once each get their answer",
        f"of {len(limits)} questions asked at once, these were answered: {peer_text(', '.join(map(str, ids)))}",
        Exchange(answers[0].sent if answers else None),
    ):
        return
    for answer in answers:
        _within(subject, answer, limits[str((answer.message or {}).get("id"))])


def _within(subject: Subject, answer: Answer, most: int) -> None:
    if subject.observations.is_broken("B4"):
        return  # says nothing of ids
    subject.observations.holds(
        "H4",
        len(answer.plain_frames) <= most,
        "questions that are asked at once each get their answer",
        f"a question asked beside others with max_frames {most} gets {answer}",
        Exchange(None, answer.raw),
    )
