"""What the plan of a write has to look up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...store.contract import Needs
from ...store.records import Key, ObjectValue, Predicate
from .fitting import fits, fitting, may_name
from .operations import AddEpisode, ChangeFact, Request


def needs_of(requests: Sequence[Request], known: Mapping[str, Predicate]) -> Needs:
    """What a plan for these operations looks up.

    `known` are predicates as they were once seen: where an object joins the others of a `many` predicate, those others
    are not looked at. A plan that finds the predicate changed raises `Outdated`; with nothing known none does.
    """
    facts = [each.operation for each in requests if isinstance(each.operation, ChangeFact)]
    joining = _joining(facts, known)
    episodes = [each.operation for each in requests if isinstance(each.operation, AddEpisode)]
    added = {each.id for each in episodes}
    names = {each.subject for each in facts if each.kind != "retract"}
    # A text given for an entity predicate names an entity, and only the store knows the predicate's type.
    names |= {each.object.text for each in facts if each.object and may_name(each.object)}
    names |= {each.speaker for each in episodes if each.speaker}
    return Needs(
        keys={each.key for each in facts} - joining.keys(),
        predicates={each.predicate for each in facts},
        entities=names,
        episodes={each.source.episode for each in facts if each.source.episode} - added,
        sessions={each.session for each in episodes if each.session},
        idempotency={each.key for each in requests if each.key},
        objects={(key, what) for key, objects in joining.items() for what in objects},
    )


def _joining(facts: Sequence[ChangeFact], known: Mapping[str, Predicate]) -> dict[Key, set[ObjectValue]]:
    """The keys whose operations all let an object join the others, with those objects."""
    joining: dict[Key, set[ObjectValue]] = {}
    others: set[Key] = set()
    for each in facts:
        predicate = known.get(each.predicate)
        if (
            predicate
            and predicate.cardinality == "many"
            and each.kind == "assert"
            and fits(each.object, predicate)
        ):
            joining.setdefault(each.key, set()).add(fitting(each.object, predicate))
        else:
            others.add(each.key)
    return {key: objects for key, objects in joining.items() if key not in others}
