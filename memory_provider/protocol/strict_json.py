"""JSON text from a peer, read strictly: bytes in, plain Python values out.

On top of RFC 8259 it refuses what makes two readers disagree about one message, or what a reader can be hurt
with: invalid UTF-8, a byte order mark, lone surrogates, a member given twice in one object, `NaN` and the
infinities, numbers beyond a double, and nesting deeper than `MAX_DEPTH`. The parser is the standard
library's, in C.
"""

import json
import math
import re
from itertools import accumulate
from typing import Any, Final

from .errors import DecodeError, excerpt

MAX_BYTES: Final = 16 * 1024 * 1024
"""The longest message read, in bytes: the limit of the reference for one line or one HTTP body."""

MAX_DEPTH: Final = 128
"""How many objects and lists may stand inside one another."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_NOT_STRUCTURE = bytes(set(range(256)) - set(b'"[]{}'))
_STEP = bytes(1 if char in b"[{" else 255 for char in range(256))  # 255 is -1 as a signed byte
_DIGITS_OF_64_BITS = 20
_LONGEST_DOUBLE = 310  # characters of the largest double written out as an integer, with its sign


class _Refused(ValueError):
    """Raised from within the parser by the rules below."""


def parse_json(data: bytes, *, max_bytes: int = MAX_BYTES) -> Any:
    """The JSON value written in `data`, with or without white space around it.

    Raises `DecodeError`, and nothing else, for everything that is not one strictly valid JSON text.
    """
    if len(data) > max_bytes:
        raise DecodeError(f"a message of {len(data)} bytes is longer than the limit of {max_bytes} bytes")
    if data.startswith(_BYTE_ORDER_MARK):
        raise DecodeError("not JSON: a byte order mark stands before the text")
    if is_deeper(data, MAX_DEPTH):
        raise DecodeError(f"objects and lists are nested deeper than {MAX_DEPTH} levels")
    try:
        text = data.decode("utf-8")
        value = _PARSER.decode(text)
        if _SURROGATE_ESCAPE.search(text) is not None:
            # Pairs have become one character by now; what is left of surrogates cannot be encoded.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise DecodeError(f"not UTF-8: {error.reason} at byte {error.start}") from None
    except UnicodeEncodeError:
        raise DecodeError("not Unicode: a \\u escape is half of a surrogate pair") from None
    except json.JSONDecodeError as error:
        raise DecodeError(f"not JSON: {_what_is_wrong(error)} at character {error.pos}") from None
    except _Refused as error:
        raise DecodeError(str(error)) from None
    except (RecursionError, MemoryError):
        raise DecodeError("the message is too large to be read here") from None
    return value


def is_deeper(data: bytes, limit: int) -> bool:
    """Whether lists and objects stand more than `limit` deep in a JSON text.

    Works without parsing, in a few passes of C speed whatever the text is. In JSON a backslash occurs only
    inside a string. Taking out `\\\\` pairs from the left and then `\\"` therefore leaves only those quotes
    that open or close a string. Of the rest only quotes and brackets are kept. Two quotes side by side are an
    empty string or the border of two strings: without them everything stays as much inside or outside of a
    string as it was. What then stands between the 1st and the 2nd quote, the 3rd and the 4th and so on is
    inside a string and goes; the brackets that remain are structure, and depth is their running balance.

    In a text that is not JSON all this is still right up to the first error, beyond which no parser goes.
    """
    if data.count(b"[") + data.count(b"{") <= limit:
        return False
    unescaped = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    skeleton = unescaped.translate(None, delete=_NOT_STRUCTURE).replace(b'""', b"")
    structure = b"".join(skeleton.split(b'"')[::2])
    balance = accumulate(memoryview(structure.translate(_STEP)).cast("b"))
    return max(balance, default=0) > limit


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) != len(members):
        seen: set[str] = set()
        for name, _ in members:
            if name in seen:
                raise _Refused(f"the member {excerpt(name)} is given twice in one object")
            seen.add(name)
    return found


def _integer(digits: str) -> int:
    # Long ones take quadratic time to read; the reference, too, refuses what no double can hold.
    if len(digits) > _DIGITS_OF_64_BITS and (len(digits) > _LONGEST_DOUBLE or math.isinf(float(digits))):
        raise _Refused(f"a number of {len(digits)} digits is out of range")
    return int(digits)


def _number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _Refused(f"the number {excerpt(text)} is out of range")
    return value


def _constant(name: str) -> Any:
    raise _Refused(f"not JSON: {name} is no number")


def _what_is_wrong(error: json.JSONDecodeError) -> str:
    message = error.msg.rstrip(": ").removesuffix(" at")
    return message[:1].lower() + message[1:]


_PARSER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
)
