"""Connections that are let go of when their peer neither sends nor takes what is due."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


def connection_class(slow: float) -> type[H11Protocol]:
    """A protocol for uvicorn whose peers have `slow` seconds to send a request's head, and to take an answer."""

    class PatientConnection(Connection):
        patience = slow

    return PatientConnection


class Connection(H11Protocol):
    """uvicorn's, with two more timers. Its own is for connections on which nothing is asked."""

    patience: float
    _head: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None
    _ended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The first request is due."""
        super().connection_made(transport)
        self._head = self.loop.call_later(self.patience, transport.abort)

    def data_received(self, data: bytes) -> None:
        """Part of a request: of one that is being answered, or of the next one's head."""
        super().data_received(data)
        if self._is_answering():
            self._stop_head()
        elif self._head is None:
            self._head = self.loop.call_later(self.patience, self.transport.abort)

    def eof_received(self) -> bool:  # type: ignore[override]
        """The peer sends no more. Whoever has sent a whole request may still be there to take its answer."""
        super().eof_received()
        whole = self._is_answering() and not self.cycle.more_body
        self._ended = (
            whole and self.transport.get_extra_info("ssl_object") is None
        )  # TLS ends both ways at once
        return self._ended

    def pause_writing(self) -> None:
        """The peer does not take the answer as fast as it is written."""
        super().pause_writing()
        self._await_taking()

    def resume_writing(self) -> None:
        """It has taken most of it."""
        super().resume_writing()
        self._stop_taking()
        self._await_taking()

    def on_response_complete(self) -> None:
        """All of the answer has been written, which is not to say taken."""
        super().on_response_complete()
        self._await_taking()
        if self._ended and not self._has_a_whole_request():
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """What came is no HTTP: of a next request, or of the body of one that is in hand or was answered already."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()
        if self._is_answering():  # nobody is there to take that answer
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        super().connection_lost(exc)
        self._stop_head()
        self._stop_taking()

    def _await_taking(self) -> None:
        if self._taking is None and self.transport.get_write_buffer_size():
            self._taking = self.loop.call_later(self.patience, self._taken)

    def _taken(self) -> None:
        self._taking = None
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _has_a_whole_request(self) -> bool:
        return self._is_answering() and not self.cycle.more_body

    def _stop_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _stop_taking(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None
