"""What the protocol asks of a provider process, named by ids in `requirements.json`, and what hosts rely on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from memory_provider.protocol import MAX_BYTES
from tests.provider.kettle import GOAL, JULY

from .conftest import Kitchen
from .host import PATIENCE, SERVE, Host

pytestmark = pytest.mark.alone

ASKED: dict[str, Any] = {"goal": GOAL, "max_frames": 8, "max_tokens": 4096}
QUERY: dict[str, Any] = {"type": "query", "query": ASKED}
BACKENDS = ["asyncio", "trio"]

NOISY = (
    """
import atexit, ctypes, os
from memory_provider.memory import api
plain = api.Memory.at
def at(*arguments, **named):
    print("a library greets")
    os.write(1, b"and its C code\\n")
    os.system("echo and a child of it")
    print("not ended", end="", flush=True)
    return plain(*arguments, **named)
api.Memory.at = at
atexit.register(print, "goodbye")
"""
    + SERVE
)

STUCK = (
    """
import time
from memory_provider.memory import api
async def recall(*arguments, **named):
    WAIT
class View:
    recall = recall
api.Memory.at = lambda *arguments, **named: View()
"""
    + SERVE
)
WAITS = {
    "for an event": "import anyio; await anyio.sleep(60)",
    "in a worker thread": "import anyio; await anyio.to_thread.run_sync(time.sleep, 60)",
    "in the loop itself": "time.sleep(60)",
    "busily in the loop itself": "while True: pass",
    "in an executor": "import asyncio; await asyncio.get_running_loop().run_in_executor(None, time.sleep, 60)",
}


def test_T1_one_object_a_line_and_nothing_else_on_stdout(kitchen: Kitchen) -> None:
    with kitchen.host(program=NOISY) as host:
        for n in range(3):
            assert host.query(GOAL, id=f"{n}")["id"] == f"{n}"
        host.send({"type": "shutdown"})
        assert host.end()[::2] == (0, [])
        errors = host.errors()
    for noise in ("a library greets", "and its C code", "and a child of it", "not ended", "goodbye"):
        assert noise in errors


def test_T1_content_with_line_ends_stays_on_one_line(tmp_path: Path) -> None:
    from memory_provider.sync import Memory

    store = f"sqlite:///{tmp_path / 'memory.db'}"
    text = "kettle\nfirst\r\nsecond\u2028third\u2029fourth\x85fifth\x0bsixth\x00end"
    with Memory.open(store, scope="s") as memory:
        memory.add_episode(text)
    with Host(store, "s") as host:
        (frame,) = host.query("kettle", id="a")["result"]["frames"]
    assert frame["content"] == text


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("ending", ["shutdown", "end of input", "SIGTERM", "SIGINT"])
@pytest.mark.parametrize("moment", ["before anything", "after a handshake", "after a query"])
def test_R2_every_ending_is_clean(kitchen: Kitchen, backend: str, ending: str, moment: str) -> None:
    with kitchen.host(backend=backend) as host:
        if moment == "before anything":
            _wait_until_signals_are_handled(host.process.pid)  # before, they are the system's
        elif moment == "after a handshake":
            host.ask({"type": "handshake", "protocol_version": "contextgraph/1.0"})
        else:
            assert host.ask(QUERY)["result"]["frames"]
        match ending:
            case "shutdown":
                host.send({"type": "shutdown"})
            case "end of input":
                host.close_input()
            case "SIGTERM":
                host.terminate()
            case _:
                host.process.send_signal(signal.SIGINT)
        code, seconds, rest = host.end()
        assert (code, rest, host.errors()) == (0, [], "")
    assert seconds < 2


@pytest.mark.parametrize(
    ("wait", "backend"), [*((wait, "asyncio") for wait in WAITS), ("in a worker thread", "trio")]
)
@pytest.mark.parametrize("ending", ["shutdown", "end of input", "SIGTERM"])
def test_R2_a_request_that_hangs_does_not_hold_the_process(
    kitchen: Kitchen, backend: str, ending: str, wait: str
) -> None:
    with kitchen.host(backend=backend, program=STUCK.replace("WAIT", WAITS[wait])) as host:
        host.send(QUERY | {"id": "hangs"})
        host.send(QUERY)
        host.send({"type": "handshake", "protocol_version": "contextgraph/2.0"})
        host.send(QUERY | {"id": "refused", "query": ASKED | {"embedding": [1.0]}})
        assert host.receive()["id"] == "refused"  # while the others hang
        match ending:
            case "shutdown":
                host.send({"type": "shutdown"})
            case "end of input":
                host.close_input()
            case _:
                host.terminate()
        code, seconds, rest = host.end()
    assert code == 0
    assert seconds < 2
    if wait == "for an event":  # what can be taken back is told so
        assert [json.loads(line)["code"] for line in rest] == ["shutting_down", "shutting_down"]


def test_R2_a_loop_that_cannot_run_ends_the_process(kitchen: Kitchen) -> None:
    with kitchen.host(backend="no such loop") as host:
        assert host.ask({"type": "handshake", "protocol_version": "contextgraph/1.0"})
        host.send(QUERY)
        code, seconds, rest = host.end()
        assert (code, rest) == (1, [])
        assert seconds < PATIENCE
        assert "no such loop" in host.errors()


def test_R2_what_was_asked_before_a_shutdown_is_answered(kitchen: Kitchen) -> None:
    with kitchen.host() as host:
        lines = [QUERY | {"id": f"{n}"} for n in range(20)] + [{"type": "shutdown"}]
        host.send(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        code, _, rest = host.end()
    assert code == 0
    assert {json.loads(line)["id"] for line in rest} == {f"{n}" for n in range(20)}


def test_R2_a_question_piped_in_is_answered(kitchen: Kitchen) -> None:
    with kitchen.host() as host:
        host.send(json.dumps(QUERY).encode())  # not even ended
        host.close_input()
        code, _, (line,) = host.end()
    assert code == 0
    assert json.loads(line)["result"]["frames"]


def test_a_host_that_has_gone_ends_it(kitchen: Kitchen) -> None:
    with Host(kitchen.store, kitchen.scope, read=False) as host:
        assert host.process.stdout
        host.process.stdout.close()
        for _ in range(100):
            try:
                host.send(QUERY)
            except BrokenPipeError:
                break
            time.sleep(0.1)
        assert host.process.wait(PATIENCE) == 0


def test_a_host_that_does_not_read_is_waited_for_and_can_still_end_it(kitchen: Kitchen) -> None:
    """Answers pile up to what the pipes hold; nothing is lost, and SIGTERM works."""
    with Host(kitchen.store, kitchen.scope, read=False) as host:
        line = json.dumps(QUERY | {"id": "x" * 10_000}).encode() + b"\n"
        host.send(line * 4)
        time.sleep(1)
        host.terminate()
        assert host.process.wait(PATIENCE) == 0


# --- lines ------------------------------------------------------------------------------------------------------


def test_R1_a_line_beyond_the_limit_is_refused_once_and_skipped(host: Host) -> None:
    for end in (b"\n", b"\r\n"):
        host.send(b'{"type":"query","junk":"' + b"k" * (MAX_BYTES + 2**20) + b'"}' + end)
        reply = host.receive()
        assert (reply["type"], reply["code"]) == ("error", "bad_request")
        assert "id" not in reply
        assert host.query(GOAL, id="next")["id"] == "next"


def test_R1_a_line_beyond_the_limit_is_refused_before_it_ends(kitchen: Kitchen) -> None:
    with kitchen.host() as host:
        host.send(b"k" * (MAX_BYTES + 100_000))
        assert host.receive()["code"] == "bad_request"
        host.send(b"k" * MAX_BYTES)
        before = _peak_memory(host.process.pid)
        for _ in range(8):
            host.send(b"k" * MAX_BYTES)
        host.send(b"\n")
        assert host.query(GOAL, id="next")["id"] == "next"
        assert (
            _peak_memory(host.process.pid) - before < 64 * 2**20
        )  # of 128 MiB sent, and with a store opened


def test_R1_a_line_of_exactly_the_limit_is_read(host: Host) -> None:
    shell = json.dumps(QUERY | {"id": "long", "junk": ""}).encode()
    line = shell.replace(b'"junk": ""', b'"junk": "' + b"k" * (MAX_BYTES - len(shell)) + b'"')
    assert len(line) == MAX_BYTES
    for end in (b"\n", b"\r\n"):
        host.send(line + end)
        assert host.receive()["id"] == "long"
        host.send(line[:-1] + b" }" + end)
        assert host.receive()["code"] == "bad_request"


def test_blank_lines_are_ignored(host: Host) -> None:
    host.send(b"\n\r\n  \n\t\r\n" + json.dumps(QUERY | {"id": "a"}).encode() + b"\n\n")
    assert host.receive()["id"] == "a"


def test_lines_arrive_in_any_pieces(host: Host) -> None:
    line = json.dumps(QUERY | {"id": "\U0001fad6"}, ensure_ascii=False).encode() + b"\r\n"
    for byte in line:
        host.send(bytes([byte]))
    assert host.receive()["id"] == "\U0001fad6"


def test_lines_may_come_from_a_file(kitchen: Kitchen, tmp_path: Path) -> None:
    lines = [
        {"type": "handshake", "protocol_version": "contextgraph/1.0"},
        QUERY,
        {"type": "shutdown"},
        QUERY,
    ]
    (tmp_path / "in").write_text("\n".join(map(json.dumps, lines)))
    with (tmp_path / "in").open("rb") as asked:
        done = subprocess.run(
            [sys.executable, "-c", SERVE, kitchen.store, kitchen.scope, "asyncio"],
            stdin=asked,
            capture_output=True,
        )
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["handshake_ack", "frames"]
    assert (done.returncode, done.stderr) == (0, b"")


def _wait_until_signals_are_handled(process: int) -> None:
    both = 1 << signal.SIGTERM - 1 | 1 << signal.SIGINT - 1
    while int(_status(process, "SigCgt"), 16) & both != both:
        time.sleep(0.01)


def _peak_memory(process: int) -> int:
    return int(_status(process, "VmHWM")) * 1024


def _status(process: int, name: str) -> str:
    status = Path(f"/proc/{process}/status").read_text()
    return next(line.split()[1] for line in status.splitlines() if line.startswith(name))


# --- correlation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_H4_interleaved_requests_each_get_their_answer(kitchen: Kitchen, backend: str) -> None:
    goals = {f"{n}": goal for n, goal in enumerate(["kettle", "teapot", "Ada", "xylophone"] * 20)}
    with kitchen.host(backend=backend) as host:
        alone = {goal: host.query(goal)["result"] for goal in set(goals.values())}
        for id, goal in goals.items():
            query = {"goal": goal, "max_frames": 8, "max_tokens": 4096}
            host.send({"type": "query", "id": id, "query": query})
        answers = [host.receive() for _ in goals]
    assert {answer["id"] for answer in answers} == set(goals)
    for answer in answers:
        assert answer["result"] == alone[goals[answer["id"]]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_H4_answers_without_ids_keep_the_order_of_the_requests(kitchen: Kitchen, backend: str) -> None:
    kettle = kitchen.kettle
    asked: list[tuple[Any, str]] = [
        (QUERY, "frames"),
        ({"type": "handshake", "protocol_version": "contextgraph/1.0"}, "handshake_ack"),
        (b"not json\n", "error"),
        (
            {
                "type": "verify",
                "request": {
                    "frames": [{"provider_id": "p", "frame_id": kettle.fact, "content_digest": kettle.digest}]
                },
            },
            "verified",
        ),
    ] * 10
    with kitchen.host(backend=backend) as host:
        for number, (message, _) in enumerate(asked):
            host.send(message)
            host.send(QUERY | {"id": f"{number}"})
        answers = [host.receive() for _ in range(2 * len(asked))]
    assert [answer["type"] for answer in answers if "id" not in answer] == [kind for _, kind in asked]
    assert {answer["id"] for answer in answers if "id" in answer} == {f"{n}" for n in range(len(asked))}


# --- both clocks ------------------------------------------------------------------------------------------------


def test_as_of_through_the_wire(host: Host) -> None:
    early = host.query("who was the kettle lent to", id="a", as_of="2026-02-01T12:00:00Z", kinds=["fact"])
    late = host.query("who was the kettle lent to", id="b", as_of=JULY, kinds=["fact"])
    assert any("lent to Ben" in frame["content"] for frame in early["result"]["frames"])
    assert not any("lent to Ben" in frame["content"] for frame in late["result"]["frames"])
