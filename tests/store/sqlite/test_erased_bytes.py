"""After an erase no byte of the erased text is left in the file, its log or its shared memory."""

# A test may block its own loop.
# ruff: noqa: ASYNC240
from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from memory_provider.store.conformance.check_erasing import whole
from memory_provider.store.conformance.rows import (
    LATEST,
    entity,
    episode,
    fact,
    in_context,
    link,
    probe,
    put,
    record,
    second,
    text,
)
from memory_provider.store.contract import Erasable, Erasure, Selection
from memory_provider.store.records import IdempotencyRecord, Tombstone
from memory_provider.store.sqlite.store import SqliteStore

# Neither occurs in anything else that is written, nor do their stems.
SECRET = "Zanzibarquux"
STEM = "zanzibarq"


def found_in(file: Path) -> list[str]:
    """The files that hold a trace, whatever its case."""
    places = [file, file.with_name(file.name + "-wal"), file.with_name(file.name + "-shm")]
    return [each.name for each in places if each.exists() and STEM.encode() in each.read_bytes().lower()]


async def fill(store: SqliteStore, seed: int) -> None:
    """Rows of all sizes around the secret ones, rewritten now and then, so that pages split and merge."""
    chance = random.Random(seed)
    standing = []
    for number in range(1, 25):
        at = second(number)
        rows = []
        for i in range(chance.randint(1, 60)):
            secret = chance.random() < 0.15
            subject = f"{SECRET} {number}-{i}" if secret else f"{chance.getrandbits(32):08x}"
            value = (f"{SECRET} " if secret else "plain ") * chance.choice([1, 3, 40, 400])
            what = text(value) if chance.random() < 0.7 else entity(value[:900])
            rows.append(
                fact(subject, f"{SECRET} says" if secret else "says", what, at, alias=value[:40].lower())
            )
        links = [
            link(each, by=SECRET if SECRET in each.version.subject else "x", file_uri=each.version.subject)
            for each in rows
        ]
        old = [each for each in standing if chance.random() < 0.2]
        standing = [each for each in standing if each not in old] + rows
        said = episode(
            f"{SECRET} " * chance.choice([1, 200]), at, speaker=SECRET, session=f"s{number}", position=1
        )
        after = in_context(
            episode(
                "and then" * chance.choice([1, 500]), at, session=f"s{number}", position=2, previous=said.id
            ),
            said.text,
        )
        await put(
            store,
            "s",
            at,
            *rows,
            links=links,
            superseded=[_ended(each) for each in old],
            episodes=[said, after],
        )


def _ended(new):
    from memory_provider.store.conformance.rows import ending

    return ending(new)


async def erase_secrets(store: SqliteStore) -> None:
    at = second(1000)

    def plan(found: Erasable) -> Erasure:
        lines = {each.id for each in found.versions}
        return Erasure(at, facts=lines, tombstones=whole(at)(found).tombstones)

    async def each_subject() -> list[str]:
        names = await store._connections.read(
            lambda connection: [
                name
                for (name,) in connection.execute(
                    "SELECT DISTINCT subject FROM facts WHERE subject LIKE ? UNION"
                    " SELECT object_text FROM facts WHERE object_type = 'entity' AND object_text LIKE ?",
                    (f"%{SECRET}%", f"%{SECRET}%"),
                )
            ]
        )
        return list(names)

    await store.erase("s", Selection(predicate=f"{SECRET} says"), plan, dry_run=False)
    await store.erase("s", Selection(entity=SECRET), whole(second(1001)), dry_run=False)
    assert await each_subject() == []


@pytest.mark.parametrize("seed", range(4))
async def test_no_byte_is_left(store: SqliteStore, opened, file: Path, seed: int) -> None:
    await fill(store, seed)
    other = await opened()
    assert (await other.candidates("s", LATEST, probe(SECRET.lower()))).found.facts, (
        "a second connection has pages too"
    )
    assert found_in(file)
    await erase_secrets(store)
    assert store.residue is None
    assert found_in(file) == []
    assert not await store.inspect(None)
    assert not (await other.candidates("s", LATEST, probe(SECRET.lower()))).found.facts


