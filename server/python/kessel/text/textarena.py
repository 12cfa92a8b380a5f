"""A game as an environment of TextArena. Needs TextArena."""

from __future__ import annotations

from typing import Any

from textarena.core import Env, Info, ObservationType, State

from ..client.errors import KesselError
from .games import TextBatch

PLAYER = 0


class TextArenaGame(Env):  # type: ignore[misc]
    """One player against an agent. An observation is a list of messages, as TextArena's observation wrappers take them; the reward of
    ``close`` is the return of the seat."""

    def __init__(self, game: str, seat: str | None, opponent: str | None, **more: Any) -> None:
        self._batch = TextBatch(game, 1, seat, opponent, **more)

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        if num_players != 1:
            raise KesselError("bad-option", f"one player plays against an agent, not {num_players}")
        # not to State: it would seed Python's own random numbers
        self.state = State(num_players=1)
        self.state.standard_resets(game_state={}, role_mapping={PLAYER: self._batch.game})
        (text,) = self._batch.reset(seed)
        self._tell(text, ObservationType.PROMPT)

    def step(self, action: str) -> tuple[bool, Info]:
        state = self.state
        state.add_observation(action, ObservationType.PLAYER_ACTION, from_id=PLAYER, to_id=PLAYER)
        illegal = self._batch.illegal[0]
        texts, rewards, over = self._batch.step([action])
        wrong = self._batch.illegal[0] > illegal
        self._tell(texts[0], ObservationType.GAME_ADMIN if wrong else ObservationType.GAME_BOARD)
        info = state.game_info[PLAYER]
        info["turn_count"] += 1
        info["invalid_move"] = wrong
        state.rewards = {PLAYER: rewards[0] + (state.rewards or {PLAYER: 0.0})[PLAYER]}
        state.done = over[0]
        state.step_info = {"illegal": self._batch.illegal[0], "legal": self._batch.legal[0]}
        done, told = state.step()
        return bool(done), told

    def close(self) -> tuple[dict[int, float], dict[int, Info]]:
        """Rewards and information by player; the server goes on until :meth:`end`."""
        rewards, info = self.state.close()
        return rewards or {PLAYER: 0.0}, info

    def end(self) -> None:
        """Ends the server, if it was started here."""
        self._batch.close()

    def _tell(self, text: str, kind: ObservationType) -> None:
        self.state.add_observation(text, kind, to_id=PLAYER)
