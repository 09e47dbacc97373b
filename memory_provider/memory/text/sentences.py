"""Where sentences end."""

from __future__ import annotations

import re

SENTENCE_END = re.compile(r"(?<=[.!?…])['\"”’)\]]*\s+|(?<=[。！？])|\n")
"""The end of a sentence with the space after it. Line ends count: a list has no full stops."""
