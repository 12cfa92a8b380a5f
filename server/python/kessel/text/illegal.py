"""Counts illegal answers, and replaces them after too many."""

from __future__ import annotations

import random
from typing import Any

from ..client.errors import KesselError
from .server import Answer, ToolServer, refused


class IllegalAnswers:
    """Counts the illegal answers of several players, each by itself.

    Args:
        players: number of players.
        retries: illegal answers in a row after which a player is asked again.
        then: after these, ``"lose"`` resigns the player's game, ``"random"`` draws a legal action.

    Attributes:
        count: illegal answers of each player since the reset.
        then: as given.

    Raises:
        KesselError: ``bad-config`` for arguments that don't fit.
    """

    def __init__(self, players: int, retries: int, then: str) -> None:
        if retries < 0:
            raise KesselError("bad-config", f"retries is at least 0, not {retries}")
        if then not in ("lose", "random"):
            raise KesselError("bad-config", f'then is "lose" or "random", not {then!r}')
        self._players, self._retries, self.then = players, retries, then
        self.reset(None)

    def reset(self, seed: int | None) -> None:
        """Counts from 0 again. Equal seeds draw equal actions."""
        self.count = [0] * self._players
        self._row = [0] * self._players
        self._rng = random.Random(seed)

    def forgives(self, player: int, answer: Answer) -> bool:
        """True when the player is to be asked again, by what the server said to its answer.

        Raises:
            KesselError: for an error that isn't about the words of the answer.
        """
        if not answer.error:
            self._row[player] = 0
            return False
        if not answer.text.startswith("bad-answer: "):
            raise refused(answer)
        self.count[player] += 1
        self._row[player] += 1
        if self._row[player] <= self._retries:
            return True
        self._row[player] = 0
        return False

    def in_place(self, player: int, server: ToolServer, session: str, legal: int, **more: Any) -> Answer:
        """Answers for a player that is not forgiven: one of ``legal`` actions, or its resignation.

        Args:
            more: arguments of ``act``.
        """
        if self.then == "lose":
            return server.call("resign", session=session)
        return server.call("act", session=session, action=str(1 + self._rng.randrange(legal)), **more)
