"""Consent to data leaving the machine: named, revocable, expiring, and kept."""

from .files import ConsentFile
from .gate import gate
from .granting import consents_to
from .ledger import Grantor, Ledger, Pin, Receipt, Record, Revocation
from .standing import Standing, standing

__all__ = [
    "ConsentFile",
    "Grantor",
    "Ledger",
    "Pin",
    "Receipt",
    "Record",
    "Revocation",
    "Standing",
    "consents_to",
    "gate",
    "standing",
]
