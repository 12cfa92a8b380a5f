"""Environments inside functions that JAX compiles.

    envs = kessel.make_vec("pocket-stalingrad", 64, seat="german", opponent="random", autoreset="same-step")
    reset, step = kessel.rl.jax.jitted(envs)

    @jax.jit
    def play(weights, seed):
        def one(now, key):
            actions = jax.random.categorical(key, policy(weights, now.observation, now.mask))
            now = step(actions)
            return now, now.reward
        return jax.lax.scan(one, reset(seed), jax.random.split(jax.random.PRNGKey(0), 128))

The server still plays the games: JAX calls the environments back (``jax.experimental.io_callback``) in the order of
the program, and compiles what is around them. ``jit``, ``lax.scan``, ``lax.while_loop`` and ``lax.cond`` take such
steps. ``vmap`` and ``pmap`` don't; use ``num_envs`` for a batch. ``examples/jax_ppo.py`` is an example.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np

try:
    import jax
    from jax.experimental import io_callback
except ModuleNotFoundError as e:
    raise ImportError(f"kessel.rl.jax needs {e.name}; install it with: pip install jax") from e

from ..client.checks import refused
from ..envs.spaces import TENSORS
from ..envs.vector import VectorEnv


class Step(NamedTuple):
    """The result of a reset or step, as arrays of JAX."""

    observation: dict[str, Any]
    """``globals [B, G]``, ``map [B, N, Fm]``, ``units [B, U, Fu]``, ``decision [B, D]``, of the acting player."""
    mask: Any
    """bool ``[B, A]``: legal actions."""
    actor: Any
    """int32 ``[B]``: index of the acting player, -1 when the episode is over."""
    reward: Any
    """float32 ``[B]``, as of :meth:`kessel.VectorEnv.step`; 0 after a reset."""
    rewards: Any
    """float32 ``[B, players]``"""
    terminated: Any
    """bool ``[B]``"""
    truncated: Any
    """bool ``[B]``"""


def jitted(envs: VectorEnv) -> tuple[Callable[[Any], Step], Callable[[Any], Step]]:
    """Functions that step environments from compiled code.

    Args:
        envs: of :func:`kessel.make_vec`. Use ``autoreset="same-step"`` for learning: then each step is a decision.

    Returns:
        ``reset(seed)``, with an int32 number, and ``step(actions)``, with int32 ``[B]``. Both return a :class:`Step`. They act on
        ``envs`` in the order in which the program has them, so a function that calls them has side effects: it
        must not be run twice for one result.

    Raises:
        BadInput: for other environments.
        jax.errors.JaxRuntimeError: from compiled code, for an action outside the mask or a server that is lost; the message
            has the :class:`kessel.KesselError` with its code.
    """
    if not isinstance(envs, VectorEnv):
        raise refused("envs", "a kessel.VectorEnv, as of make_vec", envs)
    size, shapes, players = envs.num_envs, envs.description["shapes"], len(envs.players)
    seen = np.dtype(envs.made["dtype"])
    form_of: Any = jax.ShapeDtypeStruct
    actions, flags = len(envs.actions), form_of((size,), np.bool_)
    form = Step(
        {name: form_of((size, *shapes[name]), seen) for name in TENSORS},
        form_of((size, actions), np.bool_),
        form_of((size,), np.int32),
        form_of((size,), np.float32),
        form_of((size, players), np.float32),
        flags,
        flags,
    )

    def told(obs: dict[str, np.ndarray], reward: Any, terminated: Any, truncated: Any, info: dict[str, Any]) -> Step:
        tensors = {name: np.asarray(obs[name]) for name in TENSORS}
        mask = info["action_mask"].view(np.bool_)
        return Step(tensors, mask, info["actor"], reward, info["rewards"], terminated, truncated)

    def do_reset(seed: Any) -> Step:
        obs, info = envs.reset(seed=int(seed))
        none = np.zeros(size, np.bool_)
        return told(obs, np.zeros(size, np.float32), none, none, info)

    def do_step(chosen: Any) -> Step:
        return told(*envs.step(np.asarray(chosen)))

    def reset(seed: Any) -> Step:
        found: Step = io_callback(do_reset, form, seed, ordered=True)
        return found

    def step(chosen: Any) -> Step:
        found: Step = io_callback(do_step, form, chosen, ordered=True)
        return found

    return reset, step
