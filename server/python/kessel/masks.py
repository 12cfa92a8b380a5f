"""Action masks."""

from __future__ import annotations

import numpy as np


_rng = np.random.default_rng()


def sample(mask: np.ndarray, rng: np.random.Generator | None = None) -> np.ndarray:
    """A random legal action for each row, every one equally likely; 0 for a row without any (the episode is over).

    Args:
        mask: int8 or uint8 ``[B, A]``, 1 for legal.
        rng: default: one shared by all calls, seeded by the system.

    Returns:
        int32 ``[B]``
    """
    rng = _rng if rng is None else rng
    size, actions = mask.shape
    legal = np.flatnonzero(np.ascontiguousarray(mask).view(np.bool_))
    ends = np.searchsorted(legal, np.arange(0, (size + 1) * actions, actions))
    first, counts = ends[:-1], np.diff(ends)
    if len(legal) == 0:
        return np.zeros(size, np.int32)
    picks = first + (rng.random(size) * counts).astype(np.intp)
    return np.where(counts > 0, legal[np.minimum(picks, len(legal) - 1)] % actions, 0).astype(np.int32)
