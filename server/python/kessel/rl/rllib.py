"""RLlib on Kessel servers (its new API stack, with PyTorch).

One side, or one policy for all sides, against agents of the server: each env runner has one batch on one server.

    config = (
        PPOConfig()
        .environment("kessel", env_config={"game": "pocket-stalingrad", "seat": "soviet", "opponent": "heuristic:greedy",
                                           "address": ["tcp://10.0.0.5:7557", "tcp://10.0.0.6:7557"]})
        .env_runners(env_runner_cls=KesselEnvRunner, num_env_runners=2, num_envs_per_env_runner=32)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedMLP, model_config={"hidden": [256, 256]}))
    )

Several policies: ``register()``, then ``.environment("kessel-multi-agent", ...)`` with RLlib's own env runners and
``.multi_agent(...)``. ``env_config`` holds arguments of :func:`kessel.make_vec`; ``address`` may be a list, over which
the env runners are distributed. Without it, each env runner starts a server on its machine (set ``KESSEL_SERVER``
there). ``"fleet": fleet.name`` in its place takes the servers that a :class:`kessel.rl.Fleet` keeps on the env runner's
node.

With ``.fault_tolerance(restart_failed_sub_environments=True, restart_failed_env_runners=True)`` training goes on when a
server or a node is lost. Environments that are made again play other dice, so nothing is sampled twice.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

try:
    import ray.rllib  # noqa: F401
    import torch
except ModuleNotFoundError as e:
    raise ImportError(f"kessel.rl.rllib needs {e.name}; install it with: pip install 'kessel[ray]' torch") from e
import gymnasium
import numpy as np
from gymnasium import spaces
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.env_context import EnvContext
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.tune.registry import register_env

from ..envs.one import OneGame
from ..envs.spaces import flatten, observation_space
from ..envs.vector import Observation, VectorEnv, make_vec
from ..envs.wrappers import flat_space
from .fleet import address_here, address_of

OBSERVATIONS, MASK = "observations", "action_mask"
ILLEGAL_LOGIT = -1e9
"""Finite, so that entropies and divergences are finite."""


def masked_space(description: Mapping[str, Any], dtype: str = "float32") -> spaces.Dict:
    """``{"observations": Box [n] of the four tensors, "action_mask": Box int8 [A]}``."""
    flat = flat_space(observation_space(description, dtype))
    return spaces.Dict({OBSERVATIONS: flat, MASK: spaces.Box(0, 1, (len(description["actions"]),), np.int8)})


def seed_of_life(seed: Any, life: int) -> Any:
    """The seed for environments that were made ``life`` times before, so that none of them plays the same dice again."""
    return seed if seed is None or life == 0 else f"{seed}/{life}"


def _placed(config: Mapping[str, Any], index: int, worker: str) -> tuple[dict[str, Any], int]:
    """Arguments of :func:`kessel.make_vec` with the address for a worker, and how often it asked a fleet before."""
    args = dict(config)
    fleet = args.pop("fleet", None)
    if fleet is None:
        args["address"] = address_of(args.get("address"), index)
        return args, 0
    if args.get("address"):
        raise ValueError("env_config has both fleet and address; give one of them")
    args["address"], life = address_here(fleet, worker)
    return args, life


class MaskedVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """A :class:`kessel.VectorEnv` as RLlib's env runner reads it.

    Observations are ``{"observations": float32 [B, n], "action_mask": int8 [B, A]}``; infos a list of B dicts with
    ``episode``, a name that no other episode of any server has, and ``opponents`` (int per player) where there are
    pools. The mask of a finished episode allows action 0, which starts the next episode.

    Args:
        life: how often these environments were made before; later ones play other dice from the same seed.
    """

    def __init__(self, envs: VectorEnv, life: int = 0) -> None:
        self.envs = envs
        self.life = life
        self.num_envs = envs.num_envs
        self.metadata = envs.metadata
        self.single_observation_space = masked_space(envs.description, envs.made["dtype"])
        self.single_action_space = envs.single_action_space
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self.action_space = envs.action_space

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        obs, info = self.envs.reset(seed=seed_of_life(seed, self.life), options=options)
        return self._masked(obs, info), self._listed(info)

    def step(self, actions: Any) -> Any:
        obs, reward, terminated, truncated, info = self.envs.step(actions)
        return self._masked(obs, info), reward, terminated, truncated, self._listed(info)

    def close(self, **_: Any) -> None:
        self.envs.close()

    def _masked(self, obs: Observation, info: Mapping[str, Any]) -> dict[str, np.ndarray]:
        mask = info["action_mask"]
        over = info["actor"] < 0
        if over.any():
            mask = mask.copy()
            mask[over, 0] = 1
        return {OBSERVATIONS: flatten(obs, 1), MASK: mask}

    def _listed(self, info: Mapping[str, Any]) -> list[dict[str, Any]]:
        token, episodes, opponents = self.envs.batch.token, info["episode_id"], info.get("opponents")
        listed: list[dict[str, Any]] = [{"episode": f"{token}/{i}/{n}"} for i, n in enumerate(episodes)]
        if opponents is not None:
            for i, one in enumerate(listed):
                one["opponents"] = opponents[i]
        return listed


class KesselEnvRunner(SingleAgentEnvRunner):
    """Steps one batch of ``num_envs_per_env_runner`` environments in one message, on the server that is assigned to this
    runner."""

    env: MaskedVectorEnv | None

    def make_env(self) -> None:
        made = 0
        if self.env is not None:
            made = self.env.life + 1
            self.env.close()
        kind = "evaluation" if self.config.in_evaluation else "training"
        args, life = _placed(self.config.env_config, self.worker_index or 0, f"{kind} {self.worker_index}")
        envs = make_vec(num_envs=self.config.num_envs_per_env_runner, **args)
        self.env = MaskedVectorEnv(envs, max(made, life))
        self.num_envs = self.env.num_envs
        self._needs_initial_reset = True


class KesselMultiAgentEnv(MultiAgentEnv):
    """Agents are the sides that the caller plays, by name; only the acting one is in the observation.

    Observations as of :class:`MaskedVectorEnv`, without B; rewards go to all agents. ``illegal`` is ``lose`` unless given.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        worker, vector = (config.worker_index, config.vector_index) if isinstance(config, EnvContext) else (0, 0)
        args, self.life = _placed(config or {}, worker, f"multi-agent {worker}/{vector}")
        game = args.pop("game")
        # RLlib's runner begins with its checker, which draws an action without the mask and logs any exception
        self.game = OneGame(game, {"illegal": "lose", **args})
        self.possible_agents: list[Any] = list(self.game.seats)
        self.agents: list[Any] = list(self.possible_agents)
        space = masked_space(self.game.description, self.game.dtype)
        self.observation_spaces = {a: space for a in self.possible_agents}
        self.action_spaces = {a: spaces.Discrete(len(self.game.actions)) for a in self.possible_agents}
        self._rng = np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self._rng = np.random.default_rng([seed, self.life] if self.life else seed)
        self.game.reset(seed_of_life(seed, self.life))
        self.agents = list(self.possible_agents)
        return self._acting_view(), {}

    def step(self, action_dict: Any) -> Any:
        game = self.game
        game.step(int(action_dict[game.players[game.actor]]), self._rng)
        over = game.over
        rewards = {a: float(game.rewards[game.players.index(a)]) for a in self.possible_agents}
        terminated = dict.fromkeys([*self.possible_agents, "__all__"], game.terminated)
        truncated = dict.fromkeys([*self.possible_agents, "__all__"], game.truncated)
        if not over:
            return self._acting_view(), rewards, terminated, truncated, {}
        ended = {
            a: {OBSERVATIONS: flatten(game.observation_of(a)), MASK: np.ones_like(game.mask)}
            for a in self.possible_agents
        }
        return ended, rewards, terminated, truncated, {}

    def close(self) -> None:
        self.game.close()

    def _acting_view(self) -> dict[str, Any]:
        game = self.game
        return {game.players[game.actor]: {OBSERVATIONS: flatten(game.observation()), MASK: game.mask}}


