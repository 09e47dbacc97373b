"""A walk along relations in view: breadth first, one statement a step, in one read transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contract import Answer, Moment, Neighbourhood
from ..records import Entity, StandingFact
from . import decoding
from .connection import rows
from .queries import query
from .reading import at
from .settling import Seen, Settling

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction


async def neighbourhood(
    settling: Settling, scope: str, moment: Moment, entity: str, depth: int, limit: int
) -> Answer[Neighbourhood]:
    """Relations in view reached from an entity within `depth` steps, at most `limit` of them."""

    async def walk(tx: AsyncManagedTransaction) -> Seen[Answer[Neighbourhood]]:
        clocks: list[int] = []
        entities: dict[str, Entity] = {}
        relations: dict[str, StandingFact] = {}
        seen: set[str] = set()
        frontier = {entity}
        instants = moment
        truncated = False
        for _ in range(max(depth, 1)):
            room = limit - len(relations)
            text = query("walk")
            ((before, after, as_of, known_at, found, named),) = await rows(
                tx,
                text,
                scope=scope,
                **at(instants),
                names=sorted(frontier),
                known=list(relations),
                limit=room + 1 if depth > 0 else 0,
            )
            clocks += [before, after]
            instants = Moment(as_of, known_at, moment.now)
            entities.update((name, Entity(id, name)) for id, name in named if name not in entities)
            truncated = truncated or len(found) > room
            reached: set[str] = set()
            for fact, sources, subject, object in found[:room]:
                relations[fact[0]] = decoding.standing_fact(fact, sources)
                for id, name in (subject, object):
                    entities.setdefault(name, Entity(id, name))
                    reached.add(name)
            seen |= frontier
            frontier = reached - seen
            if not frontier or truncated:
                break
        assert instants.as_of is not None
        assert instants.known_at is not None
        answer = Neighbourhood(list(entities.values()), list(relations.values()), truncated)
        return Seen(clocks[0], clocks[-1], Answer(instants.as_of, instants.known_at, answer))

    return await settling.read(scope, walk)
