"""Measures on this machine what a Ray cluster needs for a million decisions a second: servers, env runners, learner, network.

    pip install './server/python[ray]' torch
    python server/python/examples/bench_fleet.py --game pocket-stalingrad

Each part is measured alone, in processor time of its own process, so that what else runs here counts little. "loop" is an
env runner of a few lines, one batch and one call of the net a step, which sends arrays; "RLlib" is its env runner, which
keeps a list of objects for each episode. The rest is arithmetic: processor seconds and bytes of a decision, a million times.
"""

from __future__ import annotations

import argparse
import os
import pickle
import time
from typing import Any, Callable

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

import kessel
from kessel.rl.rllib import FlatNet, KesselEnvRunner, MaskedMLP
from kessel.spaces import flatten

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="pocket-stalingrad")
parser.add_argument("--envs", type=int, default=256, help="environments of a batch")
parser.add_argument("--hidden", type=int, nargs="*", default=[256, 256], help="layers of the net")
parser.add_argument("--epochs", type=int, default=4, help="how often PPO learns from a decision")
parser.add_argument("--seconds", type=float, default=10, help="length of each measurement")
parser.add_argument("--rate", type=float, default=1e6, help="decisions a second that the cluster is to play")
args = parser.parse_args()

TICKS = os.sysconf("SC_CLK_TCK")
FRAGMENT = 32


def seconds_of(process: int) -> float:
    """Processor seconds that a process has used (Linux)."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measured(process: int, work: Callable[[], int]) -> float:
    """Decisions for each processor second of a process."""
    work()
    used, done, end = seconds_of(process), 0, time.monotonic() + args.seconds
    while time.monotonic() < end:
        done += work()
    return done / (seconds_of(process) - used)


def size_of(what: Any) -> int:
    """Bytes of what Ray sends: a pickle, with arrays beside it."""
    beside: list[pickle.PickleBuffer] = []
    packed = ray.cloudpickle.dumps(what, protocol=5, buffer_callback=beside.append)
    return len(packed) + sum(b.raw().nbytes for b in beside)


torch.set_num_threads(1)
server = kessel.LocalServer()
envs = kessel.make_vec(args.game, args.envs, address=server.address)
obs, info = envs.reset(seed=1)
rng = np.random.default_rng(1)


def random_play() -> int:
    global obs, info
    for _ in range(FRAGMENT):
        obs, _, _, _, info = envs.step(kessel.sample(info["action_mask"], rng))
    return FRAGMENT * args.envs


net = FlatNet(flatten(obs, 1).shape[1], args.hidden, len(envs.actions))
arrays: dict[str, list[np.ndarray]] = {}


@torch.no_grad()
def loop() -> int:
    global obs, info, arrays
    arrays = {k: [] for k in ("observations", "masks", "actions", "logits", "values", "rewards", "over")}
    for _ in range(FRAGMENT):
        flat, mask = flatten(obs, 1), info["action_mask"]
        logits, values = net(torch.from_numpy(flat))
        logits = logits.numpy()
        actions, chances = kessel.rl.sample(logits, mask, rng)
        obs, reward, terminated, truncated, info = envs.step(actions)
        for name, row in zip(
            arrays, (flat, np.packbits(mask, 1), actions, chances, values.numpy(), reward, terminated | truncated)
        ):
            arrays[name].append(row)
    return FRAGMENT * args.envs


here = os.getpid()
rates = {"server": measured(server.process.pid, random_play), "loop": measured(here, loop)}
bytes_of = {"loop": size_of({k: np.stack(v) for k, v in arrays.items()}) / (FRAGMENT * args.envs)}
weights = size_of({k: v.numpy() for k, v in net.state_dict().items()})
envs.close()

ray.init(num_cpus=2, log_to_driver=False)
config = (
    PPOConfig()
    .environment("kessel", env_config={"game": args.game, "address": server.address})
    .env_runners(
        env_runner_cls=KesselEnvRunner,
        num_env_runners=0,
        num_envs_per_env_runner=args.envs,
        rollout_fragment_length=FRAGMENT,
    )
    .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedMLP, model_config={"hidden": args.hidden}))
    .training(train_batch_size_per_learner=FRAGMENT * args.envs, minibatch_size=512, num_epochs=args.epochs)
    .debugging(log_level="ERROR")
)
algorithm = config.build_algo()
runner = algorithm.env_runner
episodes: list[Any] = []


def rllib() -> int:
    global episodes
    episodes = runner.sample()
    return sum(len(e) for e in episodes)


def learn() -> int:
    algorithm.learner_group.update(episodes=episodes)
    return sum(len(e) for e in episodes)


rates["RLlib"] = measured(here, rllib)
bytes_of["RLlib"] = size_of(episodes) / sum(len(e) for e in episodes)
rates["learner"] = measured(here, learn)
algorithm.stop()
ray.shutdown()
server.stop()

print(f"\n{args.game}, {args.envs} environments, layers {args.hidden}, {args.epochs} epochs, of one core here:\n")
print(f"{'part':<26}{'decisions/s':>12}{'cores':>9}   for {args.rate:,.0f} decisions/s")
for part, name in (
    ("server", "server"),
    ("env runner, loop", "loop"),
    ("env runner, RLlib", "RLlib"),
    ("learner, RLlib PPO", "learner"),
):
    print(f"{part:<26}{rates[name]:>12,.0f}{args.rate / rates[name]:>9,.0f}")
print(f"\n{'network to the learner':<26}{'bytes':>12}{'Gbit/s':>9}")
for name in ("loop", "RLlib"):
    print(f"{name:<26}{bytes_of[name]:>12,.0f}{args.rate * bytes_of[name] * 8e-9:>9,.1f}")
print(f"\nweights, to each env runner after each iteration: {weights:,} bytes")
