"""Loading files of facts, relations and episodes into a scope. The format is in `docs/seeds.md`."""

from .errors import SeedProblem, SeedRefused
from .loading import Progress, SeedReport, seed

__all__ = ["Progress", "SeedProblem", "SeedRefused", "SeedReport", "seed"]
