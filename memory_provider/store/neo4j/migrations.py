"""Numbered migrations: each applied once, whoever tries, and refused on a database from a newer release.

Neo4j cannot change schema and data in one transaction. So whoever migrates holds a write lock on a node while the
statements run in transactions of their own, and records the migration when they are done; the statements are
idempotent, so that a crash between the two repeats them harmlessly.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ...resources import directory
from ..errors import MigrationPending, StoreTooNew
from .connection import Connection, NotPermitted, rows

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction

_LEDGER = """
CREATE CONSTRAINT memory_migration_id IF NOT EXISTS
FOR (m:MemoryMigration) REQUIRE m.id IS UNIQUE
"""
_APPLIED = "MATCH (m:MemoryMigration) WHERE m.applied_at IS NOT NULL RETURN m.id ORDER BY m.id"
_LOCK = "MERGE (m:MemoryMigration {id: 'lock'}) SET m.lock = true"
_RECORD = "MERGE (m:MemoryMigration {id: $id}) SET m.applied_at = datetime()"
_AWAIT = "CALL db.awaitIndexes(300)"


class Migration(NamedTuple):
    """One numbered file."""

    id: str
    """Its name without the ending, such as `0001-keys`."""
    statements: tuple[str, ...]


@cache
def migrations() -> tuple[Migration, ...]:
    """All migrations of this release, in order."""
    found = []
    for path in sorted((directory("cypher") / "migrations").glob("*.cypher")):
        lines = [
            line
            for line in path.read_text(encoding="utf-8").splitlines()
            if not line.lstrip().startswith("//")
        ]
        statements = (each.strip() for each in "\n".join(lines).split(";"))
        found.append(Migration(path.stem, tuple(each for each in statements if each)))
    return tuple(found)


async def applied(connection: Connection) -> tuple[str, ...]:
    """Ids of the migrations this database has had."""
    found = await connection.read(lambda tx: rows(tx, _APPLIED))
    return tuple(row[0] for row in found)


def pending(have: tuple[str, ...]) -> tuple[str, ...]:
    """Ids of the migrations it still needs. Raises `StoreTooNew` when it has had some this release does not know."""
    known = [migration.id for migration in migrations()]
    unknown = [each for each in have if each not in known]
    if unknown:
        raise StoreTooNew(
            f"the database has had migrations this release does not know ({', '.join(unknown)}): it was written by a "
            "newer release of memory-provider; upgrade this one"
        )
    return tuple(each for each in known if each not in have)


async def migrate(connection: Connection) -> None:
    """Apply what is pending. Raises `MigrationPending` when this user may not."""
    lacking = pending(await applied(connection))
    if not lacking:
        return
    try:
        await _migrate(connection)
    except NotPermitted as problem:
        raise MigrationPending(
            f"the database lacks migrations ({', '.join(lacking)}) that this user may not apply: {problem}; run "
            "`memory-provider migrate` as one who may"
        ) from None


async def _migrate(connection: Connection) -> None:
    await connection.schema(_LEDGER)
    for migration in migrations():

        async def apply(tx: AsyncManagedTransaction, migration: Migration = migration) -> None:
            await _run(tx, _LOCK)
            have = tuple(row[0] for row in await rows(tx, _APPLIED))
            if migration.id not in pending(have):
                return
            for statement in migration.statements:
                await connection.schema(statement)
            await connection.read(_await_indexes, patience=None)
            await _run(tx, _RECORD, id=migration.id)

        await connection.write(apply, patience=None)


async def _await_indexes(tx: AsyncManagedTransaction) -> None:
    await _run(tx, _AWAIT)


async def _run(tx: Any, text: str, **parameters: Any) -> None:
    await (await tx.run(text, parameters)).consume()
