"""A hostile provider in a process of its own: `python process.py MODE [ARGUMENT]`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from messages import ACK, ALIKE, CORRELATES, GOOD, VERDICTS, Mode, acknowledgement, result

OUT = sys.stdout.buffer


def say(line: bytes) -> None:
    OUT.write(line + b"\n")
    OUT.flush()


def hear() -> dict[str, Any]:
    """The next request; the end of the process at the end of them, or at a goodbye."""
    line = sys.stdin.buffer.readline()
    asked: dict[str, Any] = json.loads(line) if line else {"type": "shutdown"}
    if asked["type"] == "shutdown":
        sys.exit(0)
    return asked


def wait() -> None:
    while True:
        time.sleep(3600)


def answers(mode: Mode, answer: Callable[[dict[str, Any]], None]) -> None:
    """Greets as the mode has it, and does this with every question."""
    while True:
        asked = hear()
        if asked["type"] == "handshake":
            say(mode.said(mode.ack))
        else:
            answer(asked)


def named(id: Any) -> bytes:
    return json.dumps({**json.loads(result(GOOD)), "id": id}).encode()


def drips(line: bytes, *, at: float) -> None:
    for byte in line * 999:
        OUT.write(bytes([byte]))
        OUT.flush()
        time.sleep(at)


def floods_errors(_: dict[str, Any]) -> None:
    for _ in range(64):
        sys.stderr.write("x" * 65535 + "\n")
    say(result(GOOD))


def changes(asked: dict[str, Any]) -> None:
    """Dies at the first question, and is another afterwards."""
    os._exit(3)


def goes(_: dict[str, Any]) -> None:
    os._exit(0)


def breaks_off(_: dict[str, Any]) -> None:
    OUT.write(result(GOOD)[:30])
    OUT.flush()
    os._exit(3)


def ends_without_a_line_end(_: dict[str, Any]) -> None:
    OUT.write(result(GOOD))
    OUT.flush()
    os._exit(0)


def closes_its_output(_: dict[str, Any]) -> None:
    os.close(1)
    wait()


def never_ends_a_line(_: dict[str, Any]) -> None:
    while True:
        OUT.write(b"x" * 65536)


def leaves_a_child(_: dict[str, Any]) -> None:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    os._exit(3)


def says_nothing_but_blanks(_: dict[str, Any]) -> None:
    for _ in range(999):
        say(b" \r")
    os._exit(0)


STREAMS: dict[str, Callable[[dict[str, Any]], None]] = {
    "dies": goes,
    "dies mid-line": breaks_off,
    "ends without a line end": ends_without_a_line_end,
    "closes its output and stays": closes_its_output,
    "never ends a line": never_ends_a_line,
    "leaves a child with its output": leaves_a_child,
    "says nothing but blank lines": says_nothing_but_blanks,
    "hangs": lambda _: wait(),
    "drips bytes": lambda _: drips(result(GOOD).replace(b"}", b" }"), at=0.02),
    "floods its standard error": floods_errors,
    "blank lines and then an answer": lambda _: say(b"\n \n\r\n\t\n" + result(GOOD)),
}
"""What only a process can do with a question."""

CORRELATED: dict[str, Callable[[dict[str, Any]], None]] = {
    "an id of no question": lambda _: say(named("q999")),
    "an answer without an id": lambda _: say(result(GOOD)),
    "an id that is null": lambda _: say(named(None)),
    "an id that is a number": lambda _: say(named(1)),
    "an id with a blank": lambda asked: say(named(asked["id"] + " ")),
    "an id in capitals": lambda asked: say(named(asked["id"].upper())),
    "an id of no end": lambda _: say(named("q" * 1024 * 1024)),
}
"""What a provider that declares correlation does with it."""


def main(mode: str) -> None:
    if mode in ALIKE:
        known = ALIKE[mode]
        answers(known, lambda _: say(known.said(known.answer)))
    elif mode in STREAMS:
        answers(Mode(ack=ACK), STREAMS[mode])
    elif mode in CORRELATED:
        answers(Mode(ack=CORRELATES), CORRELATED[mode])
    elif mode == "verdict":
        answer, _ = VERDICTS[sys.argv[2]]
        answers(Mode(), lambda asked: say(Mode().said(answer if asked["type"] == "verify" else result(GOOD))))
    elif mode == "ends at once":
        return
    elif mode == "ends when greeted":
        hear()
    elif mode == "talks before it is greeted":
        say(b"INFO ready")
        answers(Mode(), lambda _: say(result(GOOD)))
    elif mode == "hears nothing after the greeting":
        hear()
        say(ACK)
        wait()
    elif mode == "closes its input":
        hear()
        say(ACK)
        os.close(0)
        wait()
    elif mode == "ignores signals and goodbyes":
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        hear()
        say(ACK)
        hear()
        say(result(GOOD))
        wait()
    elif mode == "becomes another":
        # What it was is kept in a file, as a new process cannot know.
        started = os.path.exists(sys.argv[2])
        with open(sys.argv[2], "w"):
            pass
        flow = {"egress": True}
        name = "another" if started else "hostile"
        answers(
            Mode(ack=acknowledgement(provider={"name": name}, flow=flow)),
            (lambda _: say(result(GOOD))) if started else goes,
        )
    else:
        raise SystemExit(f"no mode {mode}")


if __name__ == "__main__":
    main(sys.argv[1])
