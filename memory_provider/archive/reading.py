"""Reading an archive, line by line, each checked against the line before it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from hashlib import sha256
from typing import Any, BinaryIO

from .chain import START, unchained
from .checking import faults
from .errors import ArchiveDamaged, ArchiveTooNew, NoArchive
from .files import UNREADABLE
from .header import FORMAT, VERSION, Footer, Header, read_footer, read_header, version_of
from .members import Unreadable
from .rows import FORMATS, MEMBERS, Numbered, read

LONGEST_LINE = 64 * 1024 * 1024
"""In bytes; an episode of the longest text, with every character escaped, takes less than half of it."""


class ArchiveReader:
    """One pass over an archive. Raises `ArchiveDamaged` naming the line, or `ArchiveTooNew`.

    Passes over one file may take turns: each goes on where it was.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._place = 0
        self._line = 0
        self._chain = START
        self._bytes = sha256()
        self._rows: Counter[str] = Counter()
        self.header = self._header()
        self.footer: Footer | None = None
        """What the last line says, once every row was read."""

    def rows(self, kinds: Collection[str] = tuple(MEMBERS), check: bool = True) -> Iterator[Numbered]:
        """The rows of some kinds; with `check` each is checked on its own too (its digests, windows and clocks)."""
        while True:
            kind, body = self._next()
            if kind == "manifest":
                self._end(body)
                return
            self._rows[kind] += 1
            if kind not in kinds:
                continue
            try:
                row = read(kind, self._json(body).get(kind), self.header.version)
            except Unreadable as problem:
                raise self._damaged(f"its {kind} {problem}") from None
            wrong = next(faults(row, self.header.clock), None) if check else None
            if wrong is not None:
                raise self._damaged(wrong)
            yield Numbered(self._line, kind, row)

    def _header(self) -> Header:
        line = self._read()
        found = unchained(self._chain, line)
        given = self._json(line).get("archive") if line.startswith(b'{"archive":') else None
        version = version_of(given)
        if version is None:
            raise NoArchive(f"this is no {FORMAT}: its first line does not say so")
        if version > VERSION:
            raise ArchiveTooNew(
                f"the archive has format version {version}, and this release reads up to {VERSION}: "
                "install a newer release"
            )
        if found is None:
            raise self._damaged("it was changed")
        self._chain = found[0]
        self._bytes.update(line)
        try:
            return read_header(given)
        except Unreadable as problem:
            raise self._damaged(f"its header {problem}") from None

    def _next(self) -> tuple[str, bytes]:
        """The next line's kind and its JSON."""
        line = self._read()
        if not line:
            raise self._damaged(
                "the archive ends here, without its manifest: it was cut short", at=self._line
            )
        found = unchained(self._chain, line)
        if found is None:
            what = "the archive was cut short in it" if not line.endswith(b"\n") else "it was changed"
            raise self._damaged(f"{what}, or lines before it are missing or in another order")
        kind = line[2 : line.find(b'"', 2)].decode(errors="replace")
        if kind != "manifest":
            if kind not in FORMATS[self.header.version]:
                raise self._damaged(
                    f"it holds {kind!r:.80}, which format version {self.header.version} does not have"
                )
            self._bytes.update(line)
        self._chain = found[0]
        return kind, found[1]

    def _end(self, body: bytes) -> None:
        try:
            footer = read_footer(self._json(body).get("manifest"))
        except Unreadable as problem:
            raise self._damaged(f"its manifest {problem}") from None
        if footer.sha256 != self._bytes.hexdigest():
            raise self._damaged("the checksum of the lines before it is another")
        if dict(footer.rows) != dict(self._rows):
            raise self._damaged("the manifest counts other rows than the archive has")
        if self._read():
            raise self._damaged("something follows the manifest")
        self.footer = footer

    def _read(self) -> bytes:
        try:
            if self._file.tell() != self._place:
                self._file.seek(self._place)
            line = self._file.readline(LONGEST_LINE + 1)
        except UNREADABLE as problem:
            raise self._damaged(f"it could not be read: {problem}", at=self._line + 1) from problem
        self._place += len(line)
        if line:
            self._line += 1
        if len(line) > LONGEST_LINE:
            raise self._damaged(f"it is longer than {LONGEST_LINE} bytes")
        return line

    def _json(self, body: bytes) -> dict[str, Any]:
        try:
            found = json.loads(body, parse_constant=_refuse, object_pairs_hook=_without_duplicates)
        except (ValueError, RecursionError) as problem:
            raise self._damaged(f"it is not JSON: {problem}") from None
        if not isinstance(found, dict):
            raise self._damaged("it is no JSON object")
        return found

    def _damaged(self, what: str, at: int | None = None) -> ArchiveDamaged:
        return ArchiveDamaged(f"line {self._line if at is None else at} of the archive: {what}")


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a member stands twice in one object")
    return found
