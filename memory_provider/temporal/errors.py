"""The base of every error this package raises, and the errors of time itself."""


class MemoryProviderError(Exception):
    """Base class of every error of this package: says what was wrong, with which value, and what to do."""


class InvalidInput(MemoryProviderError, ValueError):
    """A value given by the caller was refused; nothing was read or written."""


class InvalidInstant(InvalidInput):
    """A text or object that names no instant this package can keep exactly."""


class InvalidWindow(InvalidInput):
    """A window that is empty, inverted, or outside years 1 to 9999."""


class ClockRefused(MemoryProviderError):
    """A supplied `recorded_at` is not later than the scope's last transaction, or is too far ahead."""
