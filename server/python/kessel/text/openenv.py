"""A game as an OpenEnv server. Needs openenv-core."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from openenv.core.env_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from ..client.errors import KesselError
from .games import TextBatch
from .server import ToolServer

MOST_GAMES = 64
"""Connections that play at once."""


class TextAction(Action):
    text: str = Field(
        description="the answer to the decision: a number or a name of a legal action, prose around it or not"
    )


class TextObservation(Observation):
    text: str = Field(description="what happened, the situation or what has changed of it, and the legal actions")
    legal: int = Field(description="number of legal actions")
    illegal: int = Field(description="illegal answers since the reset")


class TextGame(Environment[TextAction, TextObservation, State]):
    """One game. The reward is the return of the seat at the end; see :class:`kessel.text.TextBatch`."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, batch: TextBatch) -> None:
        super().__init__()
        self._batch = batch
        self._state = State(episode_id=None, step_count=0)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> TextObservation:
        if kwargs:
            raise KesselError("bad-option", f"reset takes seed and episode_id, not {', '.join(kwargs)}")
        (text,) = self._batch.reset(seed)
        self._state = State(episode_id=episode_id or uuid4().hex, step_count=0)
        return self._observation(text, None)

    def step(self, action: TextAction, timeout_s: float | None = None, **kwargs: Any) -> TextObservation:
        texts, rewards, _ = self._batch.step([action.text])
        self._state.step_count += 1
        return self._observation(texts[0], rewards[0])

    @property
    def state(self) -> State:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        return EnvironmentMetadata(
            name=f"kessel/{self._batch.game}", description=f"The wargame {self._batch.game} as text, against an agent."
        )

    def close(self) -> None:
        self._batch.close()

    def _observation(self, text: str, reward: float | None) -> TextObservation:
        batch = self._batch
        return TextObservation(
            text=text, legal=batch.legal[0], illegal=batch.illegal[0], done=batch.over[0], reward=reward
        )


def make_app(game: str, seat: str | None, opponent: str | None, *, shaping: str | None = None, **more: Any) -> Any:
    server = ToolServer(potentials=shaping is not None)

    def make() -> TextGame:
        return TextGame(TextBatch(game, 1, seat, opponent, shaping=shaping, server=server, **more))

    return create_fastapi_app(make, TextAction, TextObservation, max_concurrent_envs=MOST_GAMES)
