"""Situations of a game, to compare a model's answers on."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ..client import Client
from ..masks import sample
from ..spaces import TENSORS

ROWS = 16
APART = 5
"""Random steps between one row and the next, so that early and late situations are there."""


class Source:
    """What environments of any face (or wrappers of them) tell about their game."""

    def __init__(self, envs: Any) -> None:
        inner = getattr(envs, "unwrapped", envs)
        inner = getattr(inner, "game", inner)
        try:
            self.client: Client = inner.client
            self.description: Mapping[str, Any] = inner.description
            self.seats: list[str] = inner.batch.external
            self.made: Mapping[str, Any] = inner.made
        except AttributeError:
            raise TypeError(f"environments of kessel.make_vec, make, aec_env or parallel_env are needed, not {type(envs).__name__}") from None

    @property
    def flat_size(self) -> int:
        """Length of the four tensors one after the other."""
        return sum(int(np.prod(self.description["shapes"][t])) for t in TENSORS)


def situations(envs: Any, rows: int = ROWS, seed: int = 0) -> dict[str, np.ndarray]:
    """Plays at random in a batch of its own, with the game, options and seats of ``envs``.

    Returns:
        ``globals [rows, G]``, ``map``, ``units``, ``decision`` float32 and ``mask [rows, A]`` uint8, of early and late
        decisions.
    """
    source = Source(envs)
    rng = np.random.default_rng(seed)
    kept: list[dict[str, np.ndarray]] = []
    batch = source.client.make(**{**source.made, "size": rows, "autoreset": "same-step", "dtype": "float32", "privileged": None, "record": None})
    try:
        t = batch.reset(seed=seed)
        for step in range(rows * APART):
            if step % APART == 0:
                kept.append({name: t[name][step // APART].copy() for name in (*TENSORS, "mask")})
            t = batch.step(sample(t["mask"], rng))
    finally:
        batch.close()
    return {name: np.stack([k[name] for k in kept]) for name in (*TENSORS, "mask")}
