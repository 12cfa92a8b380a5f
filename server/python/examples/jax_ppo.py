# pip install 'kessel[onnx]' jax
"""Masked PPO in JAX: one compiled function plays, learns and returns the new weights.

    python server/python/examples/jax_ppo.py --seat german --steps 100000 --out runs/jax.onnx
    npx kessel arena pocket-stalingrad --agents onnx:runs/jax.onnx,random

The environments are stepped inside ``jax.jit`` (:mod:`kessel.rl.jax`); Adam is written out, so JAX is all that it needs.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import kessel
from kessel import export, rl
from kessel.rl.jax import Step, jitted
from kessel.spaces import TENSORS, flatten

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="pocket-stalingrad")
parser.add_argument("--seat", default="german")
parser.add_argument("--opponent", default="random")
parser.add_argument("--steps", type=int, default=100_000, help="decisions to learn from")
parser.add_argument("--envs", type=int, default=32)
parser.add_argument("--horizon", type=int, default=64, help="steps of each environment in an update")
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--minibatch", type=int, default=512)
parser.add_argument("--hidden", type=int, default=256)
parser.add_argument("--lr", type=float, default=5e-4)
parser.add_argument("--lam", type=float, default=0.95)
parser.add_argument("--clip", type=float, default=0.2)
parser.add_argument("--entropy", type=float, default=0.01)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--games", type=int, default=200, help="games to rate the result by")
parser.add_argument("--out", type=Path, default=Path("runs/jax.onnx"))

Weights = dict[str, list[tuple[Any, Any]]]


def flat(step: Step) -> Any:
    """float32 ``[B, n]``, in the order that exported models read."""
    return jnp.concatenate([step.observation[name].reshape(len(step.mask), -1) for name in TENSORS], axis=1)


def made(key: Any, inputs: int, hidden: int, actions: int) -> Weights:
    def dense(key: Any, n: int, m: int, scale: float) -> tuple[Any, Any]:
        return jax.random.normal(key, (n, m)) * scale / np.sqrt(n), jnp.zeros(m)

    one, two, three, four = jax.random.split(key, 4)
    return {
        "trunk": [dense(one, inputs, hidden, 1.4), dense(two, hidden, hidden, 1.4)],
        "policy": [dense(three, hidden, actions, 0.01)],
        "value": [dense(four, hidden, 1, 1.0)],
    }


def net(weights: Weights, x: Any, mask: Any) -> tuple[Any, Any]:
    """Log-probabilities ``[B, A]`` and values ``[B]``."""
    for w, b in weights["trunk"]:
        x = jnp.tanh(x @ w + b)
    ((pw, pb),), ((vw, vb),) = weights["policy"], weights["value"]
    return jax.nn.log_softmax(jnp.where(mask, x @ pw + pb, -1e9)), (x @ vw + vb)[:, 0]


def main() -> None:
    args = parser.parse_args()
    envs = kessel.make_vec(
        args.game, args.envs, seat=args.seat, opponent=args.opponent, autoreset="same-step", render_mode=None
    )
    reset, step = jitted(envs)
    B, T = args.envs, args.horizon
    inputs = sum(int(np.prod(envs.description["shapes"][name])) for name in TENSORS)
    key, first = jax.random.split(jax.random.PRNGKey(args.seed))
    weights = made(first, inputs, args.hidden, len(envs.actions))
    zeros = jax.tree.map(jnp.zeros_like, weights)
    adam = (zeros, zeros, jnp.zeros((), jnp.int32))

    def loss(weights: Weights, x: Any, mask: Any, action: Any, old: Any, advantage: Any, target: Any) -> Any:
        logp, value = net(weights, x, mask)
        ratio = jnp.exp(jnp.take_along_axis(logp, action[:, None], 1)[:, 0] - old)
        gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - args.clip, 1 + args.clip) * advantage)
        entropy = -(jnp.exp(logp) * jnp.where(mask, logp, 0)).sum(1)
        return -gain.mean() + 0.5 * ((value - target) ** 2).mean() - args.entropy * entropy.mean()

    @jax.jit
    def update(weights: Weights, adam: Any, now: Step, key: Any) -> Any:
        def decide(carry: tuple[Step, Any], _: Any) -> Any:
            now, key = carry
            key, draw = jax.random.split(key)
            x = flat(now)
            logp, value = net(weights, x, now.mask)
            action = jax.random.categorical(draw, logp).astype(jnp.int32)
            after = step(action)
            chosen = jnp.take_along_axis(logp, action[:, None], 1)[:, 0]
            over = after.terminated | after.truncated
            return (after, key), (x, now.mask, action, chosen, value, after.reward, over)

        (now, key), (x, mask, action, old, value, reward, over) = jax.lax.scan(decide, (now, key), length=T)
        following = jnp.concatenate([value[1:], net(weights, flat(now), now.mask)[1][None]])
        error = reward + jnp.where(over, 0, following) - value

        def back(carry: Any, row: Any) -> Any:
            error, over = row
            carry = error + jnp.where(over, 0, args.lam * carry)
            return carry, carry

        _, advantage = jax.lax.scan(back, jnp.zeros(B), (error, over), reverse=True)
        target = advantage + value
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        rows = [a.reshape(T * B, *a.shape[2:]) for a in (x, mask, action, old, advantage, target)]

        def learn(carry: Any, some: Any) -> Any:
            weights, (m, v, n) = carry
            gradient = jax.grad(loss)(weights, *(a[some] for a in rows))
            norm = jnp.sqrt(sum((g**2).sum() for g in jax.tree.leaves(gradient)))
            gradient = jax.tree.map(lambda g: g * jnp.minimum(1, 0.5 / (norm + 1e-8)), gradient)
            n = n + 1
            m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, gradient)
            v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, gradient)
            rate = args.lr * jnp.sqrt(1 - 0.999**n) / (1 - 0.9**n)
            weights = jax.tree.map(lambda w, m, v: w - rate * m / (jnp.sqrt(v) + 1e-8), weights, m, v)
            return (weights, (m, v, n)), None

        shuffles = jax.vmap(lambda k: jax.random.permutation(k, T * B))(jax.random.split(key, args.epochs))
        size = min(args.minibatch, T * B)
        parts = shuffles[:, : T * B // size * size].reshape(-1, size)
        (weights, adam), _ = jax.lax.scan(learn, (weights, adam), parts)
        return weights, adam, now, jax.random.fold_in(key, 1), reward.sum() / jnp.maximum(over.sum(), 1)

    now, start = jax.jit(reset)(args.seed), time.perf_counter()
    for done in range(T * B, args.steps + 1, T * B):
        weights, adam, now, key, result = update(weights, adam, now, key)
        rate = done / (time.perf_counter() - start)
        print(f"{done:,} decisions, mean result {float(result):+.2f}, {rate:,.0f} decisions/s", flush=True)

    plain = jax.tree.map(np.asarray, weights)
    best = jax.jit(lambda x, mask: net(weights, x, mask)[0].argmax(1))
    result = rl.evaluate(
        lambda obs, mask: np.asarray(best(flatten(obs, 1), mask.astype(bool))),
        args.game,
        args.games,
        seat=args.seat,
        opponent="random",
    )
    print(
        f"{args.seat} wins {result['win_rate']:.1%} [{result['low']:.1%}, {result['high']:.1%}] "
        f"of {args.games} games against random play"
    )
    args.out.parent.mkdir(parents=True, exist_ok=True)
    export.from_mlp(
        args.out, envs, trunk=plain["trunk"], policy=plain["policy"], value=plain["value"], seats=[args.seat]
    )
    envs.close()


if __name__ == "__main__":
    main()
