"""PPO of TorchRL with masks over one batch of environments, exported as a model that plays in the arena.

pip install './server/python[gymnasium,onnx]' torchrl
python server/python/examples/torchrl_ppo.py --steps 100000 --out runs/torchrl.onnx
npx kessel arena pocket-stalingrad --agents onnx:runs/torchrl.onnx,random
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Bounded
from torchrl.envs import GymWrapper, default_info_dict_reader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import kessel
from kessel.rl import evaluate, greedy
from kessel.spaces import flatten

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="pocket-stalingrad")
parser.add_argument("--seat", default="german", help="the side that learns")
parser.add_argument("--opponent", default="random", help="who plays the other side meanwhile")
parser.add_argument("--steps", type=int, default=100_000)
parser.add_argument("--envs", type=int, default=32)
parser.add_argument("--horizon", type=int, default=64, help="steps of each environment in an update")
parser.add_argument("--games", type=int, default=200, help="games of the comparison with random play at the end")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--out", type=Path, default=Path("runs/torchrl.onnx"))
args = parser.parse_args()

torch.manual_seed(args.seed)
torch.set_num_threads(1)  # the server takes the other cores
# TorchRL tries environments out with random actions, so illegal ones must do no harm
vector = kessel.make_vec(
    args.game, args.envs, seat=args.seat, opponent=args.opponent, autoreset="same-step", illegal="random"
)
env = GymWrapper(kessel.FlatVector(vector), categorical_action_encoding=True)
size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
mask_spec = Bounded(0, 1, (args.envs, actions), dtype=torch.int8)
env.set_info_dict_reader(default_info_dict_reader(["action_mask"], {"action_mask": mask_spec}))
env.set_seed(args.seed)


def net(outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs))


class Policy(nn.Module):
    """Observations [B, n] and masks int8 [B, A] to logits and masks as ``MaskedCategorical`` takes them."""

    def __init__(self) -> None:
        super().__init__()
        self.net = net(actions)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.net(x), mask.bool()


policy, value = Policy(), net(1)
actor = ProbabilisticActor(
    TensorDictModule(policy, ["observation", "action_mask"], ["logits", "mask"]),
    in_keys=["logits", "mask"],
    spec=env.action_spec,
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(value, in_keys=["observation"])
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5)
optimiser = torch.optim.Adam(loss.parameters(), lr=5e-4)

per_update = args.envs * args.horizon
collector = Collector(env, actor, frames_per_batch=per_update, total_frames=max(args.steps, per_update))
for update, data in enumerate(collector):
    with torch.no_grad():
        advantage(data)
    ends = data["next", "reward"][data["next", "done"]]
    data = data.reshape(-1)
    for _ in range(4):
        for rows in torch.randperm(per_update).split(512):
            parts = loss(data[rows])
            total = parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]
            optimiser.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimiser.step()
    print(f"{(update + 1) * per_update:,} steps, {len(ends)} games, mean result {ends.mean():+.2f}", flush=True)


class Exported(nn.ModuleList):
    """What a model needs: one flat array in, logits and values out."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self[0](x), self[1](x)


@torch.no_grad()
def best(obs: dict[str, np.ndarray], mask: np.ndarray) -> np.ndarray:
    return greedy(policy.net(torch.from_numpy(flatten(obs, 1))).numpy(), mask)


args.out.parent.mkdir(parents=True, exist_ok=True)
trained = {"method": "TorchRL PPO", "steps": args.steps, "seed": args.seed}
envs = kessel.make_vec(args.game, seat=args.seat)  # the collector has closed its own
kessel.export.from_torch(Exported([policy.net, value]), args.out, envs, flat=True, trained=trained)
envs.close()
r = evaluate(best, args.game, args.games, seat=args.seat, opponent="random")
print(
    f"{args.game}: {args.seat} wins {r['win_rate']:.1%} [{r['low']:.1%}, {r['high']:.1%}] of {args.games} games against random play; model in {args.out}"
)
