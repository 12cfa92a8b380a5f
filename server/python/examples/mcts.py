# pip install kessel
"""Monte Carlo tree search (PUCT) with a net's priors, against an agent of the server: ``mcts.py --games 32``.

Hidden information: the environments are not privileged. Every tree begins in worlds that the searching side can't tell from
the true one (``resample``), so the search knows no more than its player. Chance: an action in a node leads to a few results,
drawn lazily; more visits draw more of them (progressive widening). All games search at once: a simulation of each is one row
of a request, so that the server plays and judges them together.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import numpy as np

import kessel


class Node:
    """A situation in a tree: whose decision, with which priors and how each action has done so far."""

    __slots__ = ("number", "actor", "returns", "legal", "prior", "visits", "total", "children")

    def __init__(self, number: int, actor: int, returns: np.ndarray, policy: np.ndarray) -> None:
        self.number, self.actor, self.returns = number, actor, returns
        self.legal = np.flatnonzero(policy)
        self.prior = policy[self.legal].astype(np.float64)
        self.visits = np.zeros(len(self.legal))
        self.total = np.zeros(len(self.legal))
        """Sum of the actor's returns, by action."""
        self.children: list[list[Node]] = [[] for _ in self.legal]

    def best(self, c: float) -> int:
        """The action to try next. One that was never tried is thought as good as the others on the whole."""
        n = self.visits.sum()
        mean = self.total.sum() / n if n else 0.0
        value = np.where(self.visits > 0, self.total / np.maximum(self.visits, 1), mean)
        return int(np.argmax(value + c * self.prior * math.sqrt(n + 1) / (1 + self.visits)))


class Search:
    """Searches for many games of one batch, with a tree for each of several worlds of a game."""

    def __init__(self, batch: kessel.Batch, worlds: int, c: float, rng: np.random.Generator) -> None:
        self.batch, self.worlds, self.c, self.rng = batch, worlds, c, rng
        self.used = 0
        """Nodes of the batch that hold the trees of the present decision."""

    def choose(self, games: np.ndarray, simulations: int) -> np.ndarray:
        """An action for each of some environments that wait for the caller."""
        self.used = 0
        roots = self.expand(np.repeat(games, self.worlds), None)
        trees = [roots[k * self.worlds : (k + 1) * self.worlds] for k in range(len(games))]
        for simulation in range(simulations):
            paths = [self.descend(worlds[simulation % self.worlds]) for worlds in trees]
            drawn = [path[-1] for path, end in paths if end is None]
            leaves = iter(self.expand([n.number for n, _ in drawn], [n.legal[a] for n, a in drawn]) if drawn else [])
            for path, end in paths:
                if end is None:
                    end = next(leaves)
                    node, action = path[-1]
                    node.children[action].append(end)
                for node, action in path:
                    node.visits[action] += 1
                    node.total[action] += end.returns[node.actor]
        visits = [sum(world.visits for world in worlds) for worlds in trees]  # worlds of a game have one mask
        return np.array([worlds[0].legal[np.argmax(v)] for worlds, v in zip(trees, visits)])

    def descend(self, node: Node) -> tuple[list[tuple[Node, int]], Node | None]:
        """The way from a root to the end of a game, or to an action (the last of the way) whose result is yet to be drawn."""
        path: list[tuple[Node, int]] = []
        while node.actor >= 0:
            action = node.best(self.c)
            path.append((node, action))
            results = node.children[action]
            if len(results) <= math.sqrt(node.visits[action]):
                return path, None
            node = results[self.rng.integers(len(results))]
        return path, node

    def expand(self, sources: Any, actions: Any) -> list[Node]:
        """Plays actions in nodes; without any, deals worlds of environments."""
        numbers = np.arange(self.used, self.used + len(sources))
        self.used += len(sources)
        deals = actions is None
        t = self.batch.expand(
            sources,
            numbers,
            actions,
            environments=deals,
            resample=deals,
            reseed=f"{self.rng.integers(2**53)}",
            tensors=["actors", "rewards", "policy", "value"],
        )
        policy, rewards = t["policy"], t["rewards"].astype(np.float64)
        # what the net expects for the actor, where the game goes on; two players' returns sum to 0
        for k in np.flatnonzero(t["actors"] >= 0):
            rewards[k] = -t["value"][k]
            rewards[k, t["actors"][k]] = t["value"][k]
        return [Node(int(n), int(a), r, p) for n, a, r, p in zip(numbers, t["actors"], rewards, policy)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="pocket-stalingrad")
    parser.add_argument("--opponent", default="heuristic:greedy")
    parser.add_argument("--net", default="commander", help="an agent of the server with a model, for priors and values")
    parser.add_argument("--games", type=int, default=32, help="games in each seat")
    parser.add_argument("--simulations", type=int, default=200, help="of each decision")
    parser.add_argument("--worlds", type=int, default=4, help="trees of each decision")
    parser.add_argument("--exploration", type=float, default=1.5)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with kessel.Client() as client:
        sides = client.describe(args.game)["players"]
        for own, side in enumerate(sides):
            began, decisions = time.perf_counter(), 0
            batch = client.make(
                args.game,
                args.games,
                seats={side: "external", sides[1 - own]: args.opponent},
                nodes=args.games * (args.simulations + args.worlds),
                net=args.net,
            )
            search = Search(batch, args.worlds, args.exploration, np.random.default_rng(args.seed))
            results = np.full(args.games, np.nan)
            t = batch.reset(seed=args.seed)
            while (going := np.flatnonzero(np.isnan(results))).size:
                actions = kessel.sample(t["mask"])
                actions[going] = search.choose(going, args.simulations)
                decisions += len(going)
                t = batch.step(actions)
                ended = going[t["actors"][going] < 0]
                results[ended] = t["rewards"][ended, own]
            score = float((1 + results).mean() / 2)
            low, high = kessel.rl.wilson(score, args.games)
            rate = decisions * args.simulations / (time.perf_counter() - began)
            print(
                f"{side}: {score:.1%} of the points [{low:.1%}, {high:.1%}] in {args.games} games against {args.opponent}; "
                f"{rate:,.0f} simulations/s",
                flush=True,
            )
            batch.close()


if __name__ == "__main__":
    main()
