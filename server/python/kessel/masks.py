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
    counts = np.cumsum(mask, axis=1, dtype=np.int32)
    wanted = (rng.random(len(mask)) * counts[:, -1]).astype(np.int32)
    return (counts > wanted[:, None]).argmax(axis=1).astype(np.int32)
