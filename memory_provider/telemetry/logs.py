"""The log of a process on standard error: lines for people, or one JSON object a line for what collects them.

Credentials in addresses and bearer tokens are taken out wherever they stand, in messages and in tracebacks.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final, Literal

Format = Literal["text", "json"]
Level = Literal["debug", "info", "warning", "error"]

FORMATS: Final[tuple[Format, ...]] = ("text", "json")
LEVELS: Final[tuple[Level, ...]] = ("debug", "info", "warning", "error")

OURS: Final = "memory_provider"
"""The logger above all of this package's."""

_SECRETS = (
    (re.compile(r"://[^\s/@]*@"), "://…@"),
    (re.compile(r"(?i)\bbearer\s+[a-z0-9._~+/=-]{16,}"), "Bearer …"),
)


def configure(format: Format, level: Level) -> None:
    """Write the log to standard error from now on. `level` is this package's; of others only warnings are written."""
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, _Handler)]:
        root.removeHandler(handler)
    handler = _Handler(sys.stderr)
    handler.setFormatter(JsonFormatter() if format == "json" else TextFormatter())
    root.addHandler(handler)
    logging.getLogger(OURS).setLevel(level.upper())


def without_secrets(text: str) -> str:
    """A text with what looks like credentials taken out."""
    for secret, stand_in in _SECRETS:
        text = secret.sub(stand_in, text)
    return text


class _Handler(logging.StreamHandler[Any]):
    """Ours, so that it can be told from the application's."""


class TextFormatter(logging.Formatter):
    """`2026-03-01T12:00:00.000000Z INFO memory_provider.requests: request type=query …`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and a traceback where there is one."""
        said = "".join(
            each if each.isprintable() else repr(each)[1:-1] for each in without_secrets(record.getMessage())
        )
        line = f"{_time(record)} {record.levelname} {record.name}: {said}"
        return "\n".join([line, *filter(None, [_traceback(self, record)])])


class JsonFormatter(logging.Formatter):
    """One object: `time`, `level`, `logger`, `message`, then what the record has besides.

    A record's attribute `members` is a mapping of further members. Where a span of OpenTelemetry is current there are
    `trace_id` and `span_id`. An exception is `error`: its `type`, `message` and `traceback`.
    """

    def format(self, record: logging.LogRecord) -> str:
        """One line of ASCII."""
        told: dict[str, Any] = dict(getattr(record, "members", {}))
        told |= {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        first = {name: told.pop(name) for name in ("time", "level", "logger", "message")}
        if record.exc_info and record.exc_info[1] is not None:
            problem = record.exc_info[1]
            told["error"] = {
                "type": type(problem).__name__,
                "message": without_secrets(str(problem)),
                "traceback": _traceback(self, record),
            }
        return json.dumps({**first, **told, **_span()}, default=str)


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond:06}Z"


def _traceback(formatter: logging.Formatter, record: logging.LogRecord) -> str | None:
    if not record.exc_info or record.exc_info[1] is None:
        return None
    return without_secrets(formatter.formatException(record.exc_info))


def _span() -> dict[str, str]:
    if "opentelemetry.trace" not in sys.modules:
        return {}
    from opentelemetry import trace

    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return {}
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"}
