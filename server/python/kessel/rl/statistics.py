"""Statistics of finished episodes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Iterable, Mapping

import numpy as np

from ..client.checks import refused, whole
from ..client.inputs import choice_of
from ..envs.vector import VectorEnv


@dataclass(frozen=True)
class Episode:
    """An episode that has ended."""

    env: int
    returns: tuple[float, ...]
    """Sum of the rewards of each player."""
    length: int
    """Number of the caller's steps."""
    truncated: bool
    opponents: tuple[int, ...] | None
    """By player: index of the agent in its pool, -1 without a pool; ``None`` if there are no pools."""


class EpisodeStatistics:
    """Episode statistics of a :class:`kessel.VectorEnv`, for every autoreset mode and pools of opponents.

        >>> stats = EpisodeStatistics(envs)
        >>> obs, info = envs.reset(seed=7)
        >>> stats.start(info)
        >>> while training:
        ...     obs, reward, terminated, truncated, info = envs.step(actions)
        ...     stats.update(terminated, truncated, info)
        >>> stats.summary()["win_rate"]

    Args:
        envs: the environments.
        window: number of latest episodes in :meth:`summary`.
        player: name of the side whose results :meth:`summary` reports; default: the caller's first side.

    Raises:
        BadInput: for a player that is no side of the game, or another argument of the wrong type.
    """

    def __init__(self, envs: VectorEnv, window: int = 200, player: str | None = None) -> None:
        if not hasattr(getattr(envs, "batch", None), "external"):  # a wrapper has it too
            raise refused("envs", "a kessel.VectorEnv, as of make_vec", envs)
        name = envs.batch.external[0] if player is None else choice_of("player", player, envs.players)
        self.player = envs.players.index(name)
        self.episodes: deque[Episode] = deque(maxlen=whole(1)("window", window))
        self.finished = 0
        """Number of finished episodes."""
        self._waits = envs.batch.autoreset != "same-step"
        self._returns = np.zeros((envs.num_envs, len(envs.players)), np.float64)
        self._lengths = np.zeros(envs.num_envs, np.int64)
        self._over = np.zeros(envs.num_envs, np.bool_)
        self._opponents: np.ndarray | None = None

    def start(self, info: Mapping[str, Any], reset_mask: np.ndarray | None = None) -> None:
        """Call after a reset, with its info; ``reset_mask`` bool ``[B]`` if only some environments were reset."""
        rows = slice(None) if reset_mask is None else reset_mask
        self._returns[rows] = 0
        self._lengths[rows] = 0
        self._over[rows] = False
        self._opponents = info.get("opponents")

    def update(self, terminated: np.ndarray, truncated: np.ndarray, info: Mapping[str, Any]) -> list[Episode]:
        """Call after a step, with its results (flags bool ``[B]``).

        Returns:
            the episodes that ended in this step.
        """
        self._returns += info["rewards"]
        self._lengths += ~self._over  # a step that only starts the next episode does not count
        over = terminated | truncated
        ended: list[Episode] = []
        for i in np.flatnonzero(over & ~self._over):
            opponents = None if self._opponents is None else tuple(int(o) for o in self._opponents[i])
            ended.append(
                Episode(
                    int(i), tuple(map(float, self._returns[i])), int(self._lengths[i]), bool(truncated[i]), opponents
                )
            )
            self._returns[i] = 0
            self._lengths[i] = 0
        self._over = over if self._waits else np.zeros_like(over)
        self._opponents = info.get("opponents")
        self.finished += len(ended)
        self.episodes.extend(ended)
        return ended

    def summary(self) -> dict[str, float]:
        """``episodes``, ``wins``, ``draws``, ``losses``; ``win_rate`` (draws count half), ``mean_return``,
        ``mean_length``.

        Rates and means are NaN before the first episode ends.
        """
        return summary_of(self.episodes, self.player)

    def against(self, player: int) -> dict[int, float]:
        """Win rate (draws count half) by index of the agent in ``player``'s pool, for agents that played."""
        results: dict[int, list[float]] = {}
        for e in self.episodes:
            if e.opponents is not None:
                results.setdefault(e.opponents[player], []).append((np.sign(e.returns[self.player]) + 1) / 2)
        return {k: float(np.mean(v)) for k, v in sorted(results.items())}


def summary_of(episodes: Iterable[Episode], player: int) -> dict[str, float]:
    """As :meth:`EpisodeStatistics.summary`, of any episodes; ``player`` is the index of a side."""
    episodes = list(episodes)
    returns = np.array([e.returns[player] for e in episodes])
    wins, losses = int((returns > 0).sum()), int((returns < 0).sum())
    n = len(returns)
    draws = n - wins - losses
    return {
        "episodes": n,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "win_rate": (wins + draws / 2) / n if n else float("nan"),
        "mean_return": float(returns.mean()) if n else float("nan"),
        "mean_length": float(np.mean([e.length for e in episodes])) if n else float("nan"),
    }
