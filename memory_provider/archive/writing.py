"""Writing an archive, line by line."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import Any, BinaryIO

from ..store.contract import Dump
from .chain import START, chained
from .checking import faults
from .errors import ArchiveError
from .header import Footer, Header
from .members import Unreadable
from .reports import Manifest
from .rows import rows_of, write


class ArchiveWriter:
    """Writes a header, then rows as they come, then the manifest. Raises `ArchiveError` for a row that is damaged."""

    def __init__(self, file: BinaryIO, header: Header) -> None:
        self._file = file
        self._header = header
        self._chain = START
        self._bytes = sha256()
        self._rows: Counter[str] = Counter()
        self._line("archive", header.written())

    def add(self, batch: Dump) -> None:
        """Append the rows of a batch."""
        for kind, row in rows_of(batch):
            found = next(faults(row, self._header.clock), None)
            if found is None:
                try:
                    self._line(kind, write(kind, row))
                except Unreadable as problem:
                    found = f"a row of kind {kind}: {problem}"
            if found is not None:
                raise ArchiveError(
                    f"the scope {self._header.scope!r} cannot be exported, for an import would refuse it: {found}; "
                    "`doctor` lists all that is wrong"
                )
            self._rows[kind] += 1

    def finish(self) -> Manifest:
        """Append the manifest."""
        footer = Footer(dict(self._rows), self._bytes.hexdigest())
        self._line("manifest", footer.written())
        return footer.manifest(self._header)

    @property
    def rows(self) -> int:
        """How many rows were written so far."""
        return self._rows.total()

    def _line(self, kind: str, given: dict[str, Any]) -> None:
        text = json.dumps({kind: given}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        self._chain, line = chained(self._chain, text[:-1].encode())
        self._bytes.update(line)
        self._file.write(line)
