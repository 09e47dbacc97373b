"""Standard streams that whoever started this program has closed."""

from __future__ import annotations

import os
import sys


def open_missing() -> None:
    """Let them lead nowhere, as `print` takes it. Otherwise the next file that is opened would be in their place."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
