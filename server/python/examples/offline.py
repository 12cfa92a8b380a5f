# pip install 'kessel[onnx]'
"""Learns from recorded games alone: behaviour cloning, and advantage-weighted regression with ``--beta``.

``offline.py --agents soviet=random,german=heuristic:first-keep --seat german`` plays games between agents of the server, and trains
one layer (numpy) on what a seat decided. With ``--beta 1`` a decision counts exp((return - value) / beta), so that the winners'
count more; the value is a second layer, trained on returns.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import kessel
from kessel import data, export, rl
from kessel.envs.spaces import TENSORS, flatten


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="pocket-stalingrad")
    parser.add_argument("--agents", default="soviet=random,german=heuristic:first-keep")
    parser.add_argument("--seat", default="german")
    parser.add_argument("--record", type=int, default=200, help="games to learn from")
    parser.add_argument("--beta", type=float, default=None, help="temperature of the weights; default: all count alike")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--games", type=int, default=200, help="games to rate the result by")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/offline.onnx"))
    args = parser.parse_args()
    agents = dict(pair.split("=", 1) for pair in args.agents.split(","))
    episodes = list(data.play(args.game, agents, args.record, seats=args.seat, seed=args.seed))
    x = np.concatenate([flatten({t: e.observations[t][:-1] for t in TENSORS}, 1) for e in episodes])
    masks = np.concatenate([e.masks[:-1] for e in episodes]).astype(bool)
    actions = np.concatenate([e.actions for e in episodes])
    returns = np.concatenate([np.full(len(e.actions), e.rewards.sum(), np.float32) for e in episodes])

    rng = np.random.default_rng(args.seed)
    sizes = (x.shape[1], masks.shape[1]), (masks.shape[1],), (x.shape[1], 1), (1,)
    weights = [np.zeros(size, np.float32) for size in sizes]
    squares = [np.full(size, 1e-6, np.float32) for size in sizes]
    for _ in range(args.steps):
        some = rng.integers(len(x), size=512)
        p = np.exp(rl.log_softmax(x[some] @ weights[0] + weights[1], masks[some]))
        p[np.arange(len(some)), actions[some]] -= 1
        error = (x[some] @ weights[2] + weights[3])[:, 0] - returns[some]
        if args.beta is not None:
            p *= np.exp(np.clip(-error / args.beta, -3, 3))[:, None]
        error = error[:, None]
        for k, gradient in enumerate((x[some].T @ p, p.sum(0), x[some].T @ error, error.sum(0))):
            squares[k] += (gradient / len(some)) ** 2
            weights[k] -= 0.2 * gradient / len(some) / np.sqrt(squares[k])

    def choose(observation: dict[str, np.ndarray], mask: np.ndarray) -> np.ndarray:
        return np.where(mask > 0, flatten(observation, 1) @ weights[0] + weights[1], -np.inf).argmax(axis=1)

    agree = float((np.where(masks, x @ weights[0] + weights[1], -np.inf).argmax(axis=1) == actions).mean())
    print(f"{len(x):,} decisions of {agents[args.seat]}; the layer chooses the same in {agree:.1%}")
    result = rl.evaluate(choose, args.game, args.games, seat=args.seat, opponent="random", seed=args.seed)
    print(
        f"{args.seat} wins {result['win_rate']:.1%} [{result['low']:.1%}, {result['high']:.1%}] "
        f"of {args.games} games against random play"
    )
    args.out.parent.mkdir(parents=True, exist_ok=True)
    envs = kessel.make_vec(args.game, 1, seat=args.seat, opponent="random")
    policy, value = [(weights[0], weights[1])], [(weights[2], weights[3])]
    export.from_mlp(args.out, envs, policy=policy, value=value, seats=list(agents))
    envs.close()


if __name__ == "__main__":
    main()