async def test_no_byte_of_a_record_is_left(store: SqliteStore, file: Path) -> None:
    """Neither of its document nor of its hash, however large it was; its id stays."""
    chance = random.Random(5)
    secrets = []
    for number in range(1, 40):
        at = second(number)
        secret = chance.random() < 0.4
        says = f"{SECRET if secret else 'plain'} {number} " * chance.choice([1, 20, 900])
        digest = f"sha256:{STEM if secret else number}"
        frame = chance.choice([None, "memory"])
        new = record(
            says, at, lineage=f"lin {number}", id=f"rec {number}", body=says, digest=digest, frame=frame
        )
        keys = [IdempotencyRecord(f"key {number}", digest, at, None, None, (), (), False, (new.record.id,))]
        await put(store, "s", at, records=[new], idempotency=keys)
        if secret:
            secrets.append(new.record.id)
    assert found_in(file)
    for place, id in enumerate(secrets):
        at = second(100 + place)
        stone = Tombstone(f"record:{id}", "record", at, "asked to", None)

        def plan(found: Erasable, at: int = at, stone: Tombstone = stone) -> Erasure:
            return Erasure(at, records=[each.id for each in found.records], tombstones=[stone])

        await store.erase("s", Selection(record=id), plan, dry_run=False)
    assert store.residue is None
    assert found_in(file) == []
    assert len(await store.tombstones("s", [f"record:{id}" for id in secrets])) == len(secrets)
    assert not await store.inspect(None)


async def test_no_byte_of_a_scope_is_left(store: SqliteStore, file: Path) -> None:
    await fill(store, 9)
    await put(store, "other", second(1), fact("Ann", "likes", text("tea"), second(1)))
    assert found_in(file)
    assert await store.erase_scope("s")
    assert found_in(file) == []
    assert not await store.inspect(None)
    assert (await store.candidates("other", LATEST, probe("tea"))).found.facts


async def test_a_reader_that_holds_the_log_is_reported(
    store: SqliteStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory_provider.store.sqlite import scrubbing

    monkeypatch.setattr(scrubbing, "PATIENCE", 0.2)
    await put(store, "s", second(1), fact("Ann", "says", text(SECRET), second(1)))
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM facts").fetchone() == (1,)
    await store.erase("s", Selection(subject="Ann"), whole(second(2)), dry_run=False)
    assert store.residue is not None
    assert "log" in store.residue
    assert found_in(file)
    reader.execute("ROLLBACK")
    reader.close()
    await put(store, "s", second(3), fact("Bea", "says", text("tea"), second(3)))
    await store.erase("s", Selection(subject="Bea"), whole(second(4)), dry_run=False)
    assert store.residue is None
    assert found_in(file) == []


async def test_what_a_kill_kept_from_being_rewritten_is_rewritten_at_the_next_open(
    store: SqliteStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(self: SqliteStore) -> None: ...

    await fill(store, 3)
    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "_scrub", killed)
        assert await store.erase_scope("s")
    await store.close()
    size = file.stat().st_size
    await store.open()
    assert store.residue is None
    assert found_in(file) == []
    assert file.stat().st_size < size
    await store.close()
    rewritten = file.stat().st_mtime_ns
    await store.open()
    assert file.stat().st_mtime_ns == rewritten, "and only once"


async def test_a_dry_run_rewrites_nothing(store: SqliteStore, file: Path) -> None:
    await put(store, "s", second(1), fact("Ann", "says", text(SECRET), second(1)))
    before = file.read_bytes()
    await store.erase("s", Selection(subject="Ann"), whole(second(2)), dry_run=True)
    assert file.read_bytes() == before
    assert store.residue is None


async def test_a_file_that_cannot_be_rewritten_is_reported(
    store: SqliteStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory_provider.store.sqlite import scrubbing

    def full(connection: sqlite3.Connection, statement: str) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(scrubbing, "_patiently", full)
    await put(store, "s", second(1), fact("Ann", "says", text(SECRET), second(1)))
    await store.erase("s", Selection(subject="Ann"), whole(second(2)), dry_run=False)
    assert store.residue is not None
    assert "could not be rewritten" in store.residue
    assert not (await store.candidates("s", LATEST, probe(SECRET.lower()))).found.facts
