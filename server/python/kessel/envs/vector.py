"""A batch of environments as ``gymnasium.vector.VectorEnv``, or with the same methods if Gymnasium is not installed."""

from __future__ import annotations

import functools
from typing import Any, Mapping

import numpy as np

from ..client.batch import Batch
from ..client.client import Client
from ..client.frames import Tensors
from .render import METADATA, check_mode, rendered
from .seats import Agent, Pool, Seats, seats_from
from .spaces import TENSORS, observation_space

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as _Base
    from gymnasium.vector.utils import batch_space

    _MODES: dict[str, Any] = {
        "next-step": AutoresetMode.NEXT_STEP,
        "same-step": AutoresetMode.SAME_STEP,
        "disabled": AutoresetMode.DISABLED,
    }
    HAVE_GYMNASIUM = True
except ImportError:
    _Base = object  # type: ignore[assignment, misc]
    _MODES = {}
    HAVE_GYMNASIUM = False

Observation = dict[str, np.ndarray]
Result = tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]
"""Observations, rewards, terminations, truncations, info."""


class VectorEnv(_Base):  # type: ignore[type-arg]
    """A batch of environments that steps together. Made by :func:`make_vec`.

    Observations are a dict of ``globals [B, G]``, ``map [B, N, Fm]``, ``units [B, U, Fu]``, ``decision [B, D]``, of the
    acting player; ``info`` holds ``action_mask`` int8 ``[B, A]``, ``actor`` int32 ``[B]`` (index into ``players``, -1
    when the episode is over), ``rewards`` float32 ``[B, players]``, ``decisions`` int32 ``[B]``. Arrays are views of
    received memory and are never overwritten.

    The reward ``[B]`` is that of the caller's seat; with several seats, that of the side that acted. All sides' rewards
    are in ``info["rewards"]``.
    """

    def __init__(
        self,
        client: Client,
        batch: Batch,
        description: Mapping[str, Any],
        made: Mapping[str, Any],
        render_mode: str | None = "ansi",
    ) -> None:
        self.client = client
        self.made = made
        self.batch = batch
        self.description = description
        self.num_envs = batch.size
        self.players = batch.players
        self.actions: list[str] = description["actions"]
        self.metadata: dict[str, Any] = {
            **METADATA,
            "autoreset_mode": _MODES.get(batch.autoreset, batch.autoreset),
        }
        self.render_mode = render_mode
        self.closed = False
        self.own = self.players.index(batch.external[0]) if len(batch.external) == 1 else None
        """Index of the caller's one seat; ``None`` with several."""
        self._actors: np.ndarray = np.zeros(batch.size, np.int32)
        if HAVE_GYMNASIUM:
            self.single_observation_space = observation_space(description, made["dtype"])
            self.single_action_space = spaces.Discrete(len(self.actions))
            self.observation_space = batch_space(self.single_observation_space, batch.size)
            self.action_space = batch_space(self.single_action_space, batch.size)

    def reset(
        self, *, seed: int | str | list[int | str] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts new episodes.

        Args:
            seed: one for the batch, or a list of one per environment; ``None`` continues the current random streams.
            options: ``{"reset_mask": bool [B]}`` resets only those environments.
        """
        obs, _, _, _, info = self.receive(self.send_reset(seed, (options or {}).get("reset_mask")))
        return obs, info

    def step(self, actions: Any) -> Result:
        """Plays one action per environment, int ``[B]``.

        Returns:
            observations, rewards float32 ``[B]``, terminations and truncations bool ``[B]``, info.

        Raises:
            KesselError: ``illegal-action`` for an action outside the mask; then no environment has moved.
        """
        return self.receive(self.batch.send_step(actions))

    def send_reset(self, seed: Any = None, reset_mask: np.ndarray | None = None) -> int:
        """Sends the request of :meth:`reset`. Returns its id, for :meth:`receive`."""
        which = None if reset_mask is None else np.flatnonzero(reset_mask).tolist()
        if isinstance(seed, (list, tuple)):
            seeds = [seed[i] for i in which] if which is not None and len(seed) == self.num_envs else list(seed)
            return self.batch.send("reset", seeds=seeds, which=which)
        return self.batch.send("reset", seed=seed, which=which)

    def send_step(self, actions: Any) -> int:
        """Sends the request of :meth:`step`. Returns its id, for :meth:`receive`."""
        return self.batch.send_step(actions)

    def receive(self, id: int) -> Result:
        """The result of a sent step or reset, as :meth:`step` returns it."""
        return self._stepped(self.batch.receive(id).tensors)

    def another(self) -> VectorEnv:
        """Makes further environments with the same arguments over the same connection."""
        batch = self.client.make(**self.made)
        return VectorEnv(self.client, batch, self.description, self.made, self.render_mode)

    def _stepped(self, t: Tensors) -> Result:
        acted, self._actors = self._actors, t["actors"]
        return result_of(t, self.own, acted)

    def legal(self) -> list[list[str]]:
        """Names of the legal actions of each environment."""
        return self.batch.legal()

    def render(self) -> Any:
        """The boards in the form of ``render_mode``, a tuple of one for each environment; ``None`` without one."""
        if self.render_mode is None:
            return None
        return tuple(rendered(self.batch, i, self.render_mode) for i in range(self.num_envs))

    def close(self, **_: Any) -> None:
        if not self.closed:
            self.closed = True
            self.batch.close()
            self.client.close()


class SendRecvEnvs:
    """Base of environments with ``send`` and ``recv``: the attributes they take from their :class:`VectorEnv`."""

    def __init__(self, envs: VectorEnv) -> None:
        self.players, self.actions, self.description, self.metadata = (
            envs.players,
            envs.actions,
            envs.description,
            envs.metadata,
        )
        if HAVE_GYMNASIUM:
            self.single_observation_space = envs.single_observation_space
            self.single_action_space = envs.single_action_space


def result_of(t: Tensors, seat: int | None, acted: np.ndarray) -> Result:
    """The result of a step from a reply's tensors.

    Args:
        seat: index of the player whose reward is returned; ``None``: the player of each row in ``acted``, int ``[B]``.
    """
    rewards = t["rewards"]
    size = len(rewards)
    reward = rewards[:, seat] if seat is not None else rewards[_rows(size), acted]
    info: dict[str, Any] = {"action_mask": t["mask"].view(np.int8), "_action_mask": _all_true(size)}
    info["actor"], info["rewards"], info["decisions"], info["episode_id"] = (
        t["actors"],
        rewards,
        t["decisions"],
        t["episodes"],
    )
    if "opponents" in t:
        info["opponents"] = t["opponents"]
    if "final_rows" in t:
        final = np.full(size, None, object)
        for k, row in enumerate(t["final_rows"]):
            final[row] = {name: t["final_" + name][k] for name in TENSORS}
        ended = np.zeros(size, np.bool_)
        ended[t["final_rows"]] = True
        info["final_obs"], info["_final_obs"] = final, ended
    return {k: t[k] for k in TENSORS}, reward, t["terminated"].view(np.bool_), t["truncated"].view(np.bool_), info


@functools.lru_cache(maxsize=64)
def _rows(size: int) -> np.ndarray:
    return np.arange(size)


@functools.lru_cache(maxsize=64)
def _all_true(size: int) -> np.ndarray:
    mask = np.ones(size, np.bool_)
    mask.flags.writeable = False  # shared by all steps
    return mask


def make_vec(
    game: str,
    num_envs: int = 1,
    *,
    address: str | None = None,
    seat: str | None = None,
    opponent: Agent | Pool | None = None,
    seats: Seats | None = None,
    options: Mapping[str, Any] | None = None,
    autoreset: str = "next-step",
    skip_forced: bool = True,
    max_decisions: int | None = None,
    privileged: bool = False,
    record: bool = False,
    dtype: str = "float32",
    data: Mapping[str, Any] | None = None,
    timeout: float = 60.0,
    server_key: str | None = None,
    keys: str | None = None,
    render_mode: str | None = "ansi",
    _ready: int | None = None,
) -> VectorEnv:
    """Environments of a game.

    Args:
        game: its id, such as ``pocket-stalingrad`` (``Client.games`` lists them).
        num_envs: number of environments, B.
        address: of a running server; default: a server is started on this machine.
        seat, opponent, seats: assignment of the seats, see :func:`kessel.seats.seats_from`. Default: the caller plays
            all sides.
        options: options of the game.
        autoreset: ``next-step``, ``same-step`` or ``disabled``, as in Gymnasium.
        skip_forced: plays decisions with a single legal action automatically.
        max_decisions: truncates episodes after that many decisions.
        privileged: allows ``save``, ``load``, ``clone`` and complete positions.
        record: records actions, for ``batch.replay``.
        dtype: ``float32`` or ``uint8`` (features scaled from their ranges to 0..255).
        data: replacements for data files of the game.
        timeout: seconds to wait for a reply.
        server_key, keys: for a server on another machine, see :class:`kessel.Client`.
        render_mode: what ``render`` returns for each environment, see :func:`kessel.make`.

    Raises:
        KesselError: with the server's code, such as ``unknown-game``, ``bad-option``, ``bad-seat``, ``limit``.
    """
    check_mode(render_mode)
    client = Client(address, timeout, server_key, keys)
    try:
        description = client.describe(game, options, data)
        made: dict[str, Any] = dict(
            game=game,
            size=num_envs,
            options=options,
            data=data,
            seats=seats_from(description["players"], seat, opponent, seats),
            autoreset=autoreset,
            skipForced=skip_forced,
            maxDecisions=max_decisions,
            privileged=privileged or None,
            record=record or None,
            dtype=dtype,
            ready=_ready,  # of make_async
        )
        return VectorEnv(client, client.make(**made), description, made, render_mode)
    except BaseException:
        client.close()
        raise
