"""A game as an environment of TextArena. Needs TextArena."""

from __future__ import annotations

from typing import Any

from textarena.core import Env, Info, ObservationType, State

from ..client.errors import KesselError
from .games import TextBatch
from .table import TextTable


class TextArenaGame(Env):  # type: ignore[misc]
    """One player against an agent, or two against each other. An observation is a list of messages to the player who decides, as
    TextArena's observation wrappers take them; no player gets those of another. The rewards of ``close`` are the players' returns."""

    def __init__(self, game: str, seat: str | None, opponent: str | None, **more: Any) -> None:
        self._batch = TextBatch(game, 1, seat, opponent, **more)
        self._named = seat is not None or opponent is not None
        self._shaped = more.get("shaping") is not None
        self._more = {k: v for k, v in more.items() if k in ("options", "retries", "then")}

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        """Starts the game again.

        Raises:
            KesselError: ``bad-option`` for more players than the game has seats, or options that don't fit their
                number.
        """
        play = self._play = _OnePlayer(self._batch) if num_players == 1 else self._table(num_players)
        play.reset(seed)
        if len(play.seats) != num_players:
            raise KesselError("bad-option", f"{self._batch.game} has {len(play.seats)} seat, not {num_players}")
        # the seed not to State: it would seed Python's own random numbers
        self.state = State(num_players=num_players)
        self.state.standard_resets(game_state={}, role_mapping=dict(enumerate(play.seats)))
        self._begun: set[int] = set()
        self._ask(None)

    def step(self, action: str) -> tuple[bool, Info]:
        """Answers for the player of ``get_observation``.

        Returns:
            whether the game is over; of the player that answered, ``illegal`` (its illegal answers so far), and ``legal``, the
            number of legal actions of the next decision.
        """
        state, play = self.state, self._play
        player, illegal = play.player, play.illegal[play.player]
        state.add_observation(action, ObservationType.PLAYER_ACTION, from_id=player, to_id=player)
        state.done = play.step(action)
        wrong = play.illegal[player] > illegal
        info = state.game_info[player]
        info["turn_count"] += 1
        info["invalid_move"] = wrong
        self._ask(player if wrong else None)
        state.rewards = dict(enumerate(play.returns))
        state.step_info = {"illegal": play.illegal[player], "legal": play.legal}
        done, told = state.step()
        return bool(done), told

    def close(self) -> tuple[dict[int, float], dict[int, Info]]:
        """Rewards and information by player; the server goes on until :meth:`end`."""
        rewards, info = self.state.close()
        return rewards or {player: 0.0 for player in range(self.state.num_players)}, info

    def end(self) -> None:
        """Ends the server, if it was started here."""
        self._batch.close()

    def _table(self, num_players: int) -> TextTable:
        if num_players != 2:
            raise KesselError(
                "bad-option", f"one player plays against an agent, or two against each other, not {num_players}"
            )
        if self._named:
            raise KesselError("bad-option", "with two players both seats are theirs; name no seat and no opponent")
        if self._shaped:
            raise KesselError("bad-option", "shaping is for one player against an agent")
        return TextTable(self._batch.game, server=self._batch.server, **self._more)

    def _ask(self, refused: int | None) -> None:
        """Tells the player who decides what it is to read; at the end, everyone. ``refused``: whose answer was illegal."""
        play = self._play
        texts = enumerate(play.closing()) if play.over else [play.observe()]
        for player, text in texts:
            kind = ObservationType.GAME_BOARD if player in self._begun else ObservationType.PROMPT
            self._begun.add(player)
            self.state.add_observation(text, ObservationType.GAME_ADMIN if player == refused else kind, to_id=player)
        self.state.current_player_id = play.player


class _OnePlayer:
    """A game against an agent, asked as a :class:`TextTable` is."""

    player = 0

    def __init__(self, batch: TextBatch) -> None:
        self._batch = batch
        self.seats = [batch.game]
        self.returns = [0.0]

    def reset(self, seed: int | None) -> None:
        (self._text,) = self._batch.reset(seed)

    @property
    def over(self) -> bool:
        return self._batch.over[0]

    @property
    def illegal(self) -> list[int]:
        return self._batch.illegal

    @property
    def legal(self) -> int:
        return self._batch.legal[0]

    def observe(self) -> tuple[int, str]:
        return 0, self._text

    def step(self, answer: str) -> bool:
        (self._text,), (reward,), (over,) = self._batch.step([answer])
        self.returns = [self.returns[0] + reward]
        return over

    def closing(self) -> list[str]:
        return [self._text]
