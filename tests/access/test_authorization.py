"""A header in, somebody or a refusal out; and no part of a secret anywhere."""

from __future__ import annotations

import pytest

from memory_provider.access import EVERY_SCOPE, Principal, Right
from memory_provider.access import tokens as tokens_module
from memory_provider.access.authorization import MALFORMED, MISSING, UNKNOWN, authorize
from memory_provider.access.tokens import Tokens, hash_of, make_token
from memory_provider.errors import InvalidToken

NOW = 1_780_000_000_000_000
LATER = NOW + 1_000_000
TOKEN, TEXT = make_token(
    "alice", "acme/alice", scopes={"acme/team"}, rights={Right.READ, Right.WRITE}, expires_at=LATER, now=NOW
)
TOKENS = Tokens([TOKEN])
ALICE = Principal(
    "alice", "acme/alice", frozenset({"acme/team"}), frozenset({Right.READ, Right.WRITE}), TOKEN.id
)


def without_token(text: str) -> str:
    """A test's name, the same in every run."""
    return text.replace(TEXT, "TOKEN")


@pytest.mark.parametrize(
    "header", [f"Bearer {TEXT}", f"bearer {TEXT}", f"BEARER   {TEXT}  "], ids=without_token
)
def test_who_holds_a_token_is_known(header: str) -> None:
    assert authorize(header, TOKENS, NOW) == ALICE


def test_no_header_is_nobody() -> None:
    assert authorize(None, TOKENS, NOW) is MISSING


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        TEXT,
        f"Basic {TEXT}",
        f"Bearer{TEXT}",
        f"Bearer {TEXT}, Bearer {TEXT}",
        f"Bearer {TEXT} {TEXT}",
        f"Bearer {TEXT}\n",
        f"Bearer\t{TEXT}",
        f"Bearer {TEXT}\x00",
        "Bearer ümläut",
        "Bearer " + "a" * 5000,
    ],
    ids=without_token,
)
def test_what_is_no_bearer_token_is_nobody(header: str) -> None:
    assert authorize(header, TOKENS, NOW) is MALFORMED


@pytest.mark.parametrize(
    "text",
    [
        TEXT[:-1],
        TEXT + "A",
        TEXT.upper(),
        TEXT[:-1] + ("A" if TEXT[-1] != "A" else "B"),
        TEXT.replace(TOKEN.id, "000000000000"),
        f"mpt_{TOKEN.id}_",
        f"mpt_{TOKEN.id}_{'A' * 43}",
        TOKEN.hash or "",
        TOKEN.id,
        "x",
    ],
    ids=[
        *("a character less", "a character more", "in capitals", "another last character", "another id"),
        *("no secret", "another secret", "its hash", "its id", "no token"),
    ],
)
def test_another_text_is_nobody(text: str) -> None:
    text = text.removeprefix("sha256:")
    assert authorize(f"Bearer {text}", TOKENS, NOW) is UNKNOWN


def test_expired_and_revoked_are_the_same_as_unknown() -> None:
    header = f"Bearer {TEXT}"
    assert authorize(header, TOKENS, LATER - 1) == ALICE
    assert authorize(header, TOKENS, LATER) is UNKNOWN
    assert authorize(header, Tokens([TOKEN.revoked(NOW)]), NOW) is UNKNOWN
    assert authorize(header, Tokens(), NOW) is UNKNOWN


def test_every_look_up_compares_once_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for an id nobody has, an expired token and a text that is none."""
    compared: list[tuple[str, str]] = []

    def compare(given: str, kept: str) -> bool:
        compared.append((given, kept))
        return given == kept

    monkeypatch.setattr(tokens_module, "compare_digest", compare)
    unknown = make_token("x", "x", expires_at=None, now=NOW)[1]
    for text, at in ((TEXT, NOW), (TEXT, LATER), (unknown, NOW), ("x", NOW)):
        compared.clear()
        TOKENS.holder(text, at)
        [(given, kept)] = compared
        assert given == hash_of(text)
        assert len(kept) == len(given)


def test_a_token_is_long_and_never_the_same() -> None:
    texts = {make_token("x", "x", expires_at=None, now=NOW)[1] for _ in range(50)}
    assert len(texts) == 50
    assert all(len(text.rpartition("_")[0]) and len(text) == 4 + 12 + 1 + 43 for text in texts)


def test_nothing_shows_a_secret() -> None:
    secret = TEXT.split("_", 2)[2]
    shown = [
        repr(TOKEN),
        str(TOKEN),
        repr(TOKENS),
        repr(ALICE),
        repr(authorize(f"Bearer {TEXT}", TOKENS, NOW)),
    ]
    shown += [repr(authorize(header, TOKENS, LATER)) for header in (f"Bearer {TEXT}", TEXT, f"Basic {TEXT}")]
    for text in shown:
        assert secret not in text
        assert (TOKEN.hash or "")[7:] not in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": " "},
        {"name": "a\nb"},
        {"name": "a" * 129},
        {"scope": ""},
        {"scope": "a" * 1025},
        {"scope": EVERY_SCOPE},
        {"scopes": [""]},
        {"scopes": [EVERY_SCOPE]},
        {"rights": []},
        {"expires_at": NOW},
    ],
    ids=str,
)
def test_what_no_token_may_be(wrong: dict[str, object]) -> None:
    asked: dict[str, object] = {"name": "a", "scope": "a", "expires_at": None, "now": NOW}
    with pytest.raises(InvalidToken):
        make_token(**{**asked, **wrong})  # type: ignore[arg-type]


def test_every_scope_takes_the_right_admin() -> None:
    token, text = make_token(
        "ops", "ops", scopes=[EVERY_SCOPE], rights=[Right.ADMIN, Right.READ], expires_at=None, now=NOW
    )
    holder = Tokens([token]).holder(text, NOW)
    assert holder is not None
    assert holder.reaches("whatever")
    assert not holder.may(Right.ERASE)
