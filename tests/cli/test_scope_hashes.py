"""`scopes --json` says under which name telemetry has a scope."""

from __future__ import annotations

from memory_provider.store.observed import scope_hash
from memory_provider.sync import Memory

from .terminal import Terminal


def test_each_scope_has_the_hash_that_telemetry_tells(terminal: Terminal) -> None:
    terminal.done("assert", "Alice", "likes", "tea")
    [listed] = terminal.json("scopes")["scopes"]
    with Memory.open(terminal.store, scope=terminal.scope) as memory:
        secret = memory._run(memory.store.secret)
    assert listed["telemetry_hash"] == scope_hash(secret, terminal.scope)
    assert "telemetry" not in terminal.done("scopes").out
