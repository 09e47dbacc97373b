"""A terminal on each store that keeps what one command wrote for the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from .terminal import Terminal


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine is set to must not matter."""
    ours = ("STORE", "SCOPE", "TZ", "DEBUG", "TOKENS", "AUDIT", "CONSENTS")
    for name in (*(f"MEMORY_{each}" for each in ours), "COLUMNS", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Terminal:
    """On an SQLite file."""
    return Terminal(monkeypatch, f"sqlite:///{tmp_path / 'memory.db'}", "test")


@pytest.fixture
def any_terminal(monkeypatch: pytest.MonkeyPatch, store_address: str, scope: str) -> Terminal:
    """On every store in turn."""
    if store_address == "memory:":
        pytest.skip("every command opens the store anew, and one in memory is empty then")
    return Terminal(monkeypatch, store_address, scope)
