"""A report on any provider: whether it keeps every requirement of the protocol, with the evidence.

It works below the host's channels, on raw bytes, as it has to send what no host sends.
"""

from .report import Report, Result, Status
from .requirements import REQUIREMENTS, Requirement
from .runner import inspect_provider

__all__ = ["REQUIREMENTS", "Report", "Requirement", "Result", "Status", "inspect_provider"]
