"""A damaged archive is refused, naming the line, before anything of it is written."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Callable
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.archive import (
    ArchiveDamaged,
    ArchiveError,
    ArchiveTooNew,
    export_scope,
    import_archive,
)
from memory_provider.temporal.errors import InvalidInput
from tests.archive.answering import rows
from tests.archive.forging import Row, first, forged, rewritten
from tests.archive.rich_histories import write_rich


@pytest.fixture(scope="module")
async def archive(anyio_backend: str) -> bytes:
    """An archive that has rows of every kind."""
    file = io.BytesIO()
    async with Memory.open("memory:", scope="damage") as memory:
        rich = await write_rich(memory, 3, 40)
        await memory.add_episode("One more thing.", session="s1", idempotency_key="last")
        await memory.erase(episode=rich.episodes[0], reason="asked to")
        manifest = await export_scope(memory, file)
    assert len(manifest.rows) == 8
    return file.getvalue()


async def refused_by(damaged: bytes) -> ArchiveError:
    """The error of an import."""
    async with Memory.open("memory:") as memory:
        with pytest.raises(ArchiveError) as caught:
            await import_archive(memory, io.BytesIO(damaged))
    return caught.value


async def refused(
    damaged: bytes, error: type[ArchiveError] = ArchiveDamaged, *, restamp: bool = False
) -> str:
    """What an import says to a damaged archive; nothing was written."""
    async with Memory.open("memory:", scope="damage") as memory:
        with pytest.raises(error) as caught:
            await import_archive(memory, io.BytesIO(damaged), restamp=restamp)
        assert not any((await rows(memory)).values())
        assert await memory.store.scopes() == []
    return str(caught.value)


def lines_of(archive: bytes) -> list[bytes]:
    return archive.splitlines(keepends=True) if b"\r" in archive else archive.split(b"\n")[:-1]


async def test_whole(archive: bytes) -> None:
    """The forging of these tests makes archives that are taken, when nothing is wrong in them."""
    assert forged(archive, lambda lines: None) == archive
    async with Memory.open("memory:") as memory:
        await import_archive(memory, io.BytesIO(archive))


async def test_any_byte(archive: bytes) -> None:
    chance = random.Random(7)
    for _ in range(150):
        place = chance.randrange(len(archive))
        other = archive[place] ^ (1 << chance.randrange(8))
        damaged = archive[:place] + bytes([other]) + archive[place + 1 :]
        said = await refused(damaged, ArchiveError, restamp=chance.random() < 0.5)
        line = archive.count(b"\n", 0, place) + 1
        assert line == 1 or f"line {line} " in said


async def test_a_lost_line(archive: bytes) -> None:
    lines = lines_of(archive)
    for gone in range(1, len(lines) - 1, 7):
        said = await refused(b"\n".join([*lines[:gone], *lines[gone + 1 :], b""]))
        assert f"line {gone + 1} " in said
        assert "missing" in said


async def test_two_lines_in_another_order(archive: bytes) -> None:
    lines = lines_of(archive)
    for one in range(1, len(lines) - 2, 7):
        lines[one], lines[one + 1] = lines[one + 1], lines[one]
        said = await refused(b"\n".join([*lines, b""]))
        lines[one], lines[one + 1] = lines[one + 1], lines[one]
        assert f"line {one + 1} " in said
        assert "order" in said


async def test_a_line_twice(archive: bytes) -> None:
    lines = lines_of(archive)
    assert "line 6 " in await refused(b"\n".join([*lines[:5], lines[4], *lines[5:], b""]))


async def test_cut_short(archive: bytes) -> None:
    lines = lines_of(archive)
    for kept in (1, 2, len(lines) // 2, len(lines) - 1):
        said = await refused(b"\n".join([*lines[:kept], b""]))
        assert f"line {kept} " in said
        assert "without its manifest" in said
        said = await refused(b"\n".join([*lines[:kept], lines[kept][:-4]]))
        assert f"line {kept + 1} " in said
        assert "cut short" in said


async def test_gzipped_and_cut_short_or_damaged(archive: bytes) -> None:
    packed = gzip.compress(archive)
    assert "line " in await refused(packed[: len(packed) // 2])
    assert "line " in await refused(packed[:-3])
    middle = len(packed) // 2
    assert "line " in await refused(packed[:middle] + bytes([packed[middle] ^ 255]) + packed[middle + 1 :])


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\n", b"{}\n", b"SQLite format 3\0", b"[1,2]\n", b'{"archive":{}}\n', b'{"archive":1}\n'),
        *(b'{"episode":{"text":"x"}}\n', '{"archive":\ud800'.encode(errors="surrogatepass"), b"\x1f\x8b"),
        b'{"archive":' + b"[" * 100_000,
    ],
)
async def test_something_else(content: bytes) -> None:
    await refused(content, ArchiveError)


async def test_with_other_ends_of_lines_or_a_mark_in_front(archive: bytes) -> None:
    await refused(archive.replace(b"\n", b"\r\n"))
    await refused(b"\xef\xbb\xbf" + archive, ArchiveError)


async def test_something_after_the_manifest(archive: bytes) -> None:
    assert "follows the manifest" in await refused(archive + b"\n")


async def test_of_a_newer_release(archive: bytes) -> None:
    def change(lines: list[Row]) -> None:
        lines[0]["archive"]["version"] = 3
        lines[0]["archive"]["vectors"] = True

    said = await refused(forged(archive, change), ArchiveTooNew)
    assert "version 3" in said
    assert "newer release" in said


async def test_of_version_1_with_what_it_did_not_have(archive: bytes) -> None:
    def change(lines: list[Row]) -> None:
        lines[0]["archive"]["version"] = 1
        lines[1:-1] = [line for line in lines[1:-1] if "record" in line]

    assert "format version 1 does not have" in await refused(forged(archive, change))


def _set(kind: str, member: str, value: Any) -> Callable[[list[Row]], None]:
    def change(lines: list[Row]) -> None:
        first(lines, kind)[member] = value

    return change


def _inverted(kind: str, start: str, end: str) -> Callable[[list[Row]], None]:
    def change(lines: list[Row]) -> None:
        first(lines, kind).update({start: "9000-01-02T00:00:00Z", end: "9000-01-01T00:00:00Z"})

    return change


def _drop(kind: str, member: str) -> Callable[[list[Row]], None]:
    def change(lines: list[Row]) -> None:
        del first(lines, kind)[member]

    return change


def _chunk(member: str, value: Any) -> Callable[[list[Row]], None]:
    def change(lines: list[Row]) -> None:
        first(lines, "episode")["chunks"][0][member] = value

    return change


def _later(kind: str, member: str) -> Callable[[list[Row]], None]:
    return _set(kind, member, "9000-01-01T00:00:00Z")


FORGED: dict[str, tuple[str, Callable[[list[Row]], None], str]] = {
    "statement": (
        "version",
        _set("version", "statement", "Ann lives on the moon"),
        "digest that does not match",
    ),
    "window": ("version", _inverted("version", "valid_from", "valid_to"), "inverted window"),
    "digest": ("version", _set("version", "digest", "sha256:" + "0" * 64), "digest that does not match"),
    "digest of another kind": ("version", _set("version", "digest", "md5:0"), "digest"),
    "superseded too early": (
        "version",
        _set("version", "superseded_at", "2001-01-01T00:00:00Z"),
        "inverted recorded time",
    ),
    "statement of a record": (
        "record",
        _set("record", "frame_digest", "sha256:" + "1" * 64),
        "digest that does not match",
    ),
    "record as what it is not": ("record", _set("record", "frame", "graph"), "frame is none of"),
    "record about a list": ("record", _set("record", "subjects", ["user_id"]), "not an object"),
    "record that ends before it begins": (
        "record",
        _inverted("record", "valid_from", "valid_to"),
        "inverted window",
    ),
    "record after the clock": ("record", _later("record", "recorded_at"), "clock"),
    "after the clock": ("episode", _later("episode", "recorded_at"), "clock"),
    "ended by nobody": ("version", _later("version", "superseded_at"), "ended by nothing"),
    "end without an operation": ("version", _set("version", "ended_by", "wish"), "ended_by"),
    "object": ("version", _set("version", "object", {"type": "colour", "text": "red"}), "type"),
    "text": ("episode", _set("episode", "text", "I never said that."), "chunks that are not"),
    "chunk": ("episode", _chunk("digest", "sha256:" + "1" * 64), "digest that does not match"),
    "range of a chunk": ("episode", _chunk("end", 1), "chunks that are not"),
    "range that is no number": ("episode", _chunk("end", True), "whole number"),
    "finer than a microsecond": (
        "episode",
        _set("episode", "occurred_at", "2026-01-01T00:00:00.1234567Z"),
        "finer",
    ),
    "no offset": ("episode", _set("episode", "occurred_at", "2026-01-01T00:00:00"), "offset"),
    "lone surrogate": ("episode", _set("episode", "source", "SURROGATE"), "surrogate"),
    "confidence": ("source", _set("source", "confidence", 2), "from 0 to 1"),
    "covers": ("source", _inverted("source", "covers_from", "covers_to"), "covers nothing"),
    "attached": ("source", _set("source", "attached_at", "2001-01-01T00:00:00Z"), "before it was recorded"),
    "claim": ("source", _drop("source", "claim"), "claim"),
    "tombstone": ("tombstone", _later("tombstone", "erased_at"), "clock"),
    "kind of tombstone": ("tombstone", _set("tombstone", "kind", "rumour"), "kind"),
    "unknown member": ("entity", _set("entity", "vector", [1.5]), "vector"),
    "name": ("entity", _set("entity", "name", " "), "empty"),
    "long name": ("entity", _set("entity", "name", "n" * 1025), "1025 bytes"),
    "cardinality": ("predicate", _set("predicate", "cardinality", "few"), "cardinality"),
    "declared": ("predicate", _set("predicate", "declared", 1), "declared"),
    "key": ("idempotency", _set("idempotency", "fact_ids", "fact_1"), "fact_ids"),
}


@pytest.mark.parametrize("what", FORGED)
async def test_content_that_is_wrong_under_right_checksums(archive: bytes, what: str) -> None:
    kind, change, expected = FORGED[what]
    damaged = forged(archive, change).replace(b'"SURROGATE"', b'"\\ud800"')
    if b'"\\ud800"' in damaged:
        damaged = rewritten([_unchained(line) for line in damaged.split(b"\n")[:-1]])
    said = await refused(damaged)
    line = next(n for n, line in enumerate(lines_of(archive), 1) if line.startswith(f'{{"{kind}"'.encode()))
    assert f"line {line} " in said
    assert expected in said


def _unchained(line: bytes) -> bytes:
    return line[: line.rindex(b',"chain":"')] + b"}"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"vector":{"id":"x"}}', "'vector'"),
        (b'{"entity":{"id":"x","id":"y","name":"n"}}', "twice"),
        (b'{"source":{"confidence":NaN}}', "NaN"),
        (b'{"entity":' + b"[" * 50_000 + b"]" * 50_000 + b"}", "JSON"),
        (b'{"entity":[]}', "object"),
        (b'{"entity":{"id":"x","name":"\xff"}}', "JSON"),
    ],
)
async def test_lines_that_nobody_exports(archive: bytes, line: bytes, expected: str) -> None:
    lines = [_unchained(each) for each in lines_of(archive)]
    said = await refused(rewritten([lines[0], line, *lines[1:]]))
    assert "line 2 " in said
    assert expected in said


async def test_counts_and_checksum(archive: bytes) -> None:
    def other_count(lines: list[Row]) -> None:
        lines[-1]["manifest"]["rows"]["entity"] += 1

    assert "counts other rows" in await refused(forged(archive, other_count, count=False))
    lines = lines_of(archive)
    last = _unchained(lines[-1])
    digest = last[last.index(b'"sha256":"') + 10 :][:64]
    from memory_provider.archive.chain import chained

    before = lines[-2][lines[-2].rindex(b'"chain":"') + 9 :][:16].decode()
    _, whole = chained(before, last.replace(digest, b"0" * 64)[:-1])
    assert "checksum" in await refused(b"\n".join([*lines[:-1], whole]))


async def test_damage_is_bad_input() -> None:
    """Programs that tell bad input from a broken store tell a damaged archive rightly."""
    assert issubclass(ArchiveDamaged, InvalidInput)
    assert issubclass(ArchiveTooNew, InvalidInput)
    assert isinstance(await refused_by(b"no archive"), InvalidInput)


async def test_a_file_that_is_not_there(tmp_path: Any) -> None:
    async with Memory.open("memory:") as memory:
        with pytest.raises(ArchiveError, match=r"none\.jsonl"):
            await import_archive(memory, tmp_path / "none.jsonl")
        with pytest.raises(ArchiveError, match="nowhere"):
            await export_scope(memory, tmp_path / "nowhere" / "a.jsonl")
        with pytest.raises(ArchiveError):
            await import_archive(memory, tmp_path)
