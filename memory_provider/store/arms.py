"""The ways in which a search finds candidates, by name, and what each of them brought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .contract import Candidates, Probe


@dataclass(frozen=True, slots=True)
class SearchArm:
    """One way of finding candidates."""

    name: str
    """`facts` and `episodes` (full text), `entities` (names, aliases and anchors), `relations` (around the entities),
    `anchored_facts`, `anchored_episodes`, `spoken_episodes` (the newest that an entity spoke): the lists of
    `Candidates`."""
    hits: int
    limit: int | None
    """How many it brings at the most; None where that depends on what is there."""


def search_arms(probe: Probe, found: Candidates) -> Iterator[SearchArm]:
    """The arms that a probe asked for, and how many hits each brought."""
    if probe.facts:
        yield SearchArm("facts", len(found.facts), probe.facts)
    if probe.episodes:
        yield SearchArm("episodes", len(found.episodes), probe.episodes)
    yield SearchArm("entities", len(found.entities), None)
    if probe.relations:
        yield SearchArm("relations", len(found.relations), probe.relations)
    if probe.ids or probe.entities:
        yield SearchArm("anchored_facts", len(found.anchored_facts), probe.facts + len(probe.ids))
    if probe.ids:
        yield SearchArm("anchored_episodes", len(found.anchored_episodes), None)
    if probe.episodes:
        yield SearchArm("spoken_episodes", len(found.spoken_episodes), None)
