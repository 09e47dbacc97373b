"""Every authored wire case, as far as it is about the wire: which bytes are an envelope, and what is said if not."""

from typing import Any

import pytest

from memory_provider.protocol import BAD_REQUEST, DecodeError, UnknownTypeError, decode

from .cases import CASES, raw

# Readable messages that break a rule which is not about shapes: for the provider or the host to act upon.
READABLE_THOUGH_INVALID = {
    "frames sent to a provider",
    "error sent to a provider",
    "embedding without declared space",
    "embedding wrong length",
    "embedding empty",
    "representation reference only",
    "id empty string",
    "verify with body",
    "frame citation missing",
    "frame citation blank",
    "frame cost over",
    "frame digest short",
    "frame digest uppercase",
    "frame digest other algorithm",
    "frame valid_from offset",
    "frame recorded_at date",
    "frame file link without digest",
    "frame full without content",
    "frame compact without canonical_content_hash",
    "frame compact without content_ref",
    "frame reference with empty content",
    "frame reference with cost",
    "frames over budget",
    "frames off kind",
    "frames outside as_of",
    "frames expired at as_of",
    "frames wrong id",
    "ack wrong family",
    "verified with body",
}
# Either answer is allowed; here the limit of one message decides.
REFUSED_THOUGH_VALID = {"one line of 17 MiB"}
# Two lines: the first is no envelope, the second is one.
TWO_LINES = {"blank line from provider", "log line on stdout"}


def is_readable(case: dict[str, Any]) -> bool:
    if case["name"] in REFUSED_THOUGH_VALID:
        return False
    return bool(case["valid"]) or case["name"] in READABLE_THOUGH_INVALID


ONE_LINERS = [case for case in CASES if case["name"] not in TWO_LINES]


@pytest.mark.parametrize(
    "case", [case for case in ONE_LINERS if is_readable(case)], ids=lambda case: case["name"]
)
def test_readable(case: dict[str, Any]) -> None:
    envelope = decode(raw(case))
    if case["message"] is None:
        assert envelope.type == "query"
        return
    message = case["message"]
    assert envelope.type == message["type"]
    assert getattr(envelope, "id", None) == message.get("id")


@pytest.mark.parametrize(
    "case", [case for case in ONE_LINERS if not is_readable(case)], ids=lambda case: case["name"]
)
def test_unreadable(case: dict[str, Any]) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(raw(case))
    error = caught.value
    assert error.code == BAD_REQUEST
    assert error.reply
    assert "\n" not in error.message
    assert len(error.message) <= 400
    expected = case["expected_reply"]
    answers = expected.get("one_of", [expected])
    if case["direction"] == "host_to_provider":
        assert {"type": "error", "code": BAD_REQUEST, "process_alive": True, "id": error.id} in [
            {"id": None, **answer} for answer in answers
        ]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["name"] in TWO_LINES], ids=lambda case: case["name"]
)
def test_lines_that_are_no_envelopes_do_not_hide_those_that_are(case: dict[str, Any]) -> None:
    first, second, rest = raw(case).split(b"\n")
    with pytest.raises(DecodeError):
        decode(first)
    assert decode(second).type == "frames"
    assert rest == b""


def test_no_case_is_forgotten() -> None:
    names = {case["name"] for case in CASES}
    assert names >= READABLE_THOUGH_INVALID | REFUSED_THOUGH_VALID | TWO_LINES
    assert len(CASES) == 136
    assert not [case for case in CASES if case["valid"] and case["name"] in READABLE_THOUGH_INVALID]


def test_an_unknown_type_without_an_id_wants_no_reply() -> None:
    with pytest.raises(UnknownTypeError) as caught:
        decode(b'{"type":"tick","at":1}')
    assert not caught.value.reply


def test_an_unknown_type_with_an_id_of_another_type_wants_a_reply_without_it() -> None:
    with pytest.raises(UnknownTypeError) as caught:
        decode(b'{"type":"neighbors","id":17}')
    assert caught.value.reply
    assert caught.value.id is None
