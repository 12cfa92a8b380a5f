"""Rewards shaped by a potential of the game: F = gamma * phi(s') - phi(s), where phi is 0 after the end.

Over an episode the discounted sum of F is -phi of its start, whatever is played: which policies are best does not change
(Ng, Harada and Russell 1999), as long as the learner discounts by the same gamma. Potentials read the true state, hidden
units too, so environments must be privileged; observations stay those of the seat.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs


class _Potential:
    """The potential that was chosen, as seen from the caller's one seat."""

    def __init__(
        self, described: Mapping[str, Any], made: Mapping[str, Any], own: int | None, name: str | None, gamma: float
    ) -> None:
        if not made.get("potentials"):
            raise ValueError("shaping reads potentials; make the environments with privileged=True, potentials=True")
        if own is None:
            raise ValueError("shaping needs one seat to reward; give seat=..., for self-play one batch for each side")
        if not 0 <= gamma <= 1:
            raise ValueError(f"gamma must be in 0..1, not {gamma}")
        names: Sequence[str] = described["potentials"]
        self.name = names[0] if name is None else name
        if self.name not in names:
            raise ValueError(f"{self.name!r} is no potential of this game; it has {', '.join(names)}")
        self.index, self.sign, self.gamma = names.index(self.name), (1.0 if own == 0 else -1.0), gamma


class PotentialShaping(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """A :class:`kessel.Env` with one seat whose reward has ``weight * (gamma * phi(s') - phi(s))`` added.

    ``info["rewards"]`` stays what the game gives. A truncated episode is not over: its last potential counts.

    Args:
        env: made with ``privileged=True, potentials=True``.
        potential: name of the potential; default: the game's first.
        gamma: the learner's discount.
        weight: factor of phi.

    Raises:
        ValueError: for environments without potentials or with several seats, an unknown potential, a bad ``gamma``.
    """

    def __init__(
        self, env: gymnasium.Env[Any, Any], potential: str | None = None, gamma: float = 1.0, weight: float = 1.0
    ) -> None:
        RecordConstructorArgs.__init__(self, potential=potential, gamma=gamma, weight=weight)
        gymnasium.Wrapper.__init__(self, env)
        inner: Any = env.unwrapped
        self._of = _Potential(inner.game.description, inner.game.made, inner._seat, potential, gamma)
        self._factor = weight * self._of.sign
        self._before = 0.0

    def reset(self, **given: Any) -> tuple[Any, dict[str, Any]]:
        obs, info = self.env.reset(**given)
        self._before = self._phi(info)
        return obs, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        obs, reward, terminated, truncated, info = self.env.step(action)
        now = 0.0 if terminated else self._phi(info)
        shaped, self._before = float(reward) + self._of.gamma * now - self._before, now
        return obs, shaped, terminated, truncated, info

    def action_masks(self) -> np.ndarray:
        """bool ``[A]``, as MaskablePPO asks for it."""
        masks: np.ndarray = self.env.unwrapped.action_masks()  # type: ignore[attr-defined]
        return masks

    def _phi(self, info: Mapping[str, Any]) -> float:
        return self._factor * float(info["potentials"][self._of.name])


class PotentialShapingVector(gymnasium.vector.VectorWrapper):
    """:class:`PotentialShaping` of a :class:`kessel.VectorEnv`, of every autoreset mode; wraps :class:`kessel.FlatVector` too.

    With ``same-step`` the last potential of a truncated episode is not available, so ``max_decisions`` is refused there.
    """

    def __init__(
        self,
        env: gymnasium.vector.VectorEnv[Any, Any, Any],
        potential: str | None = None,
        gamma: float = 1.0,
        weight: float = 1.0,
    ) -> None:
        super().__init__(env)
        inner: Any = env.unwrapped
        self._of = _Potential(inner.description, inner.made, inner.own, potential, gamma)
        self._same = inner.batch.autoreset == "same-step"
        if self._same and inner.made.get("maxDecisions"):
            raise ValueError("with max_decisions, shaping needs autoreset next-step or disabled")
        self._factor = np.float32(weight * self._of.sign)
        self._before = np.zeros(env.num_envs, np.float32)
        self._over = np.zeros(env.num_envs, np.bool_)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        obs, info = self.env.reset(seed=seed, options=options)
        self._before = self._phi(info)
        again = None if options is None else options.get("reset_mask")
        self._over = np.zeros_like(self._over) if again is None else self._over & ~again
        return obs, info

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        obs, rewards, terminated, truncated, info = self.env.step(actions)
        now, over = self._phi(info), terminated | truncated
        after = np.where(over if self._same else terminated, np.float32(0), now)
        # with next-step, a step after the end only starts the next episode
        shaping = np.where(self._over, np.float32(0), np.float32(self._of.gamma) * after - self._before)
        self._before, self._over = now, (np.zeros_like(over) if self._same else over)
        return obs, rewards + shaping, terminated, truncated, info

    def _phi(self, info: Mapping[str, Any]) -> np.ndarray:
        phi: np.ndarray = self._factor * info["potentials"][:, self._of.index]
        return phi
