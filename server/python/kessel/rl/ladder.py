"""Opponents whose strength rises with the learner's."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from ..client.checks import number, refused, whole, word
from .statistics import Episode


class Ladder:
    """Opponents in rising order. The ladder moves on when the learner wins often enough.

        >>> ladder = Ladder(["random", "heuristic:first-keep", "heuristic:planner"])
        >>> envs = kessel.make_vec(game, 64, seat="german", opponent=ladder.pool)
        >>> ...
        >>> if ladder.update(stats.update(terminated, truncated, info), envs):  # between updates of the learner
        ...     envs.close()
        ...     envs = kessel.make_vec(game, 64, seat="german", opponent=ladder.pool)

    When you make the environments again, their running episodes end. Do it just after an update of the learner, and value
    the episodes that were cut off by the learner's own estimate.

    Args:
        opponents: names of agents. A generator may make each when it is needed, such as a snapshot of the learner.
        threshold: rate of wins (a draw counts half) at which the ladder moves on.
        games: number of latest games against the current opponent that the rate is computed from; all must have been
            played.
        earlier: share of the episodes against earlier opponents, so that the learner does not forget them.

    Raises:
        BadInput: for no opponents, or arguments of the wrong type or outside their ranges, which it names.
    """

    def __init__(
        self, opponents: Iterable[str], threshold: float = 0.6, games: int = 100, earlier: float = 0.25
    ) -> None:
        self.threshold, self.earlier = (
            number(0, 1)("threshold", threshold),
            number(0, 1, below=True)("earlier", earlier),
        )
        self._results: deque[float] = deque(maxlen=whole(1)("games", games))
        try:
            if isinstance(opponents, (str, bytes, Mapping)):
                raise TypeError
            self._rest = iter(opponents)
        except TypeError:
            raise refused("opponents", "a list or generator of names of agents", opponents) from None
        self.met: list[str] = []
        """Opponents so far; the last is the present one."""
        if not self._climb():
            raise refused("opponents", "one name of an agent or more", opponents)

    @property
    def pool(self) -> list[dict[str, Any]]:
        """The opponents as :func:`kessel.make_vec` takes them."""
        *passed, present = self.met
        weights = [self.earlier / len(passed)] * len(passed) if self.earlier > 0 and passed else []
        shown = passed if weights else []
        return [{"agent": a, "weight": w} for a, w in zip([*shown, present], [*weights, 1 - self.earlier])]

    @property
    def rate(self) -> float:
        """Rate of wins against the current opponent; NaN before the first game."""
        return sum(self._results) / len(self._results) if self._results else float("nan")

    def update(self, ended: Iterable[Episode], envs: Any) -> bool:
        """Counts episodes of environments made with :attr:`pool`, in which the caller has one seat.

        Returns:
            True when the ladder has moved to the next opponent. Then make the environments again.
        """
        own = envs.own
        if own is None:
            raise ValueError("a ladder needs environments in which the caller has one seat")
        present = len(self.pool) - 1
        for episode in ended:
            if episode.opponents is None or episode.opponents[1 - own] == present:
                result = episode.returns[own]
                self._results.append(0.5 if result == 0 else float(result > 0))
        if len(self._results) < (self._results.maxlen or 0) or self.rate < self.threshold:
            return False
        if not self._climb():
            return False
        self._results.clear()
        return True

    def _climb(self) -> bool:
        """Takes the next opponent. Returns whether there was one."""
        following = next(self._rest, None)
        if following is not None:
            self.met.append(word(f"opponents[{len(self.met)}]", following))
        return following is not None
