"""Evaluation of a policy by its win rate."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Sequence

import numpy as np

from ..client.checks import function, number, whole
from ..client.inputs import seed_of
from ..envs.arguments import EpisodeArguments, spelled_out
from ..envs.vector import Observation, make_vec
from .statistics import Episode, EpisodeStatistics, summary_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

Z = 1.959964
"""Two-sided 95 % point of the normal distribution."""

_games, _rate = whole(0), number(0, 1)


def wilson(score: float, n: int) -> tuple[float, float]:
    """95 % Wilson interval of a rate.

    Args:
        score: the rate, from 0 to 1; ignored if ``n`` is 0.
        n: number of games in which it was measured.

    Returns:
        its lower and upper end; 0 and 1 if ``n`` is 0.

    Raises:
        BadInput: for a rate outside 0 to 1, or a bad number of games.
    """
    if _games("n", n) == 0:
        return 0.0, 1.0
    score = _rate("score", score)
    middle, width = score + Z * Z / (2 * n), Z * math.sqrt(score * (1 - score) / n + Z * Z / (4 * n * n))
    return (middle - width) / (1 + Z * Z / n), (middle + width) / (1 + Z * Z / n)


Choose = Callable[[Observation, np.ndarray], Any]
"""Takes observations (float32, see :class:`kessel.VectorEnv`) and masks int8 ``[B, A]``, returns actions int ``[B]``."""


@spelled_out(EpisodeArguments)
def evaluate(
    choose: Choose, game: str, games: int = 200, *, seed: int | str = 10_000, **args: Unpack[EpisodeArguments]
) -> dict[str, float]:
    """Plays one game in each of ``games`` environments, all at once.

    Args:
        choose: see :data:`Choose`.
        game: id of the game.
        games: number of games.
        seed: of dice and opponents; use one that training does not use.
        args: ``seat``, ``opponent``, ``options``, ``address`` etc., as of :func:`kessel.make_vec`.

    Returns:
        as :meth:`kessel.rl.EpisodeStatistics.summary`, with ``low`` and ``high``, the 95 % interval of the win rate.

    Raises:
        BadInput: for an argument of the wrong type or beyond its bounds, which it names.
    """
    return rated(*first_episodes(choose, game, games, seed=seed, **args))


def first_episodes(
    choose: Choose, game: str, games: int, *, seed: int | str, **args: Unpack[EpisodeArguments]
) -> tuple[list[Episode], int]:
    """The first episode of each of ``games`` environments, and the index of the player whose results count."""
    function("choose", choose)
    games, seed = whole(1)("games", games), seed_of(seed) or 0
    envs = make_vec(game, games, autoreset="same-step", **args)
    try:
        stats = EpisodeStatistics(envs, window=1)
        first: dict[int, Episode] = {}  # one per environment, since short games would count more often
        obs, info = envs.reset(seed=seed)
        stats.start(info)
        while len(first) < games:
            obs, _, terminated, truncated, info = envs.step(choose(obs, info["action_mask"]))
            for episode in stats.update(terminated, truncated, info):
                first.setdefault(episode.env, episode)
    finally:
        envs.close()
    return [first[i] for i in range(games)], stats.player


def rated(episodes: Sequence[Episode], player: int) -> dict[str, float]:
    """What :func:`evaluate` returns, of episodes that were played."""
    summary = summary_of(episodes, player)
    low, high = wilson(summary["win_rate"], len(episodes))
    return {**summary, "low": low, "high": high}
