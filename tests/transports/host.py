"""A host's side of stdio: a provider in a process of its own, and lines to and from it."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from types import TracebackType
from typing import Any

from tests.provider.wire import assert_valid

PATIENCE = 180.0
"""Seconds a test waits for a line before it fails; nothing is expected to take long."""

SERVE = """
import sys
from memory_provider.transports.stdio import run_stdio
sys.exit(run_stdio(sys.argv[1], sys.argv[2], backend=sys.argv[3]))
"""


class Host:
    """Starts a provider on a store and talks to it. Every line it answers is checked."""

    def __init__(
        self, store: str, scope: str, *, backend: str = "asyncio", program: str = SERVE, read: bool = True
    ) -> None:
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, store, scope, backend],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._errors: list[bytes] = []
        self._readers = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        if read:
            for reader in self._readers:
                reader.start()

    def send(self, message: Any) -> None:
        """Send an object as a line, or bytes as they are."""
        assert self.process.stdin
        self.process.stdin.write(
            message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        )
        self.process.stdin.flush()

    def line(self, patience: float = PATIENCE) -> bytes:
        """The next line of stdout, empty at its end."""
        return self._lines.get(timeout=patience)

    def receive(self) -> dict[str, Any]:
        """The next message, checked."""
        line = self.line()
        assert line.endswith(b"\n"), f"stdout ended: {line!r}, stderr: {self.errors()}"
        return assert_valid(json.loads(line))

    def ask(self, message: Any) -> dict[str, Any]:
        """Send a message and take the next one as its answer."""
        self.send(message)
        return self.receive()

    def query(self, goal: str, id: str | None = None, **members: Any) -> dict[str, Any]:
        query = {"goal": goal, "max_frames": 8, "max_tokens": 4096, **members}
        return self.ask({"type": "query", "query": query} | ({"id": id} if id is not None else {}))

    def close_input(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def end(self) -> tuple[int, float, list[bytes]]:
        """The exit code, how many seconds it took to come, and the lines that were left."""
        began = time.monotonic()
        code = self.process.wait(PATIENCE)
        took = time.monotonic() - began
        for reader in self._readers:
            reader.join(PATIENCE)
        lines = []
        while line := self._lines.get_nowait():
            lines.append(line)
        return code, took, lines

    def errors(self) -> str:
        """What was written to stderr so far."""
        return b"".join(self._errors).decode()

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _read_errors(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self._errors.append(line)
