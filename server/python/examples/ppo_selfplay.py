"""Masked PPO in one file (PyTorch), after CleanRL: both sides learn by playing a pool of scripted agents and of past
selves.

    pip install './server/python[onnx]' torch
    python server/python/examples/ppo_selfplay.py --steps 1000000 --out runs/selfplay
    npx kessel arena pocket-stalingrad --agents onnx:runs/selfplay/final.onnx,random,heuristic:first-keep

Every side of the game has a batch of its own on a local server. The server plays the other sides with an agent that
each episode draws from the pool. At regular intervals the policy joins the pool as an ONNX file in the server's model
folder.

The folder is laid out as a run of ``kessel train``: ``models/NNNNNN.onnx`` by update, ``metrics.jsonl`` with the seconds (of them waited for environments) and
decisions of each. ``kessel model strength pocket-stalingrad --run runs/selfplay`` measures it (see ``bench_strength.py``).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

import kessel
from kessel.rl import EpisodeStatistics, evaluate, greedy
from kessel.spaces import flatten

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="pocket-stalingrad")
parser.add_argument("--scripted", default="random", help="agents in the pool from the start, with commas between")
parser.add_argument("--steps", type=int, default=1_000_000, help="decisions to learn from, of all sides together")
parser.add_argument("--envs", type=int, default=32, help="environments of each side")
parser.add_argument("--horizon", type=int, default=32, help="steps of each environment in an update")
parser.add_argument("--snapshot", type=int, default=40, help="updates between snapshots")
parser.add_argument("--past", type=int, default=4, help="snapshots in the pool, the newest ones")
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--minibatch", type=int, default=512)
parser.add_argument("--hidden", type=int, default=256)
parser.add_argument("--lr", type=float, default=5e-4, help="falls to 0 in a line")
parser.add_argument("--gamma", type=float, default=1.0)
parser.add_argument("--lam", type=float, default=0.95)
parser.add_argument("--clip", type=float, default=0.2)
parser.add_argument("--entropy", type=float, default=0.01)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument(
    "--games", type=int, default=200, help="games of each side in the comparison with random play at the end"
)
parser.add_argument("--out", type=Path, default=Path("runs/selfplay"))


class Net(nn.Module):
    """float32 [B, n] to logits [B, A] and values [B]."""

    def __init__(self, inputs: int, hidden: int, actions: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.value = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.normal_(self.policy.weight, std=0.01)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        body = self.trunk(x)
        return self.policy(body), self.value(body).squeeze(-1)


def masked(logits: torch.Tensor, mask: torch.Tensor) -> torch.distributions.Categorical:
    return torch.distributions.Categorical(logits=torch.where(mask, logits, -1e9), validate_args=False)


class Side:
    """The environments in which one side learns, and what they showed in the last `horizon` steps."""

    def __init__(self, args: argparse.Namespace, server: str, seat: str, pool: list[dict], seed: int) -> None:
        T, B = args.horizon, args.envs
        self.envs = kessel.make_vec(args.game, B, address=server, autoreset="same-step", seat=seat, opponent=pool)
        self.stats = EpisodeStatistics(self.envs)
        self.next_obs, info = self.envs.reset(seed=seed)
        self.stats.start(info)
        self.next_mask = info["action_mask"]
        n, A = flatten(self.next_obs, 1).shape[1], len(self.envs.actions)
        self.obs, self.masks = torch.zeros(T, B, n), torch.zeros(T, B, A, dtype=torch.bool)
        self.actions, self.logp = torch.zeros(T, B, dtype=torch.long), torch.zeros(T, B)
        self.values, self.rewards, self.ends = torch.zeros(T, B), torch.zeros(T, B), torch.zeros(T, B)
        self.waited = 0.0  # seconds for the environments, in this update

    @torch.no_grad()
    def act(self, t: int, net: Net) -> int:
        """Chooses actions and sends them; `observe` takes what comes of them."""
        self.obs[t] = torch.from_numpy(flatten(self.next_obs, 1))
        self.masks[t] = torch.from_numpy(self.next_mask.astype(bool))
        logits, self.values[t] = net(self.obs[t])
        policy = masked(logits, self.masks[t])
        self.actions[t] = policy.sample()
        self.logp[t] = policy.log_prob(self.actions[t])
        began = time.perf_counter()
        request = self.envs.send_step(self.actions[t].numpy())
        self.waited += time.perf_counter() - began
        return request

    @torch.no_grad()
    def observe(self, t: int, request: int, net: Net, gamma: float) -> None:
        began = time.perf_counter()
        self.next_obs, reward, terminated, truncated, info = self.envs.receive(request)
        self.waited += time.perf_counter() - began
        self.next_mask = info["action_mask"]
        self.rewards[t] = torch.from_numpy(reward.copy())
        self.ends[t] = torch.from_numpy((terminated | truncated).astype(np.float32))
        for i in np.flatnonzero(truncated):  # cut off, not over: what was still to be expected counts
            self.rewards[t, i] += gamma * net(torch.from_numpy(flatten(info["final_obs"][i])))[1]
        self.stats.update(terminated, truncated, info)

    @torch.no_grad()
    def advantages(self, net: Net, gamma: float, lam: float) -> torch.Tensor:
        """Generalized advantage estimates [T, B]."""
        following = net(torch.from_numpy(flatten(self.next_obs, 1)))[1]
        result, running = torch.zeros_like(self.rewards), torch.zeros_like(following)
        for t in reversed(range(len(self.rewards))):
            goes_on = 1 - self.ends[t]
            delta = self.rewards[t] + gamma * following * goes_on - self.values[t]
            running = delta + gamma * lam * goes_on * running
            result[t], following = running, self.values[t]
        return result


def update(net: Net, optimizer: torch.optim.Optimizer, sides: list[Side], args: argparse.Namespace) -> dict[str, float]:
    """One PPO update from what all sides saw."""
    advantage = torch.cat([s.advantages(net, args.gamma, args.lam).flatten() for s in sides])
    obs, masks = (torch.cat([getattr(s, k).flatten(0, 1) for s in sides]) for k in ("obs", "masks"))
    actions, old_logp, values = (
        torch.cat([getattr(s, k).flatten() for s in sides]) for k in ("actions", "logp", "values")
    )
    returns = advantage + values
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(args.epochs):
        for rows in torch.randperm(len(actions)).split(args.minibatch):
            logits, value = net(obs[rows])
            policy = masked(logits, masks[rows])
            ratio = (policy.log_prob(actions[rows]) - old_logp[rows]).exp()
            gain = torch.min(
                ratio * advantage[rows], ratio.clamp(1 - args.clip, 1 + args.clip) * advantage[rows]
            ).mean()
            entropy = policy.entropy().mean()
            error = (value - returns[rows]).square().mean()
            optimizer.zero_grad()
            (error / 2 - gain - args.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
    return {"entropy": entropy.item(), "error": error.item()}


def main() -> None:
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # the server takes the other cores
    (args.out / "models").mkdir(parents=True, exist_ok=True)
    metrics = (args.out / "metrics.jsonl").open("w")
    server = kessel.LocalServer(args=["--models", str(args.out), "--trust-models"])  # its own nets
    with kessel.Client(server.address) as client:
        game = client.describe(args.game)
    seats = game["players"]
    net = Net(sum(int(np.prod(shape)) for shape in game["shapes"].values()), args.hidden, len(game["actions"]))
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr, eps=1e-5)
    scripted = args.scripted.split(",")
    past: list[str] = []
    sides: list[Side] = []
    start, per_update = time.time(), len(seats) * args.envs * args.horizon
    updates = max(1, args.steps // per_update)
    for u in range(updates):
        began = time.time()
        if u % args.snapshot == 0:
            if u > 0:  # half of the episodes against past selves, who play as they learnt: by chance
                name = f"models/{u:06}.onnx"
                kessel.export.from_torch(net, args.out / name, sides[0].envs, flat=True, seats=seats)
                past = [*past, f"onnx:{name}?temperature=1"][-args.past :]
            pool = [{"agent": a, "weight": 1 / len(group)} for group in (scripted, past) for a in group]
            for s in sides:
                s.envs.close()
            sides = [
                Side(args, server.address, seat, pool, args.seed * 100_000 + 10 * u + k) for k, seat in enumerate(seats)
            ]
        optimizer.param_groups[0]["lr"] = args.lr * (1 - u / updates)
        for s in sides:
            s.waited = 0.0
        for t in range(args.horizon):
            sent = [s.act(t, net) for s in sides]  # one side's environments step while the other's are thought about
            for s, request in zip(sides, sent):
                s.observe(t, request, net, args.gamma)
        losses = update(net, optimizer, sides, args)
        seconds = time.time() - began
        waited = sum(s.waited for s in sides)
        line = {"at": u + 1, "seconds": seconds, "waited": waited, "decisions": per_update, **losses}
        print(json.dumps(line), file=metrics, flush=True)
        rates = ", ".join(f"{seat} wins {s.stats.summary()['win_rate']:.2f}" for seat, s in zip(seats, sides))
        steps = (u + 1) * per_update
        print(
            f"{steps:,} steps, {steps / (time.time() - start):,.0f}/s, environments {waited / seconds:.0%} of the time, {rates}, entropy {losses['entropy']:.2f}, value error {losses['error']:.3f}",
            flush=True,
        )

    @torch.no_grad()
    def best(obs: dict[str, np.ndarray], mask: np.ndarray) -> np.ndarray:
        return greedy(net(torch.from_numpy(flatten(obs, 1)))[0].numpy(), mask)

    results = {
        seat: evaluate(best, args.game, args.games, address=server.address, seat=seat, opponent="random")
        for seat in seats
    }
    trained = {
        "method": "masked PPO against scripted agents and past selves",
        "steps": updates * per_update,
        "seed": args.seed,
        "against random": results,
    }
    for name in ("final.onnx", f"models/{updates:06}.onnx"):
        kessel.export.from_torch(net, args.out / name, sides[0].envs, flat=True, seats=seats, trained=trained)
    for s in sides:
        s.envs.close()
    server.stop()
    for seat, r in results.items():
        print(
            f"{args.game}: {seat} wins {r['win_rate']:.1%} [{r['low']:.1%}, {r['high']:.1%}] of {args.games} games against random play"
        )
    print(f"model in {args.out / 'final.onnx'}")


if __name__ == "__main__":
    main()
