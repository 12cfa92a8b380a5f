"""The categorical distribution over legal actions, in numpy.

In all functions, ``logits`` is float ``[..., A]``; ``mask`` is bool, int8 or uint8 ``[..., A]``, 1 for legal. Illegal
entries of ``logits`` are ignored. A row without a legal action (an episode that is over) has action 0 with
log-probability 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Array = npt.NDArray[Any]


def log_softmax(logits: Array, mask: Array, temperature: float = 1.0) -> Floats:
    """Log-probabilities float32 ``[..., A]``; ``-inf`` for illegal actions, 0 throughout a row without a legal one."""
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, not {temperature}; greedy() takes the best action")
    legal = mask.astype(np.bool_)
    has_legal = legal.any(axis=-1, keepdims=True)
    scaled = np.where(legal, np.asarray(logits, np.float64) / temperature, -np.inf)
    scaled = np.where(has_legal, scaled, 0.0)
    scaled -= scaled.max(axis=-1, keepdims=True)
    result = scaled - np.log(np.exp(scaled).sum(axis=-1, keepdims=True))
    return np.where(has_legal, result, 0.0).astype(np.float32)


def sample(
    logits: Array, mask: Array, rng: np.random.Generator, temperature: float = 1.0
) -> tuple[npt.NDArray[np.int32], Floats]:
    """Samples actions from the softmax of ``logits / temperature`` over legal ones.

    Returns:
        actions int32 ``[...]`` and their log-probabilities float32 ``[...]``.
    """
    logp = log_softmax(logits, mask, temperature)
    perturbed = logp - np.log(np.maximum(rng.exponential(size=logp.shape), 1e-300))  # Gumbel-max trick
    perturbed[~mask.any(axis=-1), 0] = np.inf
    actions = perturbed.argmax(axis=-1)
    return actions.astype(np.int32), np.take_along_axis(logp, actions[..., None], axis=-1)[..., 0]


def greedy(logits: Array, mask: Array) -> npt.NDArray[np.int32]:
    """The legal action with the greatest logit, the first of equals: int32 ``[...]``."""
    best: npt.NDArray[np.int32] = np.where(mask.astype(np.bool_), logits, -np.inf).argmax(axis=-1).astype(np.int32)
    return best


def entropy(logits: Array, mask: Array) -> Floats:
    """Entropy in nats, float32 ``[...]``; 0 for rows with one legal action or none."""
    legal = mask.astype(np.bool_)
    logp = np.where(legal, log_softmax(logits, mask), 0.0)
    result: Floats = np.where(legal, -np.exp(logp) * logp, 0.0).sum(axis=-1).astype(np.float32)
    return result
