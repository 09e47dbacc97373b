"""What is wrong in a live store of either kind: only looks, never mends. The checks are in `docs/doctor.md`."""

from ..store.contract import Finding
from .examining import examine

__all__ = ["Finding", "examine"]
