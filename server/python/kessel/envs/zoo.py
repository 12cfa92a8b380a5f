"""One environment as PettingZoo's ``AECEnv`` and ``ParallelEnv``."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from ..client.checks import checked
from ..client.errors import KesselError
from ..client.inputs import number_of
from .copying import Copied
from .one import OneGame
from .render import METADATA_OF_ONE, check_mode
from .seats import Agent, Pool, Seats
from .spaces import flatten, observation_space
from .wrappers import flat_space


class _PettingZooEnv(Copied):
    """Common part of both interfaces. Agents are the caller's sides, by name.

    An agent's observation is ``{"observation": {globals, map, units, decision}, "action_mask": int8 [A]}``; the mask is
    in its info too. The mask of an agent that does not act is zero. With ``flat``, the observation is one array and the
    mask in the info alone, as SuperSuit's wrappers want it.
    """

    metadata = {**METADATA_OF_ONE, "name": "kessel", "is_parallelizable": True}

    def __init__(
        self,
        game: str,
        render_mode: str | None,
        max_cycles: int | None,
        flat: bool,
        mask_in_obs: bool | None,
        args: dict[str, Any],
        function: str,
    ) -> None:
        given = dict(max_cycles=max_cycles, flat=flat, mask_in_obs=mask_in_obs)
        arguments = dict(game=game, render_mode=render_mode, **given, **args)
        own = checked(given)
        self.recipe: tuple[Any, dict[str, Any]] = type(self), arguments
        self.metadata = {**METADATA_OF_ONE, "name": game, "is_parallelizable": True}
        self.render_mode = check_mode(render_mode, METADATA_OF_ONE)
        self.max_cycles: int | None = own["max_cycles"]
        self.flat: bool = own["flat"]
        self.mask_in_obs: bool = not self.flat if mask_in_obs is None else own["mask_in_obs"]
        self.begun = False
        self.game = OneGame(game, args, function, human=self.render_mode == "human")
        self.batch = self.game.batch
        self.actions = self.game.actions
        self.possible_agents: list[str] = list(self.game.seats)
        self.agents: list[str] = []
        A = len(self.actions)
        space = observation_space(self.game.description, self.game.dtype)
        mask = spaces.Box(0, 1, (A,), np.int8)
        seen = flat_space(space) if flat else space
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            a: spaces.Dict({"observation": seen, "action_mask": mask}) if self.mask_in_obs else seen
            for a in self.possible_agents
        }
        one, players = flat_space(space), len(self.game.players)
        self.state_space = spaces.Box(np.tile(one.low, players), np.tile(one.high, players))
        self.action_spaces: dict[str, spaces.Space[Any]] = {a: spaces.Discrete(A) for a in self.possible_agents}
        self._empty_mask = np.zeros(A, np.int8)
        self._rng = np.random.default_rng()
        self._cycles = 0
        self.illegal_action: str | None = None
        """The agent whose action was illegal in the last step."""
        self._closed = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Starts an episode."""
        raise NotImplementedError

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> Any:
        """The board as the acting player sees it, in the form of ``render_mode``; ``None`` without one."""
        return self.game.render(self.render_mode)

    def state(self) -> np.ndarray:
        """What all players see at present, flattened and put together in their order: for centralised critics.

        Raises:
            KesselError: ``not-privileged``, for it joins what players hide from each other.
        """
        if not self.batch.privileged:
            raise KesselError(
                "not-privileged", "state() shows what players hide from each other: make with privileged=True"
            )
        asked = [self.batch.send("observe", seat=player) for player in self.game.players]
        seen = [self.batch.receive(id).tensors for id in asked]
        return np.concatenate([flatten({name: t[name][0] for name in t}) for t in seen])

    def _loaded(self, saved: np.ndarray) -> None:
        self.reset()
        self.game.load(saved)
        self._resumed()

    def _resumed(self) -> None:
        """Brings what depends on the state up to date after a load."""

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.game.close()

    def _restart(self, seed: int | None, options: dict[str, Any] | None) -> None:
        seed = number_of(seed)
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        self._cycles = 0
        # PettingZoo's api_test resets with an option that no environment knows, so others are passed over
        self.game.reset(seed, {"position": options["position"]} if options and "position" in options else None)
        self.begun = True
        self.agents = list(self.possible_agents)

    @property
    def _actor(self) -> str | None:
        return None if self.game.over else self.game.players[self.game.actor]

    def _play(self, action: Any, seats: Sequence[str] = ()) -> bool:
        """Returns whether the action was illegal."""
        illegal = self.game.step(action, self._rng, seats)
        self._cycles += 1
        return illegal

    @property
    def _ended(self) -> tuple[bool, bool]:
        game = self.game
        cut = self.max_cycles is not None and self._cycles >= self.max_cycles and not game.terminated
        return game.terminated, game.truncated or cut

    def _reward(self, agent: str) -> float:
        return float(self.game.rewards[self.game.players.index(agent)])

    def _observe(self, agent: str) -> Any:
        seen = self.game.observation() if agent == self._actor else self.game.observation_of(agent)
        told = flatten(seen) if self.flat else seen
        return {"observation": told, "action_mask": self._mask(agent)} if self.mask_in_obs else told

    def _infos(self, illegal: str | None) -> dict[str, dict[str, Any]]:
        """By agent its mask, and nothing else: TorchRL's wrapper takes no other key beside masks in observations."""
        self.illegal_action = illegal
        return {a: {"action_mask": self._mask(a)} for a in self.agents}

    def _mask(self, agent: str) -> np.ndarray:
        return self.game.mask if agent == self._actor else self._empty_mask


