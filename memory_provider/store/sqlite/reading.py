"""Facts in view, what stands for a key, and the sources shown with a version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from ..contract import Answer, Moment, Pattern, Slice
from ..records import Citation, CitedFact, Key, SourceLink, StandingFact, Version
from .rows import LINK, VERSION, link_of, version_of
from .sql import among, known
from .views import View, view_at

IN_VIEW = "f.valid_from <= :as_of AND f.valid_to > :as_of"
"""Valid at the view's instant."""


def facts(
    connection: sqlite3.Connection, scope: str, moment: Moment, pattern: Pattern, page: Slice
) -> Answer[Sequence[StandingFact]]:
    """Facts in view, in the contract's order, after the cursor."""
    view = view_at(connection, scope, moment)
    where, arguments = matching(pattern)
    if page.after is not None:
        where += (
            " AND (f.subject, f.predicate, f.valid_from, f.object_type, f.object_text, f.id)"
            " > (:after0, :after1, :after2, :after3, :after4, :after5)"
        )
        arguments.update({f"after{i}": value for i, value in enumerate(page.after)})
    statement = known(
        f"SELECT {VERSION} FROM facts f WHERE f.scope = :scope{where} AND {IN_VIEW} AND {{known}}", view.past
    )
    rows = connection.execute(
        f"{statement} ORDER BY subject, predicate, valid_from, object_type, object_text, id LIMIT :limit",
        view.arguments(**arguments, limit=page.limit),
    )
    return view.answer(with_sources(connection, view, [version_of(row) for row in rows]))


def standing(
    connection: sqlite3.Connection, scope: str, moment: Moment, key: Key
) -> Answer[Sequence[Version]]:
    """All versions of a key known at the moment, whenever valid."""
    view = view_at(connection, scope, moment)
    statement = known(
        f"SELECT {VERSION} FROM facts f"
        " WHERE f.scope = :scope AND f.subject = :subject AND f.predicate = :predicate AND {known}",
        view.past,
    )
    rows = connection.execute(
        f"{statement} ORDER BY valid_from, object_type, object_text, id",
        view.arguments(subject=key.subject, predicate=key.predicate),
    )
    return view.answer([version_of(row) for row in rows])


def matching(pattern: Pattern) -> tuple[str, dict[str, Any]]:
    """The conditions of a pattern, to follow another condition, and their values."""
    where, arguments = "", {}
    if pattern.subject is not None:
        where += " AND f.subject = :subject"
        arguments["subject"] = pattern.subject
    if pattern.predicate is not None:
        where += " AND f.predicate = :predicate"
        arguments["predicate"] = pattern.predicate
    if pattern.object is not None:
        where += " AND f.object_text = :object_text AND f.object_type IN (:object_type, :or_type)"
        # A text may also be meant as the name of an entity.
        also = "entity" if pattern.object.type == "text" else pattern.object.type
        arguments.update(object_text=pattern.object.text, object_type=pattern.object.type, or_type=also)
    return where, arguments


def with_sources(
    connection: sqlite3.Connection, view: View, versions: Sequence[Version]
) -> list[StandingFact]:
    """Versions with the links a view shows: attached at `known_at`, over a window that overlaps the version's."""
    links = shown_links(connection, view, (each.id for each in versions))
    return [
        StandingFact(
            each,
            tuple(
                link
                for link in links.get(each.id, ())
                if link.covers_from < each.valid_to and link.covers_to > each.valid_from
            ),
        )
        for each in versions
    ]


def with_citations(
    connection: sqlite3.Connection, view: View, facts: Iterable[CitedFact]
) -> dict[str, CitedFact]:
    """By id, each fact once (a view holds one version of a line), with what a frame shows of those links."""
    each_once = {each.version.id: each for each in facts}
    found: dict[str, list[tuple[int, str, Citation]]] = {}
    for row in among(
        connection,
        "SELECT l.fact_id, l.covers_from, l.covers_to, l.recorded_at, l.id, l.episode_id, l.file_uri,"
        " l.file_digest, l.file_range, l.by, l.method FROM links l WHERE l.scope = :scope AND l.fact_id IN (:given)"
        " AND l.attached_at <= :known AND l.detached_at > :known",
        each_once,
        view.arguments(),
    ):
        version = each_once[row[0]].version
        if row[1] < version.valid_to and row[2] > version.valid_from:
            found.setdefault(row[0], []).append((row[3], row[4], Citation._make(row[5:])))
    return {
        id: fact._replace(citations=tuple(each for _, _, each in sorted(found.get(id, ()), key=_by_claim)))
        for id, fact in each_once.items()
    }


def _by_claim(cited: tuple[int, str, Citation]) -> tuple[int, str]:
    return cited[:2]


def shown_links(
    connection: sqlite3.Connection, view: View, ids: Iterable[str]
) -> dict[str, list[SourceLink]]:
    """The links attached at `known_at`, by line, oldest claim first."""
    found: dict[str, list[SourceLink]] = {}
    for row in among(
        connection,
        f"SELECT {LINK} FROM links l WHERE l.scope = :scope AND l.fact_id IN (:given)"
        " AND l.attached_at <= :known AND l.detached_at > :known",
        ids,
        view.arguments(),
    ):
        found.setdefault(row[2], []).append(link_of(row))
    for links in found.values():
        if len(links) > 1:
            links.sort(key=lambda link: (link.recorded_at, link.id))
    return found
