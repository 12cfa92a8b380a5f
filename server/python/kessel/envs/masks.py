"""Action masks."""

from __future__ import annotations

import functools

import numpy as np

from ..client.errors import BadInput
from ..client.inputs import shown

_rng = np.random.default_rng()


def sample(mask: np.ndarray, rng: np.random.Generator | None = None) -> np.ndarray:
    """A uniformly random legal action for each row; 0 for a row without one (the episode is over).

    Args:
        mask: int8 or uint8 ``[B, A]``, 1 for legal.
        rng: default: a generator shared by all calls, seeded by the system.

    Returns:
        int32 ``[B]``
    """
    rng = _rng if rng is None else rng
    if not isinstance(mask, np.ndarray) or mask.ndim != 2 or mask.dtype.itemsize != 1 or mask.dtype.kind not in "biu":
        raise BadInput("bad-option", f"mask is int8, uint8 or bool [B, A], not {shown(mask)}")
    if rng is not None and not isinstance(rng, np.random.Generator):
        raise BadInput("bad-option", f"rng is a numpy.random.Generator, not {shown(rng)}")
    size, actions = mask.shape
    legal = np.ascontiguousarray(mask).view(np.bool_).ravel().nonzero()[0]
    if not legal.size:
        return np.zeros(size, np.int32)
    ends = _row_ends(size, actions)
    last = legal.searchsorted(ends)  # by row: end of its legal actions
    counts = last.copy()
    counts[1:] -= last[:-1]
    picks = (rng.random(size) * counts).astype(np.intp)
    picks += last
    picks -= counts
    chosen = legal.take(picks, mode="clip")
    chosen -= ends
    chosen += actions
    chosen *= counts > 0
    return chosen.astype(np.int32)


@functools.lru_cache(maxsize=64)
def _row_ends(size: int, actions: int) -> np.ndarray:
    return np.arange(actions, (size + 1) * actions, actions)
