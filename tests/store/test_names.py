"""One rule for comparing names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.store.names import normalise_name


@pytest.mark.parametrize(
    ("name", "normalised"),
    [
        ("Alice", "alice"),
        ("  Alice   B.  Smith-Jones ", "alice b smith jones"),
        ("ÉVA O’Neil", "éva o neil"),
        ("e\u0301va", "éva"),
        ("ＡＢＣ１", "abc1"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("snake_case", "snake case"),
        ("हिन्दी भाषा", "हिन्दी भाषा"),
        ("日本語", "日本語"),
        ("!!!", ""),
        ("", ""),
        ("🏡", ""),
    ],
)
def test_names(name: str, normalised: str) -> None:
    assert normalise_name(name) == normalised


@given(st.text())
def test_normalising_twice_changes_nothing(name: str) -> None:
    once = normalise_name(name)
    assert normalise_name(once) == once
    assert once == once.strip()
    assert "  " not in once


@given(st.text())
def test_case_does_not_matter(name: str) -> None:
    assert normalise_name(name.casefold()) == normalise_name(name)
