"""Budgets: from a model's tokens to the protocol's, and from one to a share for each provider."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ..temporal.errors import InvalidInput

SAFETY_FACTOR: Final = Fraction(135, 100)
"""How many of a model's tokens one token of the protocol may turn out to be."""


def budget_from_model_tokens(model_tokens: int, safety_factor: Fraction | float = SAFETY_FACTOR) -> int:
    """The budget that keeps within so many of a model's tokens. One is not the other (B5)."""
    if model_tokens < 0 or not safety_factor >= 1:
        raise InvalidInput("a budget is 0 or more tokens, and its safety factor 1 or more")
    return int(model_tokens / safety_factor)


def split(budget: int, providers: int) -> tuple[int, ...]:
    """Equal shares of a budget, which add up to it; what does not divide goes to the first, a token each (COMP1)."""
    if budget < 0:
        raise InvalidInput(f"the budget is a whole number of tokens from 0 up, not {budget}")
    if providers == 0:
        return ()
    share, rest = divmod(budget, providers)
    return tuple(share + (position < rest) for position in range(providers))
