"""Whether anybody listens."""

from __future__ import annotations

import sys


def opentelemetry_is_used() -> bool:
    """Whether this process has loaded OpenTelemetry's API, as every SDK and every instrumented program does.

    Asked again each time: an application may set up its SDK after it has opened a memory.
    """
    return "opentelemetry.trace" in sys.modules or "opentelemetry.metrics" in sys.modules
