"""The Merkle tree of RFC 6962 over the commitments of a result, and the proofs that one of them is in it (SPEC 6.5.3).

RFC 6962 splits n leaves at the largest power of two below n. From the leaves up that is: pair neighbours, and lift the
last of an odd number as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ..protocol import InclusionProof, InclusionStep
from .digests import hashed, read_digest, written

EMPTY: Final = b"contextgraph/attest/1/merkle-empty"

_LEAF = b"\x00"
_NODE = b"\x01"


class MerkleTree:
    """The tree over commitments, in the order they are given."""

    def __init__(self, commitments: Iterable[bytes]) -> None:
        self._levels = [[hashed(_LEAF, commitment) for commitment in commitments]]
        while len(below := self._levels[-1]) > 1:
            level = [hashed(_NODE, *pair) for pair in zip(below[::2], below[1::2], strict=False)]
            if len(below) % 2:
                level.append(below[-1])
            self._levels.append(level)

    def __len__(self) -> int:
        return len(self._levels[0])

    @property
    def root(self) -> bytes:
        """What a signature over the whole result signs."""
        return self._levels[-1][0] if len(self) else hashed(EMPTY)

    def proof(self, index: int) -> InclusionProof:
        """The proof of the leaf at `index`, counted from 0. Raises `IndexError` where there is none."""
        if not 0 <= index < len(self):
            raise IndexError(f"there is no leaf {index} among {len(self)}")
        path = tuple(
            InclusionStep(sibling=written(self._levels[height][place]), sibling_is_left=place % 2 == 0)
            for height, place in _siblings(index, len(self))
        )
        return InclusionProof(leaf_index=index, leaf_count=len(self), path=path)


def root_from_proof(commitment: bytes, proof: InclusionProof) -> bytes | None:
    """The root that a proof leads to from a commitment; None for a proof that no tree of its size can have.

    Index and count decide how long the path is and on which side each sibling stands. That is compared before anything
    is hashed, so that neither number is taken on trust and a long path buys no work.
    """
    if not 0 <= proof.leaf_index < proof.leaf_count:
        return None
    sides = [place % 2 == 0 for _, place in _siblings(proof.leaf_index, proof.leaf_count)]
    if sides != [step.sibling_is_left for step in proof.path]:
        return None
    root = hashed(_LEAF, commitment)
    for step in proof.path:
        sibling = read_digest(step.sibling)
        if sibling is None:
            return None
        root = hashed(_NODE, sibling, root) if step.sibling_is_left else hashed(_NODE, root, sibling)
    return root


def _siblings(index: int, count: int) -> Iterator[tuple[int, int]]:
    """Level and place of every node beside the way up from a leaf; a node that is lifted has none on its level."""
    height = 0
    while count > 1:
        if index ^ 1 < count:
            yield height, index ^ 1
        height, index, count = height + 1, index // 2, (count + 1) // 2
