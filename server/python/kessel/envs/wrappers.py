"""Wrappers that flatten observations."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from .spaces import TENSORS, flatten


def flat_space(space: spaces.Dict) -> spaces.Box:
    """The box of ``globals``, ``map``, ``units``, ``decision``, flattened and concatenated."""
    boxes = [space[t] for t in TENSORS]
    low, high = (np.concatenate([getattr(b, end).ravel() for b in boxes]) for end in ("low", "high"))
    return spaces.Box(low, high, dtype=boxes[0].dtype.type)  # type: ignore[union-attr]


class Flat(gymnasium.ObservationWrapper[np.ndarray, int, dict[str, np.ndarray]], RecordConstructorArgs):
    """A :class:`kessel.Env` whose observation is one array."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)  # so that `spec` can make it again
        gymnasium.ObservationWrapper.__init__(self, env)
        self.observation_space = flat_space(env.observation_space)  # type: ignore[arg-type]

    def observation(self, observation: dict[str, np.ndarray]) -> np.ndarray:
        return flatten(observation)

    def action_masks(self) -> np.ndarray:
        masks: np.ndarray = self.env.unwrapped.action_masks()  # type: ignore[attr-defined]
        return masks


class FlatVector(gymnasium.vector.VectorWrapper):
    """A :class:`kessel.VectorEnv` whose observation is one array ``[B, n]``, ``info["final_obs"]`` of ``same-step`` too."""

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self.single_observation_space = flat_space(env.single_observation_space)  # type: ignore[arg-type]
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, env.num_envs)
        self.autoreset_mode = env.metadata["autoreset_mode"]

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        observations, info = self.env.reset(seed=seed, options=options)
        return flatten(observations, 1), info

    def step(self, actions: Any) -> tuple[np.ndarray, Any, Any, Any, dict[str, Any]]:
        observations, rewards, terminations, truncations, info = self.env.step(actions)
        if "final_obs" in info:
            final = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(info["_final_obs"]):
                final[i] = flatten(info["final_obs"][i])
            info = {**info, "final_obs": final}
        return flatten(observations, 1), rewards, terminations, truncations, info
