"""A batch of environments as ``gymnasium.vector.VectorEnv``, or with the same methods if Gymnasium is not installed."""

from __future__ import annotations

import functools
import os
import weakref
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ..client.batch import Batch
from ..client.checks import checked
from ..client.client import Client
from ..client.errors import BadInput, IllegalAction
from ..client.frames import Tensors
from ..client.inputs import actions_of, choice_of, listed, mask_of, options_of
from .copying import Copied
from .render import METADATA, check_mode, rendered
from .seats import Agent, Pool, Seats, seats_from
from .spaces import TENSORS, check_version, observation_space

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

_ADVICE = 'choose by info["action_mask"], or make the environments with illegal="random" (a legal action is played)'
Observation = dict[str, np.ndarray]
Result = tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]
"""Observations, rewards, terminations, truncations, info."""


class VectorEnv(Copied, _Base):
    """A batch of environments that steps together. Made by :func:`make_vec`.

    Observations are a dict of ``globals [B, G]``, ``map [B, N, Fm]``, ``units [B, U, Fu]``, ``decision [B, D]``, of the
    acting player; ``info`` holds ``action_mask`` int8 ``[B, A]``, ``actor`` int32 ``[B]`` (index into ``players``, -1
    when the episode is over), ``rewards`` float32 ``[B, players]``, ``decisions`` int32 ``[B]``. Arrays are views of
    received memory and are never overwritten.

    The reward ``[B]`` is that of the caller's seat; with several seats, that of the side that acted. All sides' rewards
    are in ``info["rewards"]``.
    """

    metadata: dict[str, Any] = dict(METADATA)

    def __init__(
        self,
        client: Client,
        batch: Batch,
        description: Mapping[str, Any],
        made: Mapping[str, Any],
        render_mode: str | None = "ansi",
        recipe: tuple[Callable[..., Any], Mapping[str, Any]] | None = None,
        illegal: str = "raise",
        mask_in_obs: bool = False,
    ) -> None:
        self.client = client
        self.mask_in_obs = mask_in_obs
        self._sharing: weakref.WeakSet[VectorEnv] = weakref.WeakSet((self,))
        """Those that use the client and are not closed."""
        self.made = made
        self.recipe = recipe
        self.begun = False
        self.batch = batch
        self.description = description
        self.num_envs = batch.size
        self.players = batch.players
        self.actions: list[str] = description["actions"]
        self.metadata = {
            **METADATA,
            "autoreset_mode": _MODES.get(batch.autoreset, batch.autoreset),
        }
        self.autoreset_mode = self.metadata["autoreset_mode"]
        """As of Gymnasium's own vector environments; TorchRL reads it."""
        self.render_mode = render_mode
        self.closed = False
        self.own = self.players.index(batch.external[0]) if len(batch.external) == 1 else None
        """Index of the caller's one seat; ``None`` with several."""
        self.seat = None if self.own is None else self.players[self.own]
        """Its name."""
        self.illegal = illegal
        self._rng = np.random.default_rng()
        if HAVE_GYMNASIUM:
            self.single_observation_space: Any = observation_space(description, made["dtype"], mask_in_obs)
            self.single_action_space = spaces.Discrete(len(self.actions))
            self.observation_space = batch_space(self.single_observation_space, batch.size)
            self.action_space = batch_space(self.single_action_space, batch.size)

    def reset(
        self, *, seed: int | str | list[int | str] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts new episodes.

        Args:
            seed: one for the batch, or a list of one per environment, in which ``None`` stands for one that is drawn;
                ``None`` continues the current random streams. Environment i of a batch with seed 7 has the seeds ``7/i/0``,
                ``7/i/1``, ... for its episodes, not Gymnasium's 7 + i, by which runs with neighbouring seeds would play the
                same games; ``[7, 8, 9]`` are used as they are, for one episode each.
            options: ``reset_mask`` bool ``[B]`` resets only those environments; ``positions`` are documents to start from,
                one for each environment that is reset (privileged, see :meth:`kessel.Batch.position`).

        Raises:
            BadInput: for another option, or one of the wrong type or shape.
        """
        given = options_of(options, ("reset_mask", "positions"))
        obs, _, _, _, info = self.receive(self.send_reset(seed, given.get("reset_mask"), given.get("positions")))
        return obs, info

    def step(self, actions: Any) -> Result:
        """Plays one action per environment, int ``[B]``.

        Returns:
            observations, rewards float32 ``[B]``, terminations and truncations bool ``[B]``, info.

        Raises:
            IllegalAction: for an action outside the mask, unless ``illegal=`` says otherwise; then no environment has moved.
        """
        return self.batch.stepped(lambda: self.receive(self.send_step(actions)))

    def send_reset(
        self,
        seed: Any = None,
        reset_mask: np.ndarray | None = None,
        positions: Sequence[Mapping[str, Any]] | None = None,
    ) -> int:
        """Sends the request of :meth:`reset`. Returns its id, for :meth:`receive`."""
        which = None if reset_mask is None else np.flatnonzero(mask_of(reset_mask, self.num_envs)).tolist()
        started = self.num_envs if which is None else len(which)
        documents = None if positions is None else list(positions)
        seeds = None
        if isinstance(seed, (list, tuple, np.ndarray)):
            seed = listed(seed, "seed", "one seed or a list of them", "bad-seed")
            if len(seed) not in (self.num_envs, started):
                raise BadInput("bad-seed", f"expected {started} seeds (one per environment), got {len(seed)}")
            seeds = [seed[i] for i in which] if which is not None and len(seed) == self.num_envs else list(seed)
            seed = None
        self.begun = True
        if seed is not None and self.illegal == "random":
            self._rng = np.random.default_rng([*str(seed).encode()])
        return self.batch.send_reset(seed, seeds, which, documents)

    def send_step(self, actions: Any) -> int:
        """Sends the request of :meth:`step`. Returns its id, for :meth:`receive`."""
        mask = self.batch.mask if self.illegal == "random" else None
        return self.batch.send_step(actions if mask is None else self._legal(actions, mask))

    def receive(self, id: int) -> Result:
        """The result of a sent step or reset, as :meth:`step` returns it."""
        acted = self.batch.actors
        try:
            tensors = self.batch.receive(id).tensors
        except IllegalAction as e:
            raise e.advised(_ADVICE) from None
        return result_of(tensors, self.own, acted, self.mask_in_obs)

    def another(self) -> VectorEnv:
        """Makes further environments with the same arguments over the same connection, which is closed with the last
        of them."""
        batch = self.client.make(**self.made)
        other = VectorEnv(
            self.client,
            batch,
            self.description,
            self.made,
            self.render_mode,
            illegal=self.illegal,
            mask_in_obs=self.mask_in_obs,
        )
        self._sharing.add(other)
        other._sharing = self._sharing
        return other

    def _loaded(self, saved: np.ndarray) -> None:
        self.receive(self.send_reset())
        self.batch.load(saved)

    def _legal(self, actions: Any, mask: np.ndarray) -> np.ndarray:
        """The actions, with a random legal one for each that is not."""
        chosen = np.array(actions_of(actions, self.num_envs))
        known = (chosen >= 0) & (chosen < mask.shape[1])
        for i in np.flatnonzero(~(known & (mask[np.arange(self.num_envs), np.where(known, chosen, 0)] > 0))):
            if mask[i].any():
                chosen[i] = self._rng.choice(np.flatnonzero(mask[i]))
        return chosen

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
            self._sharing.discard(self)
            if not self._sharing:
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


def result_of(t: Tensors, seat: int | None, acted: np.ndarray, mask_in_obs: bool = False) -> Result:
    """The result of a step from a reply's tensors.

    Args:
        seat: index of the player whose reward is returned; ``None``: the player of each row in ``acted``, int ``[B]``.
        mask_in_obs: observations have ``action_mask`` too.
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
    for name in ("opponents", "potentials"):
        if name in t:
            info[name] = t[name]
    if "final_rows" in t:
        final = np.full(size, None, object)
        for k, row in enumerate(t["final_rows"]):
            final[row] = {name: t["final_" + name][k] for name in TENSORS}
            if mask_in_obs:
                final[row]["action_mask"] = np.zeros(t["mask"].shape[1], np.int8)
        ended = np.zeros(size, np.bool_)
        ended[t["final_rows"]] = True
        info["final_obs"], info["_final_obs"] = final, ended
        info["final_info"], info["_final_info"] = _final_info(t, ended), ended
    seen = {k: t[k] for k in TENSORS}
    if mask_in_obs:
        seen["action_mask"] = info["action_mask"]
    return seen, reward, t["terminated"].view(np.bool_), t["truncated"].view(np.bool_), info


def _final_info(t: Tensors, ended: np.ndarray) -> dict[str, Any]:
    """What ``info`` would hold of the episodes that ended, without autoreset: nobody acts and nothing is legal."""
    last = {
        "action_mask": np.zeros_like(t["mask"]).view(np.int8),
        "actor": np.where(ended, np.int32(-1), np.int32(0)),
        "rewards": np.where(ended[:, None], t["rewards"], np.float32(0)),
        "episode_id": np.where(ended, t["episodes"] - 1, 0).astype(np.int32),
    }
    return {**last, **{"_" + name: ended for name in last}}


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
    autoreset: Any = "next-step",
    skip_forced: bool = True,
    max_decisions: int | None = None,
    privileged: bool = False,
    potentials: bool = False,
    record: bool = False,
    dtype: Any = "float32",
    data: Mapping[str, Any] | None = None,
    timeout: float = 60.0,
    server_key: str | None = None,
    keys: str | os.PathLike[str] | None = None,
    render_mode: str | None = "ansi",
    illegal: str = "raise",
    version: int | None = None,
    mask_in_obs: bool = False,
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
        autoreset: ``next-step``, ``same-step`` or ``disabled``, as in Gymnasium; or its ``AutoresetMode``.
        skip_forced: plays decisions with a single legal action automatically.
        max_decisions: truncates episodes after that many decisions.
        privileged: allows ``save``, ``load``, ``clone`` and complete positions.
        potentials: ``info["potentials"]`` float32 ``[B, n]`` has the game's potentials (``description["potentials"]`` names
            them), as the first player sees them; the second's are the negative (privileged: they read the true state).
        record: records actions, for ``batch.replay``.
        dtype: ``float32`` or ``uint8`` (features scaled from their ranges to 0..255), by name or as NumPy's type.
        data: replacements for data files of the game.
        timeout: seconds to wait for a reply.
        server_key, keys: for a server on another machine, see :class:`kessel.Client`.
        render_mode: what ``render`` returns for each environment, see :func:`kessel.make`.
        illegal: effect of an action outside the mask: ``raise`` raises :class:`kessel.IllegalAction` and no environment moves;
            ``random`` plays a random legal action, for libraries that ignore masks.
        version: the version that the game must have; default: the server's.
        mask_in_obs: observations have ``action_mask`` too.

    Raises:
        BadInput: for an argument of the wrong type or beyond its bounds, which it names.
        KesselError: with the server's code, such as ``unknown-game``, ``bad-option``, ``bad-seat``, ``limit``.
    """
    arguments = dict(locals())
    check_mode(render_mode)
    choice_of("illegal", illegal, ("raise", "random"))
    given = checked(arguments)
    client = Client(given["address"], given["timeout"], given["server_key"], given["keys"])
    try:
        options, data, dtype = given["options"], given["data"], given["dtype"]
        description = client.describe(game, options, data)
        check_version(description, given["version"])
        made: dict[str, Any] = dict(
            game=game,
            size=given["num_envs"],
            options=options,
            data=data,
            seats=seats_from(description["players"], given["seat"], given["opponent"], given["seats"]),
            autoreset=given["autoreset"],
            skipForced=given["skip_forced"],
            maxDecisions=given["max_decisions"],
            privileged=given["privileged"] or None,
            potentials=given["potentials"] or None,
            record=given["record"] or None,
            dtype=dtype,
            ready=_ready,  # of make_async
        )
        return VectorEnv(
            client,
            client.make(**made),
            description,
            made,
            render_mode,
            (make_vec, arguments),
            illegal,
            given["mask_in_obs"],
        )
    except BaseException:
        client.close()
        raise