class FlatNet(torch.nn.Module):
    """A net with one trunk: float32 ``[B, n]`` to logits ``[B, A]`` and values ``[B]``."""

    def __init__(self, inputs: int, hidden: Sequence[int], actions: int) -> None:
        super().__init__()
        sizes = [inputs, *hidden]
        self.trunk = torch.nn.Sequential(
            *(layer for i, o in zip(sizes, sizes[1:]) for layer in (torch.nn.Linear(i, o), torch.nn.ReLU()))
        )
        self.policy = torch.nn.Linear(sizes[-1], actions)
        self.value = torch.nn.Linear(sizes[-1], 1)
        torch.nn.init.normal_(self.policy.weight, std=0.01)
        torch.nn.init.zeros_(self.policy.bias)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        body = self.trunk(x)
        return self.policy(body), self.value(body).squeeze(-1)


class MaskedMLP(TorchRLModule, ValueFunctionAPI):
    """Policy and value on the observations above; illegal actions have probability 0.

    ``model_config``: ``hidden``, sizes of the trunk's layers, default ``[256, 256]``. Pass its ``net`` to
    :func:`kessel.export.from_torch` with ``flat=True``.
    """

    def setup(self) -> None:
        if not isinstance(self.observation_space, spaces.Dict) or not isinstance(self.action_space, spaces.Discrete):
            raise TypeError(
                f"MaskedMLP reads {{{OBSERVATIONS!r}, {MASK!r}}} and gives one of n actions, not {self.observation_space}, {self.action_space}"
            )
        inputs = int(np.prod(self.observation_space[OBSERVATIONS].shape or (0,)))
        config = self.model_config if isinstance(self.model_config, dict) else {}
        self.net = FlatNet(inputs, config.get("hidden", [256, 256]), int(self.action_space.n))

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        obs = batch[Columns.OBS]
        body = self.net.trunk(obs[OBSERVATIONS].float())
        logits = torch.where(obs[MASK] > 0, self.net.policy(body), ILLEGAL_LOGIT)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: body}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        body = self.net.trunk(batch[Columns.OBS][OBSERVATIONS].float()) if embeddings is None else embeddings
        value: torch.Tensor = self.net.value(body).squeeze(-1)
        return value


def register() -> None:
    """Registers ``kessel-multi-agent`` with RLlib."""
    register_env("kessel-multi-agent", KesselMultiAgentEnv)
