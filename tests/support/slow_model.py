"""A slow and obvious memory: it keeps the log and replays it for every point it is asked about.

It shares no code with the product. A point is an instant of valid time and an instant of recorded time; its answer is,
for each object, the set of claims that back it there. Everything else is derived from points.
"""

from __future__ import annotations

from dataclasses import dataclass, field

PAST = -(2**62)
OPEN = 2**62


@dataclass
class Op:
    kind: str  # assert, correct, retract
    subject: str
    predicate: str
    object: str | None
    start: int | None = None  # None: left out
    end: int | None = None  # None: left out
    replaces: str | None = None
    episode: str | None = None
    claim: int = -1
    window: tuple[int, int] | None = None  # what the log keeps, once defaults are known


@dataclass
class SlowModel:
    one: set[str] = field(default_factory=set)
    """Predicates of cardinality `one`."""
    log: list[tuple[int, list[Op]]] = field(default_factory=list)
    erased: set[int] = field(default_factory=set)
    occurred: dict[str, int] = field(default_factory=dict)
    claims: int = 0

    def write(self, recorded_at: int, ops: list[Op]) -> None:
        done: list[Op] = []
        self.log.append((recorded_at, done))
        for op in ops:
            start = op.start
            if start is None:
                start = self.occurred[op.episode] if op.episode else recorded_at
            end = op.end
            if end is None:
                end = OPEN
                if op.kind == "assert" and op.predicate in self.one:
                    begins = [line[1] for line in self.timeline(op.subject, op.predicate) if line[1] > start]
                    end = min(begins, default=OPEN)
            op.window = (start, end)
            op.claim = self.claims
            self.claims += 1
            done.append(op)

    def erase(
        self, subject: str | None = None, predicate: str | None = None, object: str | None = None
    ) -> None:
        for _, ops in self.log:
            for op in ops:
                if (
                    op.kind != "retract"
                    and subject in (None, op.subject)
                    and predicate in (None, op.predicate)
                    and object in (None, op.object)
                ):
                    self.erased.add(op.claim)

    def erase_episode(self, episode: str) -> None:
        self.erased.update(op.claim for _, ops in self.log for op in ops if op.episode == episode)

    def erase_entity(self, name: str, entity_predicates: set[str]) -> None:
        self.erase(subject=name)
        for predicate in entity_predicates:
            self.erase(predicate=predicate, object=name)

    def point(self, subject: str, predicate: str, valid: int, known: int = OPEN) -> dict[str, set[int]]:
        """Replay everything known, at one instant of valid time: the claims behind each object that holds."""
        state: dict[str, set[int]] = {}
        for recorded_at, ops in self.log:
            if recorded_at > known:
                break
            for op in ops:
                assert op.window is not None
                if (op.subject, op.predicate) != (subject, predicate):
                    continue
                if not op.window[0] <= valid < op.window[1]:
                    continue
                if op.kind == "retract":
                    state = {} if op.object is None else {o: c for o, c in state.items() if o != op.object}
                    continue
                if op.replaces is not None:
                    if op.replaces != op.object:
                        state.pop(op.replaces, None)
                elif op.kind == "correct" or predicate in self.one:
                    state = {o: c for o, c in state.items() if o == op.object}
                if op.claim not in self.erased:
                    assert op.object is not None
                    state.setdefault(op.object, set()).add(op.claim)
        return state

    def edges(self, subject: str, predicate: str) -> list[int]:
        found = {PAST}
        for _, ops in self.log:
            for op in ops:
                if (op.subject, op.predicate) == (subject, predicate) and op.window:
                    found.update(op.window)
        return sorted(found - {OPEN})

    def timeline(
        self, subject: str, predicate: str, known: int = OPEN
    ) -> list[tuple[str, int, int, set[int]]]:
        """Maximal stretches of each object, with the claims behind any part of them, by (start, object)."""
        edges = [*self.edges(subject, predicate), OPEN]
        open_lines: dict[str, tuple[int, set[int]]] = {}
        lines: list[tuple[str, int, int, set[int]]] = []
        for start in edges:
            state = self.point(subject, predicate, start, known) if start != OPEN else {}
            for each in [o for o in open_lines if o not in state]:
                begun, claims = open_lines.pop(each)
                lines.append((each, begun, start, claims))
            for each, claims in state.items():
                if each in open_lines:
                    open_lines[each][1].update(claims)
                else:
                    open_lines[each] = (start, set(claims))
        return sorted(lines, key=lambda line: (line[1], line[0]))

    def written_keys(self) -> list[tuple[str, str]]:
        return sorted({(op.subject, op.predicate) for _, ops in self.log for op in ops})
