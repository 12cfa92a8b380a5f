"""PPO of Tianshou with masks, exported as a model that plays in the arena.

pip install './server/python[gymnasium,onnx]' tianshou
python server/python/examples/tianshou_ppo.py --steps 100000 --out runs/tianshou.onnx
npx kessel arena pocket-stalingrad --agents onnx:runs/tianshou.onnx,random
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn

import kessel
from kessel.rl import evaluate, greedy
from kessel.spaces import flatten

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="pocket-stalingrad")
parser.add_argument("--seat", default="german", help="the side that learns")
parser.add_argument("--opponent", default="random", help="who plays the other side meanwhile")
parser.add_argument("--steps", type=int, default=100_000)
parser.add_argument("--envs", type=int, default=16)
parser.add_argument("--games", type=int, default=200, help="games of the comparison with random play at the end")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--out", type=Path, default=Path("runs/tianshou.onnx"))
args = parser.parse_args()


class Masked(gymnasium.Wrapper):
    """Observations ``{"obs": flat, "mask": bool [A]}``, in which Tianshou hands masks on."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        A = int(env.action_space.n)  # type: ignore[attr-defined]
        self.observation_space = spaces.Dict({"obs": env.observation_space, "mask": spaces.MultiBinary(A)})

    def _seen(self, obs: np.ndarray) -> dict[str, np.ndarray]:
        return {"obs": obs, "mask": self.env.action_masks()}  # type: ignore[attr-defined]

    def reset(self, **given: Any) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return self._seen(self.env.reset(**given)[0]), {}

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], Any, bool, bool, dict[str, Any]]:
        obs, reward, terminated, truncated, _ = self.env.step(action)
        return self._seen(obs), reward, terminated, truncated, {}


class Net(nn.Module):
    """Observations to outputs; logits of what the mask forbids are lowered."""

    def __init__(self, inputs: int, outputs: int, masked: bool) -> None:
        super().__init__()
        layers = nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs)
        self.net, self.masked = nn.Sequential(*layers), masked

    def forward(self, batch: Any, state: Any = None, info: Any = None) -> Any:
        out = self.net(torch.as_tensor(np.asarray(batch.obs)))
        if not self.masked:
            return out
        mask = torch.as_tensor(np.asarray(batch.mask), dtype=torch.bool)
        return torch.where(mask | ~mask.any(-1, keepdim=True), out, -1e9), state  # after the end nothing is legal


class Exported(nn.ModuleList):
    """What a model needs: one flat array in, logits and values out."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self[0](x), self[1](x)


def game() -> Masked:
    return Masked(kessel.Flat(kessel.make(args.game, seat=args.seat, opponent=args.opponent)))


torch.manual_seed(args.seed)
torch.set_num_threads(1)  # the server takes the other cores
example, envs = game(), DummyVectorEnv([game] * args.envs)
envs.seed([1000 * args.seed + i for i in range(args.envs)])
n, A = example.observation_space["obs"].shape[0], int(example.action_space.n)
actor, critic = Net(n, A, masked=True), Net(n, 1, masked=False)
policy = DiscreteActorPolicy(actor=actor, action_space=example.action_space)
ppo = PPO(policy=policy, critic=critic, optim=AdamOptimizerFactory(lr=5e-4), gamma=1.0, max_grad_norm=0.5)
steps = 128 * args.envs
train = Collector(ppo, envs, VectorReplayBuffer(steps, args.envs))
settings = dict(max_epochs=1, epoch_num_steps=args.steps, collection_step_num_env_steps=steps, batch_size=512)
ppo.run_training(
    OnPolicyTrainerParams(training_collector=train, update_step_num_repetitions=4, test_in_training=False, **settings)
)

args.out.parent.mkdir(parents=True, exist_ok=True)
trained = {"method": f"Tianshou PPO against {args.opponent}", "steps": args.steps, "seed": args.seed}
kessel.export.from_torch(Exported([actor.net, critic.net]), args.out, example.unwrapped, flat=True, trained=trained)
envs.close()
example.close()


@torch.no_grad()
def best(obs: dict[str, np.ndarray], mask: np.ndarray) -> np.ndarray:
    return greedy(actor.net(torch.from_numpy(flatten(obs, 1))).numpy(), mask)


r = evaluate(best, args.game, args.games, seat=args.seat, opponent="random")
print(
    f"{args.game}: {args.seat} wins {r['win_rate']:.1%} [{r['low']:.1%}, {r['high']:.1%}] of {args.games} games against random play; model in {args.out}"
)
