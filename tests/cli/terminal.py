"""The command line as a person has it in front of them: arguments in; an exit code, output and messages out."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from memory_provider.cli.app import run


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Terminal:
    """Runs commands in this process, on one store and scope."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, store: str, scope: str) -> None:
        self.monkeypatch = monkeypatch
        self.store = store
        self.scope = scope

    def __call__(self, *arguments: str, typed: str | bytes = "") -> Said:
        """Run a command and say how it ended."""
        return self.bare("--store", self.store, "--scope", self.scope, *arguments, typed=typed)

    def bare(self, *arguments: str, typed: str | bytes = "") -> Said:
        """The same without naming the store and the scope."""
        out, err = _Stream(), _Stream()
        data = typed.encode() if isinstance(typed, str) else typed
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = run(arguments)
        return Said(code, out.text, err.text)

    def done(self, *arguments: str, typed: str = "") -> Said:
        """Run a command that has to succeed."""
        said = self(*arguments, typed=typed)
        assert said.code == 0, said
        return said

    def json(self, *arguments: str) -> Any:
        """What a command that has to succeed prints with `--json`."""
        return self.done(*arguments, "--json").json


class _Stream(io.TextIOWrapper):
    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)

    @property
    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()
