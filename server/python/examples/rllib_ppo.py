"""PPO of RLlib with several env runners, on a fleet of servers or on given ones, exported as a model that plays in the arena.

    pip install './server/python[ray,onnx]' torch
    python server/python/examples/rllib_ppo.py --iterations 40 --out runs/rllib.onnx
    npx kessel arena pocket-stalingrad --agents onnx:runs/rllib.onnx,random

On a Ray cluster (--ray auto on its head) every node that has cores gets a server, and env runners on nodes that are lost go
on elsewhere. Every node needs the packages above, and Node 20.

With --both-sides one policy plays every side against itself, through RLlib's multi-agent interface.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

import kessel
from kessel.rl import Fleet, address_here, address_of, evaluate, greedy
from kessel.rl.rllib import KesselEnvRunner, MaskedMLP, register
from kessel.spaces import flatten

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="pocket-stalingrad")
parser.add_argument("--seat", default="german", help="the side that learns")
parser.add_argument("--opponent", default="random", help="who plays the other side meanwhile")
parser.add_argument("--both-sides", action="store_true", help="one policy learns all sides, playing itself")
parser.add_argument("--ray", help="address of a Ray cluster to join; default: one of this machine alone, for this run")
parser.add_argument("--address", help="servers, with commas between; default: a fleet, one on each node of the cluster")
parser.add_argument("--runners", type=int, default=2)
parser.add_argument("--envs", type=int, default=16, help="environments of each runner")
parser.add_argument("--iterations", type=int, default=40)
parser.add_argument("--games", type=int, default=200, help="games of the comparison with random play at the end")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--out", type=Path, default=Path("runs/rllib.onnx"))
args = parser.parse_args()

register()
ray.init(address=args.ray)
fleet = Fleet() if args.address is None else None
env = {"game": args.game, "address": args.address} if fleet is None else {"game": args.game, "fleet": fleet.name}
if not args.both_sides:
    env |= {"seat": args.seat, "opponent": args.opponent}
config = (
    PPOConfig()
    .environment("kessel-multi-agent" if args.both_sides else "kessel", env_config=env)
    .env_runners(
        num_env_runners=args.runners,
        num_envs_per_env_runner=args.envs,
        rollout_fragment_length=128,
        sample_timeout_s=600,
    )
    .fault_tolerance(restart_failed_sub_environments=True, restart_failed_env_runners=True)
    .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedMLP, model_config={"hidden": [256, 256]}))
    .training(
        train_batch_size_per_learner=128 * args.runners * args.envs,
        minibatch_size=512,
        num_epochs=4,
        gamma=1.0,
        lr=3e-4,
        entropy_coeff=0.01,
        vf_clip_param=1.0,
    )
    .debugging(seed=args.seed)
)
if args.both_sides:
    config.multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, *_, **__: "shared")
else:
    config.env_runners(env_runner_cls=KesselEnvRunner)

algorithm = config.build_algo()
for i in range(args.iterations):
    result = algorithm.train()["env_runners"]
    print(
        f"iteration {i + 1}: {result['num_env_steps_sampled_lifetime']:,.0f} steps, return {result.get('episode_return_mean', float('nan')):+.3f}",
        flush=True,
    )

net = algorithm.get_module("shared" if args.both_sides else "default_policy").net.cpu().eval()
algorithm.stop()


@torch.no_grad()
def best(obs: dict[str, np.ndarray], mask: np.ndarray) -> np.ndarray:
    return greedy(net(torch.from_numpy(flatten(obs, 1)))[0].numpy(), mask)


address = address_of(args.address, 0) if fleet is None else address_here(fleet.name)[0]
envs = kessel.make_vec(args.game, 1, address=address)
seats = envs.players if args.both_sides else [args.seat]
args.out.parent.mkdir(parents=True, exist_ok=True)
trained = {"method": "RLlib PPO", "iterations": args.iterations, "seed": args.seed}
kessel.export.from_torch(net, args.out, envs, flat=True, seats=seats, trained=trained)
envs.close()
for seat in seats:
    against = {"seat": seat, "opponent": "random"}
    if fleet is None:
        r = evaluate(best, args.game, args.games, address=address, **against)
    else:
        r = fleet.evaluate(best, args.game, args.games, **against)
    print(
        f"{args.game}: {seat} wins {r['win_rate']:.1%} [{r['low']:.1%}, {r['high']:.1%}] of {args.games} games against random play"
    )
print(f"model in {args.out}")
if fleet is not None:
    fleet.close()
ray.shutdown()
