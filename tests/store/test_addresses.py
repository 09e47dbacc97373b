"""Store URLs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.loopback import is_loopback
from memory_provider.store.addresses import (
    MemoryAddress,
    Neo4jAddress,
    SqliteAddress,
    default_file,
    parse_address,
)
from memory_provider.store.errors import InvalidAddress
from memory_provider.store.opening import store_at


@pytest.mark.parametrize(
    "url", ["memory:", "memory://", "sqlite://", "sqlite:///:memory:", " memory: ", "MEMORY:"]
)
def test_memory(url: str) -> None:
    address = parse_address(url)
    assert address == MemoryAddress()
    assert (address.redacted, address.local) == ("memory:", True)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:///memory.db", "memory.db"),
        ("sqlite:///some/where.db", "some/where.db"),
        ("sqlite:////var/lib/memory.db", "/var/lib/memory.db"),
        ("SQLite:////a b/é%20.db", "/a b/é%20.db"),
        ("sqlite:///C:/data/memory.db", "C:/data/memory.db"),
    ],
)
def test_files(url: str, path: str) -> None:
    address = parse_address(url)
    assert address == SqliteAddress(Path(path))
    assert parse_address(address.redacted) == address
    assert address.local


def test_the_default_is_a_file_of_the_user() -> None:
    home = {"HOME": "/home/ann", "XDG_DATA_HOME": "/data/ann", "APPDATA": "/roaming/ann"}
    assert default_file(home, "linux") == Path("/data/ann/memory-provider/memory.db")
    assert default_file(home | {"XDG_DATA_HOME": "relative"}, "linux") == Path(
        "/home/ann/.local/share/memory-provider/memory.db"
    )
    assert default_file({"HOME": "/home/ann"}, "linux") == Path(
        "/home/ann/.local/share/memory-provider/memory.db"
    )
    assert default_file(home, "darwin") == Path(
        "/home/ann/Library/Application Support/memory-provider/memory.db"
    )
    assert default_file(home, "win32") == Path("/roaming/ann/memory-provider/memory.db")


@pytest.mark.parametrize("url", [None, "", "  "])
def test_no_address_is_the_default_file(url: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data/ann")
    address = parse_address(url)
    assert isinstance(address, SqliteAddress)
    assert address.private
    if sys.platform.startswith("linux"):
        assert address.path == Path("/data/ann/memory-provider/memory.db")


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("bolt://localhost", Neo4jAddress("bolt://localhost", "localhost")),
        ("bolt://localhost:7687/", Neo4jAddress("bolt://localhost:7687", "localhost")),
        ("neo4j+s://db.example.com", Neo4jAddress("neo4j+s://db.example.com", "db.example.com")),
        ("bolt+ssc://[::1]:7687", Neo4jAddress("bolt+ssc://[::1]:7687", "::1")),
        (
            "neo4j://ann:p%40ss%2Fword@host:1?database=memory",
            Neo4jAddress("neo4j://host:1", "host", "ann", "p@ss/word", "memory"),
        ),
        ("bolt://ann@host", Neo4jAddress("bolt://host", "host", "ann")),
        ("bolt://ann:@host", Neo4jAddress("bolt://host", "host", "ann", "")),
    ],
)
def test_servers(url: str, address: Neo4jAddress) -> None:
    assert parse_address(url) == address
    assert "p@ss" not in repr(address) + str(address) + address.redacted


@pytest.mark.parametrize(
    "url",
    [
        "memory.db",
        "/var/lib/memory.db",
        "memory:name",
        "sqlite:memory.db",
        "sqlite:/memory.db",
        "sqlite://memory.db",
        "sqlite:///",
        "sqlite:////",
        "sqlite:///.",
        "sqlite:///some/where/",
        "sqlite:///memory.db?mode=ro",
        "sqlite:///memory.db?password=secret",
        "sqlite:///nul\0.db",
        "postgres://ann:secret@host/db",
        "http://host",
        "bolt:host",
        "bolt:ann:secret@host",
        "bolt://",
        "bolt://ann:secret@",
        "bolt://ann:secret@host/db",
        "bolt://ann:sec/ret@host",
        "bolt://ann:secret#@host",
        "bolt://ann:secret@x@host",
        "bolt://ann:secret@host:port",
        "bolt://ann:secret@host:99999",
        "bolt://ann:secret@[::1",
        "bolt://ann:secret@host?user=secret",
        "neo4j://ann:secret@host?database=",
        "neo4j+x://ann:secret@host",
    ],
)
def test_what_names_no_store_is_refused(url: str) -> None:
    with pytest.raises(InvalidAddress) as refused:
        parse_address(url)
    assert "secret" not in str(refused.value)
    assert "sec/ret" not in str(refused.value)
    assert str(refused.value)


@given(
    scheme=st.sampled_from(["bolt", "neo4j+s", "neo4j", "postgres", "bolt+x", "sqlite", ""]),
    between=st.sampled_from(["://", ":", ":/", ":///"]),
    password=st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    rest=st.text(max_size=12),
)
def test_no_password_is_ever_shown(scheme: str, between: str, password: str, rest: str) -> None:
    marked = f"Xq7{password}Zk9"
    try:
        address = parse_address(f"{scheme}{between}ann:{marked}@{rest}")
    except InvalidAddress as refused:
        shown = str(refused)
    else:
        if isinstance(address, SqliteAddress):
            return  # that is what the file is called
        shown = address.redacted + repr(address)
    assert "Xq7" not in shown
    assert "Zk9" not in shown


@pytest.mark.parametrize(
    "host", ["localhost", "LocalHost", "127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"]
)
def test_loopback_hosts_are_local(host: str) -> None:
    assert is_loopback(host)
    shown = f"[{host}]" if ":" in host else host
    assert parse_address(f"bolt://{shown}:7687").local


@pytest.mark.parametrize(
    "host",
    ["localhost.example.com", "example.com", "10.0.0.1", "0.0.0.0", "128.0.0.1", "::", "127.1", "2130706433"],
)
def test_other_hosts_are_not(host: str) -> None:
    assert not is_loopback(host)


def test_stores_carry_their_address(tmp_path: Path) -> None:
    for url, shown in (
        ("memory:", "memory:"),
        (f"sqlite:///{tmp_path}/memory.db", f"sqlite:///{tmp_path}/memory.db"),
        ("bolt://ann:secret@localhost:1?database=x", "bolt://localhost:1?database=x"),
    ):
        store = store_at(url)
        assert (store.address, store.local) == (shown, True)
    assert not store_at("neo4j+s://ann:secret@db.example.com").local
    assert not list(tmp_path.iterdir()), "an unopened store makes no file"
