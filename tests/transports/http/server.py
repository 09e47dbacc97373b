"""A provider that serves HTTP in a process of its own, and what a host does with it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.provider.wire import assert_valid

PATIENCE = 180.0
"""Seconds a test waits before it fails; nothing is expected to take long."""

SERVE = """
from memory_provider.cli import main
main()
"""


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def envelope(self) -> dict[str, Any]:
        """The message in the body, checked as the binding has it: JSON, with status 200."""
        assert self.status == 200, self
        assert self.headers["content-type"] == "application/json"
        return assert_valid(json.loads(self.body))


class Server:
    """`memory-provider serve http` on any free port."""

    def __init__(self, store: str, scope: str, *options: str, program: str = SERVE) -> None:
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        port = () if "--port" in options else ("--port", "0")
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-c", program, "--store", store, "--scope", scope, "serve", "http"),
                *(*port, *options),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        self._errors: list[str] = []
        self._serving = threading.Event()
        self.url = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._serving.wait(PATIENCE)

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        parts = urlsplit(self.url)
        assert parts.hostname
        assert parts.port
        return parts.hostname, parts.port

    def post(self, body: bytes | dict[str, Any], **headers: str) -> Answer:
        """One request on a connection of its own."""
        with self.connection() as line:
            return send(line, "POST", "/", body, headers)

    def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """What one who runs the server asks."""
        with self.connection() as line:
            return send(line, method, path, b"", headers)

    def ask(self, message: bytes | dict[str, Any]) -> dict[str, Any]:
        """The envelope that answers one."""
        return self.post(message).envelope

    def query(self, goal: str, id: str | None = None, **members: Any) -> dict[str, Any]:
        return self.ask(query(goal, id, **members))

    @contextlib.contextmanager
    def connection(self, context: ssl.SSLContext | None = None) -> Iterator[http.client.HTTPConnection]:
        """A connection that is kept open."""
        host, port = self.address
        with contextlib.closing(
            http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=context)
            if context
            else http.client.HTTPConnection(host, port, timeout=PATIENCE)
        ) as line:
            yield line

    @contextlib.contextmanager
    def socket(self) -> Iterator[socket.socket]:
        """A bare connection, for what no client does."""
        with socket.create_connection(self.address, timeout=PATIENCE) as line:
            yield line

    def signal(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def end(self) -> int:
        """The exit code."""
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def errors(self) -> str:
        """What was written to stderr so far, but for the line with the address."""
        return "".join(self._errors)

    def __enter__(self) -> Server:
        assert self.url, self.errors()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            text = line.decode()
            if found := re.fullmatch(r"serving the scope .+ at (https?://\S+/)\n", text):
                self.url = found[1]
                self._serving.set()
            else:
                self._errors.append(text)
        self._serving.set()


def send(
    line: http.client.HTTPConnection,
    method: str,
    path: str,
    body: bytes | dict[str, Any],
    headers: dict[str, str] | None = None,
) -> Answer:
    """One request and its answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    line.request(method, path, data, {"content-type": "application/json", **(headers or {})})
    response = line.getresponse()
    found = response.read()
    return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, found)


def query(goal: str, id: str | None = None, **members: Any) -> dict[str, Any]:
    asked = {"goal": goal, "max_frames": 8, "max_tokens": 4096, **members}
    return {"type": "query", "query": asked} | ({"id": id} if id is not None else {})
