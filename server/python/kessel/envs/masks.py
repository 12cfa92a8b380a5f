"""Action masks."""

from __future__ import annotations

import functools

import numpy as np

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
