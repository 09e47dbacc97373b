"""The memory without await, over every store."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import datetime
from pathlib import Path

import pytest

from memory_provider import Entity
from memory_provider.errors import InvalidInput
from memory_provider.sync import Memory


def test_a_whole_story(store_address: str, scope: str) -> None:
    with Memory.open(store_address, scope=scope) as memory:
        memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
        with memory.transaction() as tx:
            heard = tx.add_episode("We moved to Lyon!", speaker="Alice", occurred_at="2026-05-02T18:00:00Z")
            tx.assert_fact(
                "Alice", "lives_in", Entity("Lyon"), valid_from="2026-04-01T00:00:00Z", episode=heard
            )
            assert len(tx) == 2
        assert tx.receipt.episode_ids
        assert len(tx.receipts) == 2
        view = memory.at(as_of="2026-06-01T00:00:00Z")
        facts = view.facts("Alice")
        assert [each.object for each in facts] == [Entity("Lyon")]
        assert view.known_at == tx.receipt.recorded_at
        assert view.graph("Alice").entities == ("Alice", "Lyon")
        frames = view.recall("when did Alice move to Lyon?").frames
        assert {"fact", "episode", "graph"} == {each.kind for each in frames}
        memory.correct_fact("Alice", "lives_in", Entity("Lyon"), valid_from="2026-03-01T00:00:00Z")
        by_kind = {each.kind: verdict for each, verdict in zip(frames, memory.verify(frames), strict=True)}
        assert by_kind["fact"].status == "stale"
        assert by_kind["episode"].status == "valid"
        assert len(memory.timeline("Alice", "lives_in")) == 1
        assert len(memory.history("Alice")) == 2
        assert {each.kind for each in memory.changes()} >= {"episode", "learned", "corrected"}
        assert memory.explain(facts[0]).episodes[0].text == "We moved to Lyon!"
        memory.retract_fact("Alice", "lives_in", valid_from=None)
        assert memory.at().facts("Alice") == []
        assert memory.erase(entity="Alice", reason="asked").entity
        assert memory.scope == scope


def test_an_exception_in_a_transaction_writes_nothing() -> None:
    def half_written(memory: Memory) -> None:
        with memory.transaction() as tx:
            tx.assert_fact("Alice", "age", 42)
            tx.assert_fact("Alice", "age", 43, valid_from=datetime(2026, 1, 1))  # noqa: DTZ001

    with Memory.open("memory:") as memory:
        with pytest.raises(InvalidInput, match="aware"):
            half_written(memory)
        assert memory.history() == []


def test_errors_come_through() -> None:
    with Memory.open("memory:") as memory, pytest.raises(InvalidInput, match="scope"):
        memory.erase(reason="no filter")


def test_used_without_with_and_opened_again(tmp_path: Path) -> None:
    memory = Memory.open(f"sqlite:///{tmp_path / 'memory.db'}")
    memory.assert_fact("Alice", "age", 42)
    memory.close()
    memory.close()
    assert [each.object for each in memory.at().facts("Alice")] == [42]
    memory.close()


def test_several_memories_share_one_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    with Memory.open("memory:") as first, Memory.open(f"sqlite:///{tmp_path / 'memory.db'}") as second:
        first.assert_fact("a", "b", 1)
        second.assert_fact("a", "b", 2)
        loops = [each for each in threading.enumerate() if "portal" in each.name]
        assert len(loops) == 1
        assert [each.object for each in first.at().facts()] == [1]
    assert not [each for each in threading.enumerate() if "portal" in each.name]
    assert threading.active_count() <= before + 8  # idle workers of the pool may stay


def test_many_threads_on_one_memory() -> None:
    with Memory.open("memory:") as memory:
        threads = [
            threading.Thread(target=memory.assert_fact, args=(f"subject {number}", "is", number))
            for number in range(8)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert sorted(each.object for each in memory.at().facts()) == list(range(8))


def test_a_memory_nobody_closed_lets_the_process_end() -> None:
    program = (
        "from memory_provider.sync import Memory\n"
        "memory = Memory.open('memory:')\n"
        "memory.assert_fact('a', 'b', 1)\n"
        "print(len(memory.at().facts()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_a_transaction_that_has_ended_is_not_written_again() -> None:
    with Memory.open("memory:") as memory:
        with memory.transaction() as tx:
            tx.assert_fact("Alice", "city", "Lyon")
        with pytest.raises(InvalidInput, match="ended"):
            tx.assert_fact("Alice", "city", "Paris")
        with pytest.raises(InvalidInput, match="ended"), tx:
            pass
        assert len(memory.history()) == 1
