"""A number of seconds as an option's value."""

from __future__ import annotations

import math
from typing import Any, Final

import click

MOST: Final = 86_400


class Seconds(click.FloatRange):
    """More than none, a day at most. What is no number at all, such as `nan`, is refused too."""

    def __init__(self) -> None:
        super().__init__(0, MOST, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Fails as click's own types do."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is no number of seconds.", param, ctx)
        return seconds
