"""The categorical distribution over legal actions, in numpy.

In all functions, ``logits`` is float ``[..., A]``; ``mask`` is bool or whole numbers of the same shape, 1 for legal.
Illegal entries of ``logits`` are ignored, NaN and infinities too. A row without a legal action (an episode that is
over) has action 0 with log-probability 0. What has another type or shape is a ``BadInput`` (a ``ValueError``) that names the
argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..client.checks import array, number, refused

Floats = npt.NDArray[np.float32]
Array = npt.NDArray[Any]

_temperature = number(0, above=True)


def _given(logits: Any, mask: Any) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Both as arrays of one shape."""
    scores = array("logits", logits, "fiu", "an array of numbers [..., A]")
    legal = array("mask", mask, "biu", "an array of bool or whole numbers [..., A]")
    if scores.shape != legal.shape:
        raise refused("mask", f"of the shape of logits, {[*scores.shape]}", [*legal.shape])
    return scores, legal.astype(np.bool_)


def log_softmax(logits: Array, mask: Array, temperature: float = 1.0) -> Floats:
    """Log-probabilities of the softmax of ``logits / temperature`` over legal actions.

    Args:
        logits: float ``[..., A]``.
        mask: ``[..., A]``, 1 for legal.
        temperature: above 0; below 1 the best actions become likelier, above 1 all become alike.

    Returns:
        float32 ``[..., A]``: ``-inf`` for illegal actions, 0 throughout a row without a legal one.

    Raises:
        BadInput: for an argument of another type or shape, or a temperature of 0 (:func:`greedy` takes the best action).
    """
    scores, legal = _given(logits, mask)
    return _log_softmax(scores, legal, _temperature("temperature", temperature))


def _log_softmax(scores: Array, legal: npt.NDArray[np.bool_], temperature: float) -> Floats:
    has_legal = legal.any(axis=-1, keepdims=True)
    scaled = np.where(legal, np.asarray(scores, np.float64) / temperature, -np.inf)
    scaled = np.where(has_legal, scaled, 0.0)
    scaled -= scaled.max(axis=-1, keepdims=True)
    result = scaled - np.log(np.exp(scaled).sum(axis=-1, keepdims=True))
    return np.where(has_legal, result, 0.0).astype(np.float32)


def sample(
    logits: Array, mask: Array, rng: np.random.Generator, temperature: float = 1.0
) -> tuple[npt.NDArray[np.int32], Floats]:
    """Draws legal actions from the softmax of ``logits / temperature``.

    Args:
        logits: float ``[..., A]``.
        mask: ``[..., A]``, 1 for legal.
        rng: ``numpy.random.default_rng(seed)``; it draws one number an action, so equal generators draw equal actions.
        temperature: above 0, as of :func:`log_softmax`.

    Returns:
        actions int32 ``[...]`` and their log-probabilities float32 ``[...]``.

    Raises:
        BadInput: for an argument of another type or shape.
    """
    scores, legal = _given(logits, mask)
    if not isinstance(rng, np.random.Generator):
        raise refused("rng", "a numpy.random.Generator, as of numpy.random.default_rng()", rng)
    logp = _log_softmax(scores, legal, _temperature("temperature", temperature))
    perturbed = logp - np.log(np.maximum(rng.exponential(size=logp.shape), 1e-300))  # Gumbel-max trick
    perturbed[~legal.any(axis=-1), 0] = np.inf
    actions = perturbed.argmax(axis=-1)
    return actions.astype(np.int32), np.take_along_axis(logp, actions[..., None], axis=-1)[..., 0]


def greedy(logits: Array, mask: Array) -> npt.NDArray[np.int32]:
    """The legal action with the greatest logit.

    Args:
        logits: float ``[..., A]``.
        mask: ``[..., A]``, 1 for legal.

    Returns:
        int32 ``[...]``: the first of equals, 0 in a row without a legal action.

    Raises:
        BadInput: for an argument of another type or shape.
    """
    scores, legal = _given(logits, mask)
    best: npt.NDArray[np.int32] = np.where(legal, scores, -np.inf).argmax(axis=-1).astype(np.int32)
    return best


def entropy(logits: Array, mask: Array) -> Floats:
    """Entropy of the softmax over legal actions.

    Args:
        logits: float ``[..., A]``.
        mask: ``[..., A]``, 1 for legal.

    Returns:
        nats, float32 ``[...]``; 0 for rows with one legal action or none.

    Raises:
        BadInput: for an argument of another type or shape.
    """
    scores, legal = _given(logits, mask)
    logp = np.where(legal, _log_softmax(scores, legal, 1.0), 0.0)
    result: Floats = np.where(legal, -np.exp(logp) * logp, 0.0).sum(axis=-1).astype(np.float32)
    return result
