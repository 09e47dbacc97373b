"""Messages and answers as telemetry hears of them: types, kinds, counts and codes, nothing that a peer wrote."""

from __future__ import annotations

import time
from typing import Any

from ..protocol import INTERNAL, Envelope, Error, Frames
from ..protocol.envelopes import ENVELOPES
from ..telemetry import requests as telemetry
from ..telemetry.requests import Outcome, Request, Served, requests_are_told
from .questions import KINDS

OTHER = "other"
"""Stands for a type or a kind that is unknown here: peers make them up, and they may say anything."""

UNREADABLE = "unreadable"
"""The type of a message that is no envelope."""


def arrival() -> int | None:
    """When a message came, in nanoseconds since 1970; None where nobody wants to know."""
    return time.time_ns() if requests_are_told() else None


def request_of(envelope: Envelope, began: int) -> Request:
    """A message that could be read."""
    asked: Any = getattr(getattr(envelope, "query", None), "kinds", ())
    kinds = {kind if kind in KINDS else OTHER for kind in asked}
    return Request(envelope.type, tuple(sorted(kinds)), began)


def unread(type: str | None, began: int) -> Request:
    """A message that could not."""
    known = type if type in ENVELOPES else OTHER
    return Request(UNREADABLE if type is None else known, (), began)


def outcome_of(answer: Envelope | None) -> Outcome:
    """What a message was answered with."""
    if isinstance(answer, Error):
        return Outcome(answer.code or INTERNAL)
    if not isinstance(answer, Frames):
        return Outcome()
    served: dict[telemetry.Frames, Served] = {}
    for frame in answer.result.frames:
        of_it = telemetry.Frames(frame.kind, frame.representation or "full")
        frames, tokens = served.get(of_it, Served(0, 0))
        served[of_it] = Served(frames + 1, tokens + frame.token_cost)
    return Outcome("ok", served, answer.result.truncated)
