"""Protocol versions: `contextgraph/MAJOR.MINOR`, with `-draft` after some.

Two peers understand each other when their families agree: the text before the first dot (H7). Nothing else of
a version is compared; the minor only says which optional members its speaker may use.
"""

from typing import Final

from .errors import IncompatibleVersion, excerpt

FAMILY: Final = "contextgraph/1"
"""The major family spoken here."""

VERSION: Final = "contextgraph/1.0"
"""The version spoken here unless the peer needs another one of the family."""

DRAFT_VERSION: Final = "contextgraph/1.0-draft"
"""What crates 0.1.2 speak; the same wire without the optional members that 1.0 added."""


def family(version: str) -> str:
    """The major family of a version: the text before its first dot."""
    return version.partition(".")[0]


def is_compatible(version: str) -> bool:
    """Whether a peer speaking `version` can be talked to."""
    return family(version) == FAMILY


def answer_version(requested: str) -> str:
    """The version to acknowledge a handshake with.

    A host of the draft hears its own version back, any other one of the family hears `VERSION`, also one with
    a later minor (it must cope with an earlier one). Raises `IncompatibleVersion` for another family (H3).
    """
    if not is_compatible(requested):
        raise IncompatibleVersion(f"protocol_version {excerpt(requested)} is not of the family {FAMILY}")
    return DRAFT_VERSION if requested == DRAFT_VERSION else VERSION
