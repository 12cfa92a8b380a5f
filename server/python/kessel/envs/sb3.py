"""A batch of environments as the ``VecEnv`` of Stable-Baselines3."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Iterable, Sequence

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from ..client.checks import checked
from ..client.inputs import number_of
from .arguments import EpisodeArguments, spelled_out
from .spaces import TENSORS, flatten
from .vector import VectorEnv, make_vec
from .wrappers import flat_space

if TYPE_CHECKING:
    from typing_extensions import Unpack


class KesselVecEnv(VecEnv):
    """B environments that step together. Made by :func:`make_vec_env`.

    ``action_masks()`` is what MaskablePPO asks for. The infos of a step that ends an episode have ``terminal_observation``,
    ``TimeLimit.truncated`` and ``episode`` (return ``r``, length ``l`` in the caller's steps, seconds ``t``), as those of
    Stable-Baselines3's ``Monitor``; no other step has any.
    """

    def __init__(self, envs: VectorEnv, flat: bool) -> None:
        self.envs = envs
        self.flat = flat
        self.actions: list[str] = envs.actions
        self.players: list[str] = envs.players
        self.render_mode = envs.render_mode
        space = envs.single_observation_space
        super().__init__(envs.num_envs, flat_space(space) if flat else space, envs.single_action_space)
        self._masks: np.ndarray = np.zeros((envs.num_envs, len(envs.actions)), np.bool_)
        self._request = 0
        self._returns = np.zeros(envs.num_envs, np.float64)
        self._lengths = np.zeros(envs.num_envs, np.int64)
        self._start = time.time()

    def reset(self) -> Any:
        seed = self._seeds[0]  # of `seed`, which numbers the environments from there on
        options = self._options[0] or None
        obs, info = self.envs.reset(seed=seed, options=options)
        self._masks = info["action_mask"].view(np.bool_)
        self._returns[:] = 0
        self._lengths[:] = 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return self._seen(obs)

    def step_async(self, actions: np.ndarray) -> None:
        self._request = self.envs.send_step(actions)

    def step_wait(self) -> Any:
        obs, reward, terminated, truncated, info = self.envs.receive(self._request)
        self._masks = info["action_mask"].view(np.bool_)
        self._returns += reward
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        over = terminated | truncated
        for i in np.flatnonzero(over):
            last = info["final_obs"][i]
            infos[i] = {
                "terminal_observation": flatten(last) if self.flat else last,
                "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
                "episode": {
                    "r": float(self._returns[i]),
                    "l": int(self._lengths[i]),
                    "t": round(time.time() - self._start, 6),
                },
            }
            self._returns[i] = 0
            self._lengths[i] = 0
        return self._seen(obs), np.array(reward, np.float32), over, infos

    def action_masks(self) -> np.ndarray:
        """bool ``[B, A]``"""
        return self._masks

    def _seen(self, obs: dict[str, np.ndarray]) -> Any:
        return flatten(obs, 1) if self.flat else {name: obs[name] for name in TENSORS}

    # -- what Stable-Baselines3 asks of single environments ------------------------------------------------------------

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name) for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        if len(self._chosen(indices)) != self.num_envs:
            raise ValueError("the environments are one batch: attributes are set for all of them")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"the environments are one batch, with the method action_masks, not {method_name}")
        return [self._masks[i] for i in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        from stable_baselines3.common.monitor import Monitor

        told = wrapper_class is Monitor  # infos have what Monitor adds
        return [told for _ in self._chosen(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        images: Sequence[np.ndarray | None] = self.envs.render()
        return images

    def close(self) -> None:
        self.envs.close()

    def _chosen(self, indices: Any) -> list[int]:
        chosen: Iterable[int] = self._get_indices(indices)
        return list(chosen)


@spelled_out(EpisodeArguments, render_mode=None)
def make_vec_env(
    game: str, n_envs: int = 1, *, seed: int | None = None, flat: bool = True, **args: Unpack[EpisodeArguments]
) -> KesselVecEnv:
    """Environments for Stable-Baselines3 and sb3-contrib, all in one batch.

    Args:
        game: its id, such as ``pocket-stalingrad``.
        n_envs: number of environments, B.
        seed: of the first reset.
        flat: observations are one array (``MlpPolicy``) in place of a dict of the four tensors (``MultiInputPolicy``).
        args: as of :func:`kessel.make_vec`, without ``autoreset``. Agents without masks, such as ``PPO``, need
            ``illegal="random"``; ``MaskablePPO`` takes legal actions alone.

    Raises:
        BadInput: for an argument of the wrong type or beyond its bounds, which it names.
    """
    own = checked({"n_envs": n_envs, "flat": flat})
    start = number_of(seed)
    args.setdefault("render_mode", None)
    envs = KesselVecEnv(make_vec(game, own["n_envs"], autoreset="same-step", **args), own["flat"])
    if start is not None:
        envs.seed(start)
    return envs
