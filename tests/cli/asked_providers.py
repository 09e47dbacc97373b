"""Providers for the commands of `host`: in processes and over HTTP, and what each was sent."""

from __future__ import annotations

import json
import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from . import canned_provider

ROOT = Path(__file__).parents[2]
ADVERSARY = ROOT / "tests" / "host" / "adversary.py"
NOTES = shlex.join([sys.executable, str(ROOT / "examples" / "providers" / "notes.py")])


class Canned:
    """A provider in a process of its own that says what it is told to say."""

    def __init__(self, path: Path, **says: Any) -> None:
        self.path = path
        self.says = says
        self.say()

    def say(self, **more: Any) -> None:
        """Say something else from the next message on."""
        self.says |= more
        self.path.write_text(json.dumps(self.says))

    @property
    def address(self) -> str:
        return f"stdio: {shlex.join([sys.executable, canned_provider.__file__, str(self.path)])}"

    @property
    def sent(self) -> list[dict[str, Any]]:
        """What it was sent."""
        return [json.loads(line) for line in self.path.with_suffix(".sent").read_text().splitlines()]

    @property
    def types(self) -> list[str]:
        return [each["type"] for each in self.sent]


def adversary(mode: str) -> str:
    """The address of a provider that does one thing wrong."""
    return f"stdio: {shlex.join([sys.executable, str(ADVERSARY), mode])}"


class OverHttp:
    """A provider over HTTP, and what it was sent."""

    def __init__(self, url: str, sent: list[dict[str, Any]]) -> None:
        self.url = url
        self.sent = sent

    @property
    def types(self) -> list[str]:
        return [each["type"] for each in self.sent]


@contextmanager
def over_http(token: str | None = None, **says: Any) -> Iterator[OverHttp]:
    """Says what it is told to say, to whoever brings the token."""
    sent: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            allowed = token is None or self.headers["Authorization"] == f"Bearer {token}"
            if allowed:
                sent.append(asked)
            body = json.dumps(canned_provider.answer(asked, says)).encode() if allowed else b"no"
            self.send_response(200 if allowed else 401)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield OverHttp(f"http://127.0.0.1:{server.server_port}/", sent)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
