"""Who has part in a record: its scope and what it is shared with, against the labels of whoever asks."""

from __future__ import annotations

import pytest

from memory_provider.access import Principal
from memory_provider.provider.record_access import check_access, may_see
from memory_provider.provider.refusals import Refusal


def principal(**labels: str) -> Principal:
    return Principal("p", "acme", labels=frozenset(labels.items()))


ALICE = principal(user_id="alice", repository_id="kettle", organization_id="acme")


def test_without_labels_somebody_speaks_for_the_whole_scope() -> None:
    for sharing in ("user", "repository", "workspace", "organization"):
        assert may_see(principal(), {"user_id": "anybody"}, sharing)
        assert may_see(principal(), {}, sharing)


@pytest.mark.parametrize(
    ("scope", "sharing", "code"),
    [
        ({"user_id": "alice"}, "user", None),
        ({"user_id": "bob"}, "user", "scope_denied"),
        # Keys are taken together: shared with her organization, and about somebody else.
        ({"user_id": "bob", "organization_id": "acme"}, "organization", "scope_denied"),
        ({"user_id": "alice", "organization_id": "acme"}, "organization", None),
        ({"organization_id": "acme"}, "organization", None),
        ({"organization_id": "other"}, "organization", "scope_denied"),
        # She has no label for workspaces, so that nothing shows her to be in this one.
        ({"workspace_id": "wing"}, "workspace", "sharing_denied"),
        ({"workspace_id": "wing", "user_id": "alice"}, "user", None),
        # Keys that she has no label for narrow nothing.
        ({"user_id": "alice", "session_id": "s", "task_id": "t", "environment_id": "e"}, "user", None),
        # Shared with nobody that is named.
        ({}, "user", "sharing_denied"),
        ({"repository_id": "kettle"}, "user", "sharing_denied"),
        ({"user_id": "alice"}, "repository", "sharing_denied"),
    ],
)
def test_labels_decide(scope: dict[str, str], sharing: str, code: str | None) -> None:
    assert may_see(ALICE, scope, sharing) == (code is None)
    if code is not None:
        with pytest.raises(Refusal) as refused:
            check_access(ALICE, scope, sharing)
        assert refused.value.code == code
        for value in scope.values():
            assert value not in refused.value.message


def test_a_label_may_have_several_values() -> None:
    both = Principal("p", "acme", labels=frozenset({("repository_id", "a"), ("repository_id", "b")}))
    assert [may_see(both, {"repository_id": each}, "repository") for each in "abc"] == [True, True, False]
