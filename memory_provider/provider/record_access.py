"""Whether a principal may write or see a record, by whom the record is about and with whom it is shared.

This decides within a scope of the memory, which is the border between tenants and was looked at before. What a record
says of its scope is never believed about who asks: that are the principal's labels, which come with its token (LO-ID3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..protocol.lifecycle.codes import SCOPE_DENIED, SHARING_DENIED
from .refusals import Refusal

if TYPE_CHECKING:
    from ..access import Principal


def check_access(principal: Principal, subject_scope: Mapping[str, str], sharing_scope: str) -> None:
    """Raise `Refusal` with `scope_denied` or `sharing_denied` where a principal has no part in a record.

    A principal without labels speaks for everybody in its scope and has part in all. One with labels has to carry the
    id of what the record is shared with (`user_id` for `user`), which the record's scope therefore has to name; of the
    other keys there, those it has labels for have to be among its labels.
    """
    if not principal.labels:
        return
    for key, value in subject_scope.items():
        labels = principal.labelled(key)
        if labels and value not in labels:
            raise Refusal(SCOPE_DENIED, f"scope.{key}: the record's is none of yours")
    key = f"{sharing_scope}_id"
    shared_with = subject_scope.get(key)
    if shared_with is None:
        message = f"sharing_scope: the record is shared with a {sharing_scope} and its scope names no {key}"
        raise Refusal(SHARING_DENIED, message)
    if shared_with not in principal.labelled(key):
        raise Refusal(SHARING_DENIED, f"sharing_scope: the record is shared with a {sharing_scope} not yours")


def may_see(principal: Principal, subject_scope: Mapping[str, str], sharing_scope: str) -> bool:
    """Whether a principal has part in a record."""
    try:
        check_access(principal, subject_scope, sharing_scope)
    except Refusal:
        return False
    return True
