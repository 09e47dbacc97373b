"""Extracts of a text: what there are of any text, and which is taken for a question."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.memory.text.extracting import AFTER, BEFORE, SIZES, VERSION, Extracts, passages

pieces = st.sampled_from(
    ["The kettle whistles. ", "Yes! ", "\n", "no end ", "茶が熱い。", "🫖", "x" * 500, "  ", "“Go.” ", "Dr. "]
)
texts = st.lists(pieces, max_size=60).map("".join) | st.text(max_size=600)


@given(texts)
def test_passages_are_the_text(text: str) -> None:
    cut = passages(text)
    assert "".join(cut) == text
    assert all(0 < len(each.encode()) <= SIZES[-1] for each in cut)


@given(texts, st.lists(st.sampled_from(["kettl", "ye", "0xe88cb6", "nothing"]), max_size=3))
def test_an_extract_is_a_stretch_of_the_text_that_fits(text: str, question: list[str]) -> None:
    extracts = Extracts(text)
    length = len(text.encode())
    assert extracts.sizes == (tuple(size for size in SIZES if size < length) if text.strip() else ())
    everything = set(extracts)
    for each in everything:
        said = each.removeprefix(BEFORE).removesuffix(AFTER)
        assert said.strip()
        assert said in text or each in text  # a text may have the marks itself
        assert len(each.encode()) < length
    for size in extracts.sizes:
        best = extracts.best(size, question)
        assert best in everything
        assert len(best.encode()) <= size
        assert best == Extracts(text).best(size, list(reversed(question))), "it depends on nothing else"


LOG = (
    "At dawn the wind fell. The crew slept on. Nobody saw the reef ahead of us. At noon the cook found the lost anchor "
    "in the hold. He told the captain of the anchor at once. The captain laughed. In the evening it rained. We ate the "
    "last of the bread. The rain went on for three days and three nights. On the fourth day the sky cleared, at last. "
    "The mate counted the barrels of water: there were nine. We sailed north again, and slowly. The reef was behind us."
)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("anchor", "He told the captain of the anchor at once."),
        ("barrel water", "there were nine."),
        ("rain", "three days and three nights"),
        ("octopus", "At dawn the wind fell."),
        ("", "At dawn the wind fell."),
    ],
)
def test_the_extract_holds_what_was_asked_for(question: str, sentence: str) -> None:
    assert sentence in Extracts(LOG).best(300, question.split())


def test_marks_say_where_something_was_left_out() -> None:
    extracts = Extracts(LOG)
    assert extracts.best(300, []).endswith(AFTER)
    assert not extracts.best(300, []).startswith(BEFORE)
    middle = extracts.best(300, ["anchor"])
    last = extracts.best(300, ["barrel", "slowli"])
    assert last.startswith(BEFORE)
    assert last.endswith("The reef was behind us.")
    assert middle != last


def test_extracts_are_frozen() -> None:
    """Hosts hold digests of them. Other extracts need another `VERSION`, and these kept for `verify`."""
    text = "\n\n".join([LOG, "茶が熱い。" * 90, "no end " * 80, "Yes. " * 60])
    all_of_them = "\0".join(Extracts(text))
    assert VERSION == "1"
    assert (
        sha256(all_of_them.encode()).hexdigest()
        == "047682009616b27ab48246452a1f9b9687cc05f08de6cfbe2fe397e27f9fa3f4"
    )
