"""What a provider says without being asked is never taken for the answer to a later question."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import anyio
import pytest

from memory_provider.host.connections import Connection, StdioChannel
from memory_provider.host.errors import CorrelationMismatch, ProviderCrashed, WireError
from memory_provider.protocol import ContextQuery

from .offering import offer

pytestmark = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])

ADVERSARY = str(Path(__file__).with_name("adversary.py"))
QUERY = ContextQuery(goal="kettle", max_frames=8, max_tokens=1000)
HELD = offer("bad", "f").identity


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """A pipe that the provider is told about."""
    path = tmp_path / "told"
    os.mkfifo(path)
    return path


def connect(mode: str, told: Path) -> Connection:
    return Connection("bad", StdioChannel("bad", [sys.executable, ADVERSARY, mode, str(told)]))


async def hear(told: Path) -> str:
    async with await anyio.open_file(told) as pipe:
        return (await pipe.readline()).strip()


async def asked(connection: Connection, goal: str) -> str:
    await connection.open()
    return (await connection.query(QUERY.replace(goal=goal))).frames[0].id


async def test_a_second_answer_in_the_same_breath_ends_the_connection(told: Path) -> None:
    connection = connect("twice", told)
    assert await asked(connection, "one") == "one"
    with pytest.raises(WireError, match="nobody had asked for"):
        await asked(connection, "two")
    assert await asked(connection, "three") == "three"  # a new process
    await connection.close()


async def test_a_second_answer_that_still_lies_in_the_pipe_ends_the_connection(told: Path) -> None:
    connection = connect("twice apart", told)
    assert await asked(connection, "one") == "one"
    assert await hear(told) == "twice"
    with pytest.raises(WireError, match="nobody had asked for"):
        await asked(connection, "two")
    await connection.close()


async def test_a_second_answer_to_a_handshake_or_a_verification_ends_the_connection(told: Path) -> None:
    connection = connect("greets twice", told)
    await connection.open()
    assert await hear(told) == "twice"
    with pytest.raises(WireError, match="nobody had asked for"):
        await asked(connection, "one")
    await connection.close()

    connection = connect("verified twice", told)
    await connection.open()
    assert [each.status for each in await connection.verify([HELD])] == ["valid"]
    assert await hear(told) == "twice"
    with pytest.raises(WireError, match="nobody had asked for"):
        await connection.verify([HELD])
    await connection.close()


async def test_a_line_that_begins_before_anything_is_asked_ends_the_connection(told: Path) -> None:
    connection = connect("begins another", told)
    assert await asked(connection, "one") == "f"
    assert await hear(told) == "begun"
    with pytest.raises(WireError, match="beginning of a line"):
        await asked(connection, "two")
    await connection.close()


async def test_a_second_answer_that_names_its_question_is_dropped(told: Path) -> None:
    connection = connect("twice correlated", told)
    for goal in ("one", "two", "three"):
        assert await asked(connection, goal) == goal
    await connection.close()


async def test_what_names_no_question_beside_one_that_waits_is_given_to_nobody(told: Path) -> None:
    connection = connect("verified beside", told)
    with pytest.raises(CorrelationMismatch):
        await asked(connection, "one")
    await connection.close()


async def test_answers_without_end_to_what_was_answered_have_an_end(told: Path) -> None:
    connection = connect("repeats without end", told)
    assert await asked(connection, "one") == "f"
    assert await asked(connection, "again") == "f"
    with pytest.raises(WireError, match="without end"):
        for _ in range(1000):
            await asked(connection, "again")
    await connection.close()


async def test_a_provider_that_closed_its_input_is_not_waited_for(told: Path) -> None:
    connection = connect("hears no more", told)
    assert await asked(connection, "one") == "f"
    assert await hear(told) == "deaf"
    with pytest.raises(ProviderCrashed, match="closed its input"):
        await asked(connection, "two")
    await connection.close()
