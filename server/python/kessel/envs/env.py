"""One environment as ``gymnasium.Env``."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ..client.inputs import seed_of
from .copying import Copied
from .one import OneGame
from .registration import spec_of
from .render import METADATA, check_mode
from .spaces import observation_space


class Env(Copied, gymnasium.Env[dict[str, np.ndarray], int]):
    """A game as ``gymnasium.Env``. Made by :func:`make`.

    Observation: a dict of ``globals [G]``, ``map [N, Fm]``, ``units [U, Fu]``, ``decision [D]``, of the acting player.
    Action: an index into ``actions``. ``info`` has ``action_mask`` int8 ``[A]`` (fit for
    ``action_space.sample(mask)``), ``actor`` (name of the acting player, ``None`` after the end), ``rewards`` by side,
    ``decisions``, ``potentials`` by name (the first player's) if made with them, and ``illegal_action: True`` after one. The reward is that of the caller's seat; with several seats,
    that of the side that acted.
    """

    def __init__(self, game: str, render_mode: str | None = None, **args: Any) -> None:
        self.metadata = dict(METADATA)
        self.render_mode = check_mode(render_mode)
        self.recipe = Env, {"game": game, "render_mode": render_mode, **args}
        self.spec = spec_of(game, {"render_mode": render_mode, **args})
        self.game = OneGame(game, args)
        self.batch = self.game.batch
        self.begun = False
        self.players = self.game.players
        self.actions = self.game.actions
        self.observation_space = observation_space(self.game.description, self.game.dtype)
        self.action_space = spaces.Discrete(len(self.actions))  # type: ignore[assignment]
        self._seat = self.players.index(self.game.seats[0]) if len(self.game.seats) == 1 else None
        self._closed = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Starts an episode; ``seed`` determines the dice of this and later episodes, and the opponents' choices.

        ``options``: ``position``, a document to start from (of :meth:`kessel.Batch.position`; privileged).
        """
        seed = seed_of(seed)  # type: ignore[assignment]
        super().reset(seed=seed)
        self.game.reset(seed, options)
        self.begun = True
        return self.game.observation(), self._info(False)

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Plays an action.

        Raises:
            KesselError: ``not-reset`` after the end; ``illegal-action`` for an action outside the mask when the
                environment was made with ``illegal="raise"``.
        """
        game = self.game
        acted = game.actor if self._seat is None and game._tensors else self._seat
        illegal = game.step(action, self.np_random)
        return game.observation(), float(game.rewards[acted]), game.terminated, game.truncated, self._info(illegal)

    def _loaded(self, saved: np.ndarray) -> None:
        self.game.load(saved)
        self.begun = True

    def action_masks(self) -> np.ndarray:
        """bool ``[A]``, as sb3-contrib's MaskablePPO asks for it."""
        return self.game.mask.astype(np.bool_)

    def _info(self, illegal: bool) -> dict[str, Any]:
        game = self.game
        info: dict[str, Any] = {
            "action_mask": game.mask,
            "actor": None if game.over else self.players[game.actor],
            "rewards": {p: float(r) for p, r in zip(self.players, game.rewards)},
            "decisions": game.decisions,
        }
        if game.potentials is not None:
            info["potentials"] = game.potentials
        if illegal:
            info["illegal_action"] = True
        return info

    def render(self) -> Any:
        """The board as the acting player sees it, in the form of ``render_mode``; ``None`` without one."""
        return self.game.render(self.render_mode)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.game.close()


def make(game: str, *, render_mode: str | None = None, **args: Any) -> Env:
    """One environment of a game.

    Args:
        game: its id, such as ``pocket-stalingrad``.
        render_mode: what ``render`` returns of the board as the acting player sees it: ``"ansi"`` text, ``"svg"`` a
            drawing as text, ``"rgb_array"`` its pixels, uint8 ``[720, 960, 3]``.
        address: of a running server; default: one of this process's own, over a pipe (:class:`kessel.Client`).
        seat, opponent, seats, options, skip_forced, max_decisions, privileged, potentials, dtype, data, timeout,
            server_key, keys, version: as of :func:`kessel.make_vec`.
        illegal: effect of an action outside the mask, see :data:`kessel.one.ILLEGAL`; default ``lose``.
    """
    return Env(game, render_mode, **args)
