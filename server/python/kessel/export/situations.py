"""Recorded decisions of a game, on which the outputs of a model are compared."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ..client.client import Client
from ..envs.masks import sample
from ..envs.spaces import TENSORS

ROWS = 16
STEPS_BETWEEN_ROWS = 5
"""Random steps between two rows, so that rows are from early and late in the game."""


class Source:
    """Client, game and seats of environments, whatever their interface or wrappers."""

    def __init__(self, envs: Any) -> None:
        inner = getattr(envs, "unwrapped", envs)
        inner = getattr(inner, "game", inner)
        try:
            self.client: Client = inner.client
            self.description: Mapping[str, Any] = inner.description
            self.seats: list[str] = inner.batch.external
            self.made: Mapping[str, Any] = inner.made
        except AttributeError:
            raise TypeError(
                f"environments of kessel.make_vec, make, aec_env or parallel_env are needed, not {type(envs).__name__}"
            ) from None

    @property
    def flat_size(self) -> int:
        """Length of the four tensors, flattened and concatenated."""
        return sum(int(np.prod(self.description["shapes"][t])) for t in TENSORS)


def situations(envs: Any, rows: int = ROWS, seed: int = 0) -> dict[str, np.ndarray]:
    """Plays at random in a separate batch with the game, options and seats of ``envs``.

    Returns:
        ``globals [rows, G]``, ``map``, ``units``, ``decision`` float32 and ``mask [rows, A]`` uint8, of early and late
        decisions.
    """
    source = Source(envs)
    rng = np.random.default_rng(seed)
    recorded: list[dict[str, np.ndarray]] = []
    batch = source.client.make(
        **{
            **source.made,
            "size": rows,
            "autoreset": "same-step",
            "dtype": "float32",
            "privileged": None,
            "potentials": None,
            "record": None,
        }
    )
    try:
        t = batch.reset(seed=seed)
        for step in range(rows * STEPS_BETWEEN_ROWS):
            if step % STEPS_BETWEEN_ROWS == 0:
                recorded.append({name: t[name][step // STEPS_BETWEEN_ROWS].copy() for name in (*TENSORS, "mask")})
            t = batch.step(sample(t["mask"], rng))
    finally:
        batch.close()
    return {name: np.stack([k[name] for k in recorded]) for name in (*TENSORS, "mask")}
