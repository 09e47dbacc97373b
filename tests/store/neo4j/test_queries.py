"""The Cypher files: every one is used, explains its parameters, and reads as it runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memory_provider.store.neo4j as package
from memory_provider.resources import directory
from memory_provider.store.neo4j.migrations import migrations
from memory_provider.store.neo4j.queries import query

FILES = sorted((directory("cypher") / "queries").glob("*.cypher"))
SOURCE = "\n".join(path.read_text() for path in Path(package.__path__[0]).glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_query_is_used_and_explains_its_parameters(path: Path) -> None:
    text = path.read_text()
    comments = "\n".join(line for line in text.splitlines() if line.startswith("//"))
    explained = set(re.findall(r"\$([a-z_]+)", comments))
    used = set(re.findall(r"\$([a-z_]+)", query(path.stem)))
    assert used <= explained, used - explained
    family = re.sub(r"-of-(key|subject|predicate|object|scope)$", "-of-", path.stem)
    assert f'"{path.stem}"' in SOURCE or f'f"{family}' in SOURCE


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_row_has_the_values_the_decoder_expects(path: Path) -> None:
    """The lists of values are written out in each file; they must not drift apart."""
    text = re.sub(r"\s+", " ", query(path.stem))
    for row, variable in (
        (FACT, r"\[(\w+)\.id, \1\.subject"),
        (SOURCE_LINK, r"\[(\w+)\.id, \1\.claim"),
        (PREDICATE, r"\[(\w+)\.id, \1\.name, \1\.card"),
        (RECORD, r"\[(\w+)\.id, \1\.lineage"),
    ):
        for match in re.finditer(variable, text):
            expected = ", ".join(f"{match[1]}.{name}" for name in row.split())
            found = text[match.start() + 1 :].replace(" '',", f" {match[1]}.body,")
            assert found.startswith((f"{expected}]", f"{expected}, {match[1]}.terms]")), found[:400]


FACT = (
    "id subject predicate object_type object_text valid_from valid_to recorded_at superseded_at statement digest cause"
    " ended_by absorbed_by"
)
SOURCE_LINK = (
    "id claim fact_id episode_id file_uri file_digest file_range by method confidence spoke_from spoke_to covers_from"
    " covers_to recorded_at attached_at detached_at original_recorded_at"
)
RECORD = (
    "id lineage kind status statement body digest observed_at valid_from valid_to recorded_at superseded_at expires_at"
    " position frame frame_digest sharing subjects retention client by original_recorded_at"
)
PREDICATE = "id name cardinality object_type label inverse_label declared"


def test_migrations_are_numbered_and_say_what_why_and_for_which_servers() -> None:
    found = sorted((directory("cypher") / "migrations").iterdir())
    assert [path.stem for path in found] == [each.id for each in migrations()]
    for number, path in enumerate(found, 1):
        assert path.name.startswith(f"{number:04}-") and path.suffix == ".cypher"
        text = path.read_text()
        for word in ("// What: ", "// Why: ", "// servers: "):
            assert word in text, (path.name, word)
    for migration in migrations():
        assert all("IF NOT EXISTS" in statement for statement in migration.statements)
