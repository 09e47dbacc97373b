"""Random ids: they say what they name, and nothing of its content."""

from __future__ import annotations

from os import urandom

_DIGITS = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = tuple(high + low for high in _DIGITS for low in _DIGITS)
_PLACES = tuple(range(110, -1, -10))


def mint(prefix: str) -> str:
    """A new id, 120 random bits in base 32: `fact_…`, `ep_…`, `ent_…`, `prd_…`, `clm_…`, `src_…`."""
    bits = int.from_bytes(urandom(15), "big")
    return f"{prefix}_{''.join([_PAIRS[bits >> place & 1023] for place in _PLACES])}"
