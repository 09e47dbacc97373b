"""The synchronous memory is what the asynchronous source says."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from memory_provider import sync
from memory_provider.memory import api, view
from memory_provider.memory.writing import transaction
from scripts import generate_sync

PAIRS = [
    (api.Memory, sync.Memory),
    (view.View, sync.View),
    (transaction.Transaction, sync.Transaction),
]


def public(cls: type) -> dict[str, object]:
    return {name: inspect.getattr_static(cls, name) for name in dir(cls) if not name.startswith("_")}


def test_the_file_is_up_to_date() -> None:
    assert generate_sync.TARGET.read_text(encoding="utf-8") == generate_sync.generated(), (
        "run scripts/generate-sync"
    )


@pytest.mark.parametrize(("asynchronous", "synchronous"), PAIRS)
def test_every_public_name_is_there(asynchronous: type, synchronous: type) -> None:
    missing = public(asynchronous).keys() - public(synchronous).keys()
    assert not missing
    extra = public(synchronous).keys() - public(asynchronous).keys() - {"receipts"}  # an attribute there
    assert not extra


@pytest.mark.parametrize(("asynchronous", "synchronous"), PAIRS)
def test_parameters_and_docstrings_are_the_same(asynchronous: type, synchronous: type) -> None:
    for name, there in public(asynchronous).items():
        here = public(synchronous)[name]
        if isinstance(there, property):
            assert isinstance(here, property), name
            assert there.__doc__ == here.__doc__, name
            continue
        first, second = _function(there), _function(here)
        assert _parameters(first) == _parameters(second), name
        assert (first.__doc__ or "").replace("`async with", "`with") == second.__doc__, name
        assert not inspect.iscoroutinefunction(second), name


def _function(member: object) -> Callable[..., object]:
    function = member.__func__ if isinstance(member, classmethod) else member
    assert callable(function)
    return function


def _parameters(function: Callable[..., object]) -> list[tuple[str, object, object, object]]:
    found = inspect.signature(function).parameters.values()
    return [(each.name, each.kind, each.default, each.annotation) for each in found]
