"""Files that frames come from: compared where they may be, and nothing else on the machine is opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_provider.host import SourceStatus, check_sources
from memory_provider.host.line_ranges import is_range, lines_of
from memory_provider.host.source_files import LONGEST_FILE
from memory_provider.protocol import ProvenanceLink

from .offering import digest, offer

TEXT = "one\rstill one\ntwo\nthree"


def status(root: Path, uri: str, text: str = TEXT, range: str | None = None) -> tuple[SourceStatus, str]:
    link = ProvenanceLink(type="file", uri=uri, range=range, digest=digest(text))
    frame = offer("p", "a", provenance=(ProvenanceLink(type="episode", uri="mem:1"), link)).frame
    [check] = check_sources(frame, under=root)
    assert check.link == link
    return check.status, check.detail


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "in it").mkdir()
    file = tmp_path / "in it" / "notes.txt"
    file.write_text(TEXT, newline="")
    return file


@pytest.mark.parametrize(
    ("range", "lines"),
    [
        (None, TEXT),
        ("L1", "one\rstill one\n"),
        ("L1-1", "one\rstill one\n"),
        ("L2-3", "two\nthree"),
        ("L2-L3", "two\nthree"),
        ("L3-99999999999999999999999", "three"),
    ],
)
def test_the_bytes_of_a_range_are_compared(notes: Path, range: str | None, lines: str) -> None:
    root = notes.parent
    assert status(root, notes.as_uri(), lines, range) == (SourceStatus.SAME, "")
    assert status(root, notes.as_uri().replace("file://", "file://localhost"), lines, range)[0] == "same"
    found = status(root, notes.as_uri(), lines + "!", range)
    assert found == (SourceStatus.OTHER, f"the digest of these bytes is {digest(lines)}")


@pytest.mark.parametrize("range", ["L4", "L0", "L01", "1", "L3-2", "L1-", "", "L" + "9" * 5000, "L٢"])
def test_a_range_of_no_lines_cannot_be_compared(notes: Path, range: str) -> None:
    assert status(notes.parent, notes.as_uri(), TEXT, range) == (
        SourceStatus.UNCHECKABLE,
        "range: the file has no such lines",
    )


def test_a_range_keeps_to_the_grammar_however_long_its_numbers_are() -> None:
    long = "9" * 5000
    assert is_range(f"L{long}") and is_range(f"L1-{long}") and is_range(f"L{long}-{long}")
    assert not is_range(f"L{long}-{long[1:]}") and not is_range(f"L1{long}-1{long[1:]}8")
    assert lines_of(b"a\nb\n", "L2") == b"b\n" and lines_of(b"a\nb\n", "L3") is None
    assert lines_of(b"", "L1") is None


def test_nothing_outside_of_the_directory_is_opened(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, secret = notes.parent, notes.parent.parent / "secret.txt"
    secret.write_text(TEXT, newline="")
    (root / "link.txt").symlink_to(secret)
    (root / "link").symlink_to(secret.parent)
    opened: list[object] = []
    monkeypatch.setattr(os, "open", lambda path, *rest: opened.append(path) or 1 / 0)
    for uri in (
        secret.as_uri(),
        (root / "link.txt").as_uri(),
        (root / "link" / "secret.txt").as_uri(),
        f"{root.as_uri()}/../secret.txt",
        f"{root.as_uri()}/%2e%2e/secret.txt",
        "file:///etc/passwd",
    ):
        found, detail = status(root, uri)
        assert found is SourceStatus.UNCHECKABLE and "is not in" in detail, uri
    assert opened == []


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "notes.txt",
        "https://example.org/notes.txt",
        "file://elsewhere/notes.txt",
        "file:///%ff",
        "file://[",
    ],
)
def test_what_names_no_file_here_cannot_be_compared(notes: Path, uri: str) -> None:
    assert status(notes.parent, uri)[0] is SourceStatus.UNCHECKABLE


def test_what_is_no_file_of_a_length_that_is_read_cannot_be_compared(notes: Path) -> None:
    root = notes.parent
    os.mkfifo(root / "pipe")
    (root / "long").touch()
    os.truncate(root / "long", LONGEST_FILE + 1)
    for name in ("pipe", "long", "missing", "nul%00", "x" * 300, "."):
        assert status(root, f"{root.as_uri()}/{name}")[0] is SourceStatus.UNCHECKABLE, name


def test_a_link_without_a_digest_cannot_be_compared(notes: Path) -> None:
    link = ProvenanceLink(type="file", uri=notes.as_uri())
    [check] = check_sources(offer("p", "a", provenance=(link,)).frame, under=notes.parent)
    assert check.status is SourceStatus.UNCHECKABLE and "digest" in check.detail
