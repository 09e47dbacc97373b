"""What held of one key over all of valid time."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from .values import Object


class Stretch(NamedTuple):
    """An object and the maximal window it held over; None is an unbounded side."""

    object: Object
    valid_from: datetime | None
    valid_to: datetime | None
