"""Clients that append records over HTTP, as many at one time as they like, and remember what they were promised."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPException

from tests.provider.records import append, get, record

from .server import Server, send


class Writers:
    """What they were told so far."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._numbers = itertools.count()
        self._stop = threading.Event()
        self.accepted: set[str] = set()
        self.unsure: set[str] = set()
        """What no answer came to, or `unavailable`: it may be there, and may be sent again under its key."""

    @contextmanager
    def writing(self, clients: int) -> Iterator[None]:
        """Meanwhile they append, one record after the other."""
        with ThreadPoolExecutor(clients) as pool:
            running = [pool.submit(self._write) for _ in range(clients)]
            try:
                yield
            finally:
                self._stop.set()
            for each in running:
                each.result()
        self._stop.clear()

    def repeat(self) -> None:
        """Send again what they are not sure of."""
        for record_id in sorted(self.unsure):
            assert self._append(record_id) in ("accepted", "duplicate")
            self.accepted.add(record_id)
        self.unsure.clear()

    def missing(self, server: Server) -> set[str]:
        """Ids of what was promised and is not there."""
        ids = sorted(self.accepted)
        found = set()
        for at in range(0, len(ids), 50):
            answer = json.loads(server.post(get(*ids[at : at + 50])).body)
            found |= {
                each["record_id"] for each in answer["response"]["records"] if each["status"] == "found"
            }
        return self.accepted - found

    def _write(self) -> None:
        while not self._stop.is_set():
            record_id = f"record {next(self._numbers)}"
            outcome = None
            with suppress(OSError, HTTPException):
                outcome = self._append(record_id)
            (self.accepted if outcome == "accepted" else self.unsure).add(record_id)
            if outcome is None:  # nobody answers any more
                self._stop.wait(0.05)

    def _append(self, record_id: str) -> str:
        message = append(record(record_id), idempotency_key=record_id)
        with self._server.connection() as line:
            answer = json.loads(send(line, "POST", "/", message).body)
        if answer["type"] == "error":
            assert answer["code"] == "unavailable", answer
            return "unavailable"
        [receipt] = answer["response"]["receipts"]
        assert receipt["status"] in ("accepted", "duplicate"), receipt
        return str(receipt["status"])
