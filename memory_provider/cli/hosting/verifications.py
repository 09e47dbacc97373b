"""Which held frames may be used again, printed."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING

from ...host.errors import peer_text
from ..showing.shapes import Shape
from ..showing.tables import print_table
from .outcomes import granting
from .providers import Providers

if TYPE_CHECKING:
    from ...host import Verification
    from ...host.books.verification import Dropped, Reason


def verification_shape(verification: Verification) -> Shape:
    """A verification as `--json` has it."""
    from ...protocol.encoding import plain

    return {
        "retained": [plain(each) for each in verification.retained],
        "dropped": [
            {
                "frame": plain(each.frame),
                "reason": reason_name(each.reason),
                "worth_asking_again": each.worth_asking_again,
                **{name: plain(value) for name, value in asdict(each.reason).items()},
            }
            for each in verification.dropped
        ],
    }


def print_verification(verification: Verification, providers: Providers, consents: str | None) -> None:
    """A row for each held frame; below those that are dropped, why."""
    rows = [("retained", each.provider_id, each.frame_id) for each in verification.retained]
    rows += [
        (
            "dropped",
            each.frame.provider_id,
            f"{each.frame.frame_id}\n  {_why(each, providers, consents)}",
        )
        for each in verification.dropped
    ]
    print_table(["", "provider", "frame"], rows, text=2)


def reason_name(reason: Reason) -> str:
    """`no_digest`, `verify_failed`, …"""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(reason).__name__).lower()


def _why(dropped: Dropped, providers: Providers, consents: str | None) -> str:
    from ...host.books.verification import (
        Gone,
        NoDigest,
        NotConsented,
        Stale,
        UnknownProvider,
        VerifyFailed,
        VerifyUnsupported,
    )

    id = dropped.frame.provider_id
    match dropped.reason:
        case Stale():
            return "stale: it says something else now; ask again"
        case Gone():
            return "gone: it is no more"
        case NoDigest():
            return "it came without a digest to verify it by; ask again"
        case VerifyUnsupported():
            return "its provider does not verify; ask again"
        case UnknownProvider():
            return "none of the providers named here is called so"
        case NotConsented(missing):
            scopes = f" for {', '.join(map(peer_text, missing))}" if missing else ""
            return f"no consent{scopes}: {granting(id, providers, consents)}"
        case VerifyFailed(error):
            return f"not verified: {error}"
    return "unknown: its provider cannot say; ask again"