class KesselAEC(_PettingZooEnv, AECEnv):  # type: ignore[misc]
    """A game as PettingZoo's ``AECEnv``. Made by :func:`aec_env`."""

    def __init__(
        self,
        game: str,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        flat: bool = False,
        mask_in_obs: bool | None = None,
        **args: Any,
    ) -> None:
        AECEnv.__init__(self)
        _PettingZooEnv.__init__(self, game, render_mode, max_cycles, flat, mask_in_obs, args, "aec_env")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._restart(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {}
        self._update_infos()
        self.agent_selection = self._actor or self.agents[0]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        illegal = self._play(action)
        self._cumulative_rewards[agent] = 0.0
        terminated, truncated = self._ended
        for a in self.agents:
            self.rewards[a] = self._reward(a)
            self.terminations[a], self.truncations[a] = terminated, truncated
        self._update_infos(agent if illegal else None)
        self._accumulate_rewards()
        self.agent_selection = self._actor or agent
        if terminated or truncated:
            self._deads_step_first()

    def observe(self, agent: str) -> Any:
        return self._observe(agent)

    def _update_infos(self, illegal: str | None = None) -> None:
        self.infos = self._infos(illegal)

    def _resumed(self) -> None:
        self._update_infos()
        self.agent_selection = self._actor or self.agents[0]


class KesselParallel(_PettingZooEnv, ParallelEnv):  # type: ignore[misc]
    """A game as PettingZoo's ``ParallelEnv``: all agents pass actions, and that of the acting player is played."""

    def __init__(
        self,
        game: str,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        flat: bool = False,
        mask_in_obs: bool | None = None,
        idle_mask: int = 0,
        **args: Any,
    ) -> None:
        own = checked({"idle_mask": idle_mask})
        ParallelEnv.__init__(self)
        _PettingZooEnv.__init__(self, game, render_mode, max_cycles, flat, mask_in_obs, args, "parallel_env")
        self.recipe[1]["idle_mask"] = idle_mask
        self._empty_mask[:] = own["idle_mask"]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._restart(seed, options)
        return self._views()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        actor = self._actor
        assert actor is not None
        illegal = self._play(actions.get(actor), self.agents)
        terminated, truncated = self._ended
        obs, infos = self._views(actor if illegal else None)
        rewards = {a: self._reward(a) for a in self.agents}
        ended = dict.fromkeys(self.agents, terminated), dict.fromkeys(self.agents, truncated)
        if terminated or truncated:
            self.agents = []
        return obs, rewards, *ended, infos

    def _views(self, illegal: str | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        return {a: self._observe(a) for a in self.agents}, self._infos(illegal)


def aec_env(
    game: str,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    flat: bool = False,
    mask_in_obs: bool | None = None,
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
) -> KesselAEC:
    """A game as PettingZoo's ``AECEnv``.

    Args:
        max_cycles: decisions after which an episode is cut off.
        flat: observations are one array; the mask is in the info alone unless ``mask_in_obs`` is set.
        mask_in_obs: observations are ``{"observation", "action_mask"}``; default: unless they are flat.
        render_mode and the others: as of :func:`kessel.make`.
    """
    return KesselAEC(**locals())


def parallel_env(
    game: str,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    flat: bool = False,
    mask_in_obs: bool | None = None,
    idle_mask: int = 0,
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
) -> KesselParallel:
    """A game as PettingZoo's ``ParallelEnv``; arguments as of :func:`aec_env`.

    ``idle_mask`` 1 gives agents that do not act a mask of ones, for libraries that sample from every mask, such as
    TorchRL: their actions are ignored, so any may be passed.
    """
    return KesselParallel(**locals())
