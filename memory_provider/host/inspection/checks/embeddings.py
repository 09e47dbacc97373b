"""Embeddings that do not fit the declared space."""

from __future__ import annotations

from ....protocol import BAD_REQUEST
from ..answers import text_of
from ..subject import Subject


async def wrong_lengths(subject: Subject) -> None:
    """Vectors that are too short, and of no length at all."""
    fingerprint = text_of(subject.capabilities.get("embeddings_fingerprint"))
    if fingerprint is None:
        return
    parts = fingerprint.split("/")
    dimension = int(parts[1]) if len(parts) > 1 and parts[1].isascii() and parts[1].isdigit() else None
    observations = subject.observations
    if dimension is None:
        observations.not_seen("E1p", "the declared space does not say how many dimensions it has")
        return
    for length in (2 if dimension == 1 else 1, 0):
        answer = await subject.frames(embedding=[0.25] * length)
        observations.holds(
            "E1p",
            answer.code == BAD_REQUEST,
            "a vector of another length is a bad_request",
            f"an embedding of length {length} in a space of dimension {dimension} gets {answer}",
            answer.exchange,
        )
