"""What an address says, and the ways in which a provider is added to a host."""

from __future__ import annotations

import ssl
import sys
from pathlib import Path

import pytest

from memory_provider.errors import InvalidInput
from memory_provider.host import Host, InProcessChannel
from memory_provider.host.connections import HttpAddress, HttpChannel, StdioAddress, channel_to, parse_address
from memory_provider.host.errors import PlaintextRefused
from memory_provider.protocol import HandshakeAck

from .test_hosting import Good

ADVERSARY = Path(__file__).with_name("adversary.py")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("stdio: provider serve --scope 'a b'", ("provider", "serve", "--scope", "a b")),
        ("stdio:provider", ("provider",)),
        ("  STDIO:  ./provider  ", ("./provider",)),
        (r'stdio: p "two words" one\ word', ("p", "two words", "one word")),
        ("stdio: p $HOME | cat; true", ("p", "$HOME", "|", "cat;", "true")),
        ("stdio: p ''", ("p", "")),
    ],
)
def test_a_command(text: str, command: tuple[str, ...]) -> None:
    assert parse_address("p", text) == StdioAddress(command)


@pytest.mark.parametrize(
    "url",
    ["https://docs.example/context", "HTTPS://docs.example", "http://127.0.0.1:8080/", "http://[::1]:1"],
)
def test_a_url(url: str) -> None:
    assert parse_address("p", f" {url} ") == HttpAddress(url)
    assert isinstance(channel_to("p", url, token="secret"), HttpChannel)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kettle",
        "/usr/bin/provider",
        "stdio:",
        "stdio: ''",
        "stdio: 'open",
        "stdio: a\0b",
        "ftp://ann:hunter2@docs.example",
        "https://",
        "https://ann:hunter2@docs.example",
        "https://docs.example/a b",
        "https://docs.example/\x1b[2J",
        "http://[::1",
        "http://localhost:99999",
    ],
)
def test_what_is_no_address_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        channel_to("kitchen", text)
    assert "kitchen" in str(refused.value)
    assert "hunter2" not in str(refused.value)
    assert "\x1b" not in str(refused.value)


def test_plain_http_to_another_machine_is_no_way() -> None:
    with pytest.raises(PlaintextRefused, match="C7"):
        parse_address("p", "http://docs.example")


def test_only_http_has_credentials() -> None:
    host = Host()
    for options in ({"token": "t"}, {"tls": ssl.create_default_context()}):
        for provider in ("stdio: provider", Good(), InProcessChannel("p", Good())):
            with pytest.raises(InvalidInput, match="over HTTP"):
                host.add("p", provider, **options)  # type: ignore[arg-type]
    for provider in ("https://docs.example", Good()):
        with pytest.raises(InvalidInput, match="environment"):
            host.add("p", provider, environment={"A": "b"})
    assert host.provider_ids == ()


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_a_provider_is_added_by_address_as_an_object_or_as_a_channel(anyio_backend: str) -> None:
    async with Host() as host:
        host.add("process", f"stdio: '{sys.executable}' '{ADVERSARY}' honest")
        host.add("object", Good("object"))
        host.add("channel", InProcessChannel("channel", Good("channel")))
        for taken in ("object", " "):
            with pytest.raises(InvalidInput, match="no other provider has"):
                host.add(taken, Good())
        greeted = await host.greet()
    names = {id: ack.provider.name for id, ack in greeted.items() if isinstance(ack, HandshakeAck)}
    assert names == {"process": "adversary", "object": "object", "channel": "channel"}
