"""One environment as ``gymnasium.Env``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ..client.checks import checked
from ..client.inputs import number_of
from .copying import Copied
from .one import OneGame
from .registration import spec_of
from .render import METADATA_OF_ONE, check_mode
from .seats import Agent, Pool, Seats
from .spaces import observation_space


class Env(Copied, gymnasium.Env[dict[str, np.ndarray], int]):
    """A game as ``gymnasium.Env``. Made by :func:`make`.

    Observation: a dict of ``globals [G]``, ``map [N, Fm]``, ``units [U, Fu]``, ``decision [D]``, of the acting player.
    Action: an index into ``actions``. ``info`` has ``action_mask`` int8 ``[A]`` (fit for
    ``action_space.sample(mask)``), ``actor`` (name of the acting player, ``""`` after the end), ``rewards`` by side,
    ``decisions``, ``illegal_action`` (whether the last action was one) and, if made with them, ``potentials`` by name (the
    first player's): the same keys with values of the same types always. The reward is that of the caller's seat; with
    several seats, that of the side that acted.
    """

    metadata = dict(METADATA_OF_ONE)

    def __init__(
        self,
        game: str,
        render_mode: str | None = None,
        autoreset: str = "disabled",
        mask_in_obs: bool = False,
        **args: Any,
    ) -> None:
        given = {"autoreset": autoreset, "mask_in_obs": mask_in_obs}
        own = checked({"game": game, **given})
        self.metadata = dict(METADATA_OF_ONE)
        self.render_mode = check_mode(render_mode, METADATA_OF_ONE)
        self.recipe = Env, {"game": game, "render_mode": render_mode, **given, **args}
        self.spec = spec_of(game, {"render_mode": render_mode, **given, **args})
        self.autoreset: str = own["autoreset"]
        self.mask_in_obs: bool = own["mask_in_obs"]
        self.game = OneGame(game, args, human=self.render_mode == "human")
        self.batch = self.game.batch
        self.begun = False
        self.players = self.game.players
        self.actions = self.game.actions
        self.observation_space = observation_space(self.game.description, self.game.dtype, self.mask_in_obs)
        self.action_space = spaces.Discrete(len(self.actions))  # type: ignore[assignment]
        self.seat = self.game.seats[0] if len(self.game.seats) == 1 else None
        """The caller's one side; ``None`` with several."""
        self._seat = self.players.index(self.game.seats[0]) if len(self.game.seats) == 1 else None
        self._closed = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Starts an episode; ``seed`` determines the dice of this and later episodes, and the opponents' choices.

        ``options``: ``position``, a document to start from (of :meth:`kessel.Batch.position`; privileged).
        """
        seed = number_of(seed)
        super().reset(seed=seed)
        self.game.reset(seed, options)
        self.begun = True
        return self._observation(), self._info(False)

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Plays an action.

        Raises:
            KesselError: ``not-reset`` after the end.
            IllegalAction: for an action outside the mask, unless ``illegal=`` says otherwise; then nothing has moved.
        """
        game = self.game
        if game.over and self.autoreset == "next-step" and self.begun:
            game.reset(None)
            return self._observation(), 0.0, False, False, self._info(False)
        acted = game.actor if self._seat is None and game._tensors else self._seat
        illegal = game.step(action, self.np_random)
        reward, terminated, truncated = float(game.rewards[acted]), game.terminated, game.truncated
        if not game.over or self.autoreset != "same-step":
            return self._observation(), reward, terminated, truncated, self._info(illegal)
        final = {"final_obs": self._observation(), "final_info": self._info(illegal)}
        game.reset(None)
        return self._observation(), reward, terminated, truncated, {**self._info(illegal), **final}

    def _observation(self) -> dict[str, np.ndarray]:
        seen = self.game.observation()
        return {**seen, "action_mask": self.game.mask} if self.mask_in_obs else seen

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
            "actor": "" if game.over else self.players[game.actor],
            "rewards": {p: float(r) for p, r in zip(self.players, game.rewards)},
            "decisions": game.decisions,
            "illegal_action": illegal,
        }
        if game.potentials is not None:
            info["potentials"] = game.potentials
        return info

    def render(self) -> Any:
        """The board as the acting player sees it, in the form of ``render_mode``; ``None`` without one."""
        return self.game.render(self.render_mode)

    def _repr_svg_(self) -> str | None:
        """The same as a drawing, for notebooks; ``None`` before the first reset."""
        return self.batch.svg(0) if self.begun and not self._closed else None

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.game.close()


def make(
    game: str,
    *,
    render_mode: str | None = None,
    autoreset: str = "disabled",
    mask_in_obs: bool = False,
    address: str | None = None,
    seat: str | None = None,
    opponent: Agent | Pool | None = None,
    seats: Seats | None = None,
    options: Mapping[str, Any] | None = None,
    skip_forced: bool = True,
    max_decisions: int | None = None,
    privileged: bool = False,
    potentials: bool = False,
    record: bool = False,
    dtype: str = "float32",
    data: Mapping[str, Any] | None = None,
    timeout: float = 60.0,
    server_key: str | None = None,
    keys: str | os.PathLike[str] | None = None,
    illegal: str = "raise",
    version: int | None = None,
) -> Env:
    """One environment of a game.

    Args:
        game: its id, such as ``pocket-stalingrad``.
        render_mode: what ``render`` returns of the board as the acting player sees it: ``"ansi"`` text, ``"svg"`` a
            drawing as text, ``"rgb_array"`` its pixels, uint8 ``[720, 960, 3]``. ``"human"`` opens a page in your browser
            that shows the board after every reset and step, two a second at most; then ``render`` returns ``None``.
        autoreset: what happens after the end, in Gymnasium's terms: ``disabled`` needs a ``reset``; after ``next-step``
            the next ``step`` starts an episode and ignores its action; ``same-step`` starts it at once, and ``info``
            has ``final_obs`` and ``final_info``.
        mask_in_obs: the observation has ``action_mask`` too.
        address: of a running server; default: one of this process's own, over a pipe (:class:`kessel.Client`).
        seat, opponent, seats, options, skip_forced, max_decisions, privileged, potentials, record, dtype, data, timeout,
            server_key, keys, version: as of :func:`kessel.make_vec`.
        illegal: effect of an action outside the mask, one of :data:`kessel.one.ILLEGAL`: ``raise`` raises
            :class:`kessel.IllegalAction` and nothing moves; ``random`` plays a random legal action; ``lose`` ends the episode
            with -1 for who acted. Gymnasium's ``check_env`` draws actions without a mask, so it needs one of the last two.

    Raises:
        BadInput: for an argument of the wrong type or beyond its bounds, which it names.
    """
    return Env(**locals())
