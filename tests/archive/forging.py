"""Archives as somebody might have changed them, with every chain and checksum made right again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from memory_provider.archive.chain import START, chained

Row = dict[str, Any]


def parsed(archive: bytes) -> list[Row]:
    """The lines of an archive without their chains."""
    lines = [json.loads(line) for line in archive.split(b"\n")[:-1]]
    return [{kind: row for kind, row in line.items() if kind != "chain"} for line in lines]


def forged(archive: bytes, change: Callable[[list[Row]], None], *, count: bool = True) -> bytes:
    """An archive after a change to its lines, chained anew, with its manifest counted anew."""
    lines = parsed(archive)
    change(lines)
    if count and "manifest" in lines[-1]:
        counts = Counter(next(iter(line)) for line in lines[1:-1])
        lines[-1]["manifest"]["rows"] = dict(counts)
    return rewritten([json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() for line in lines])


def rewritten(lines: list[bytes]) -> bytes:
    """Lines chained anew; the checksum of a manifest is made right."""
    chain, written = START, b""
    for line in lines:
        if line.startswith(b'{"manifest"'):
            manifest = json.loads(line)
            manifest["manifest"]["sha256"] = sha256(written).hexdigest()
            line = json.dumps(manifest, separators=(",", ":")).encode()
        chain, whole = chained(chain, line[:-1])
        written += whole
    return written


def first(lines: list[Row], kind: str) -> Row:
    """The first row of a kind."""
    row: Row = next(line[kind] for line in lines if kind in line)
    return row
