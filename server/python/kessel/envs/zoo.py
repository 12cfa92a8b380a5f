"""One environment as PettingZoo's ``AECEnv`` and ``ParallelEnv``."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from .one import OneGame
from .render import METADATA, check_mode
from .spaces import observation_space


class _PettingZooEnv:
    """Common part of both interfaces. Agents are the caller's sides, by name.

    An agent's observation is ``{"observation": {globals, map, units, decision}, "action_mask": int8 [A]}``; the mask is
    in its info too. The mask of an agent that does not act is zero.
    """

    def __init__(self, game: str, render_mode: str | None, max_cycles: int | None, args: dict[str, Any]) -> None:
        self.metadata = {**METADATA, "name": game, "is_parallelizable": True}
        self.render_mode = check_mode(render_mode)
        self.max_cycles = max_cycles
        self.game = OneGame(game, args)
        self.actions = self.game.actions
        self.possible_agents: list[str] = list(self.game.seats)
        self.agents: list[str] = []
        A = len(self.actions)
        self.observation_spaces = {
            a: spaces.Dict(
                {
                    "observation": observation_space(self.game.description, self.game.dtype),
                    "action_mask": spaces.Box(0, 1, (A,), np.int8),
                }
            )
            for a in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {a: spaces.Discrete(A) for a in self.possible_agents}
        self._empty_mask = np.zeros(A, np.int8)
        self._rng = np.random.default_rng()
        self._cycles = 0
        self._closed = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> Any:
        """The board as the acting player sees it, in the form of ``render_mode``; ``None`` without one."""
        return self.game.render(self.render_mode)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.game.close()

    def _restart(self, seed: int | None) -> None:
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        self._cycles = 0
        self.game.reset(seed)
        self.agents = list(self.possible_agents)

    @property
    def _actor(self) -> str | None:
        return None if self.game.over else self.game.players[self.game.actor]

    def _play(self, action: int) -> bool:
        """Returns whether the action was illegal."""
        self._cycles += 1
        return self.game.step(int(action), self._rng)

    @property
    def _ended(self) -> tuple[bool, bool]:
        game = self.game
        cut = self.max_cycles is not None and self._cycles >= self.max_cycles and not game.terminated
        return game.terminated, game.truncated or cut

    def _reward(self, agent: str) -> float:
        return float(self.game.rewards[self.game.players.index(agent)])

    def _observe(self, agent: str) -> dict[str, Any]:
        acting = agent == self._actor
        return {
            "observation": self.game.observation() if acting else self.game.observation_of(agent),
            "action_mask": self.game.mask if acting else self._empty_mask,
        }


class KesselAEC(_PettingZooEnv, AECEnv):  # type: ignore[misc]
    """A game as PettingZoo's ``AECEnv``. Made by :func:`aec_env`."""

    def __init__(self, game: str, render_mode: str | None = None, max_cycles: int | None = None, **args: Any) -> None:
        AECEnv.__init__(self)
        _PettingZooEnv.__init__(self, game, render_mode, max_cycles, args)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._restart(seed)
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
        assert action is not None, f"{agent} acts: an action is needed"
        self._cumulative_rewards[agent] = 0.0
        illegal = self._play(action)
        terminated, truncated = self._ended
        for a in self.agents:
            self.rewards[a] = self._reward(a)
            self.terminations[a], self.truncations[a] = terminated, truncated
        self._update_infos()
        if illegal:
            self.infos[agent]["illegal_action"] = True
        self._accumulate_rewards()
        self.agent_selection = self._actor or agent
        if terminated or truncated:
            self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        return self._observe(agent)

    def _update_infos(self) -> None:
        self.infos = {a: {"action_mask": self.game.mask if a == self._actor else self._empty_mask} for a in self.agents}


class KesselParallel(_PettingZooEnv, ParallelEnv):  # type: ignore[misc]
    """A game as PettingZoo's ``ParallelEnv``: all agents pass actions, and that of the acting player is played."""

    def __init__(self, game: str, render_mode: str | None = None, max_cycles: int | None = None, **args: Any) -> None:
        ParallelEnv.__init__(self)
        _PettingZooEnv.__init__(self, game, render_mode, max_cycles, args)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._restart(seed)
        return self._views()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        actor = self._actor
        assert actor is not None
        illegal = self._play(actions[actor])
        terminated, truncated = self._ended
        obs, infos = self._views()
        if illegal:
            infos[actor]["illegal_action"] = True
        rewards = {a: self._reward(a) for a in self.agents}
        ended = dict.fromkeys(self.agents, terminated), dict.fromkeys(self.agents, truncated)
        if terminated or truncated:
            self.agents = []
        return obs, rewards, *ended, infos

    def _views(self) -> tuple[dict[str, Any], dict[str, Any]]:
        obs = {a: self._observe(a) for a in self.agents}
        return obs, {a: {"action_mask": o["action_mask"]} for a, o in obs.items()}


def aec_env(game: str, *, render_mode: str | None = None, max_cycles: int | None = None, **args: Any) -> KesselAEC:
    """A game as PettingZoo's ``AECEnv``; arguments as of :func:`kessel.make`, and at most ``max_cycles`` decisions."""
    return KesselAEC(game, render_mode, max_cycles, **args)


def parallel_env(
    game: str, *, render_mode: str | None = None, max_cycles: int | None = None, **args: Any
) -> KesselParallel:
    """A game as PettingZoo's ``ParallelEnv``; arguments as of :func:`kessel.make`, and at most ``max_cycles``
    decisions."""
    return KesselParallel(game, render_mode, max_cycles, **args)
