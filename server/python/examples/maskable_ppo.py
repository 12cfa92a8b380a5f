"""MaskablePPO of sb3-contrib against one of the server's agents, exported as a model that plays in the arena.

pip install './server/python[gymnasium,onnx]' sb3-contrib
python server/python/examples/maskable_ppo.py --steps 200000 --out runs/maskable.onnx
npx kessel arena pocket-stalingrad --agents onnx:runs/maskable.onnx,random
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import set_random_seed

import kessel
from kessel.rl import evaluate
from kessel.sb3 import make_vec_env
from kessel.spaces import flatten


class Exported(torch.nn.Module):
    """What a model needs of a policy of Stable-Baselines3: one flat array in, logits and values out."""

    def __init__(self, policy: torch.nn.Module) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        actor, critic = self.policy.mlp_extractor(x)
        return self.policy.action_net(actor), self.policy.value_net(critic)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="pocket-stalingrad")
parser.add_argument("--seat", default="german", help="the side that learns")
parser.add_argument("--opponent", default="random", help="who plays the other side meanwhile")
parser.add_argument("--steps", type=int, default=200_000)
parser.add_argument("--envs", type=int, default=16)
parser.add_argument("--games", type=int, default=200, help="games of the comparison with random play at the end")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--out", type=Path, default=Path("runs/maskable.onnx"))
args = parser.parse_args()

set_random_seed(args.seed)
torch.set_num_threads(1)  # the server takes the other cores
envs = make_vec_env(args.game, args.envs, seed=args.seed, seat=args.seat, opponent=args.opponent)
net = dict(net_arch=[256, 256])
model = MaskablePPO(
    "MlpPolicy",
    envs,
    n_steps=2048 // args.envs,
    batch_size=512,
    gamma=1.0,
    ent_coef=0.01,
    policy_kwargs=net,
    seed=args.seed,
    verbose=1,
)
model.learn(args.steps, log_interval=10)

args.out.parent.mkdir(parents=True, exist_ok=True)
trained = {"method": f"MaskablePPO against {args.opponent}", "steps": model.num_timesteps, "seed": args.seed}
kessel.export.from_torch(Exported(model.policy), args.out, envs.envs, flat=True, trained=trained)
envs.close()


def best(obs: dict[str, np.ndarray], mask: np.ndarray) -> np.ndarray:
    return model.predict(flatten(obs, 1), deterministic=True, action_masks=mask)[0]


r = evaluate(best, args.game, args.games, seat=args.seat, opponent="random")
print(
    f"{args.game}: {args.seat} wins {r['win_rate']:.1%} [{r['low']:.1%}, {r['high']:.1%}] of {args.games} games against random play; model in {args.out}"
)
