"""Random ids: they say what they name, and nothing of its content."""

from __future__ import annotations

from base64 import b32encode
from os import urandom


def mint(prefix: str) -> str:
    """A new id, 120 random bits: `fact_…`, `ep_…`, `ent_…`, `prd_…`, `clm_…`, `src_…`."""
    return f"{prefix}_{b32encode(urandom(15)).decode().lower()}"
