"""Environments that are stepped inside functions that JAX compiles."""

from __future__ import annotations

import unittest
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import kessel
from kessel.rl.jax import Step, jitted

GAME = "pocket-stalingrad"
STEPS = 60


class JaxTest(unittest.TestCase):
    def made(self, **more: Any) -> kessel.VectorEnv:
        envs = kessel.make_vec(GAME, 4, seat="german", opponent="random", autoreset="same-step", **more)
        self.addCleanup(envs.close)
        return envs

    def test_a_compiled_loop_plays_what_a_plain_one_plays(self) -> None:
        """The first legal action, in every environment, over the ends of episodes."""
        reset, step = jitted(self.made())

        @jax.jit
        def play(seed: Any) -> tuple[Step, Step]:
            def one(now: Step, _: Any) -> tuple[Step, Step]:
                after = step(now.mask.argmax(1).astype(jnp.int32))
                return after, after

            return jax.lax.scan(one, reset(seed), length=STEPS)

        _, found = play(7)
        plain = self.made()
        _, info = plain.reset(seed=7)
        ended = 0
        for k in range(STEPS):
            obs, reward, terminated, truncated, info = plain.step(info["action_mask"].argmax(axis=1))
            for name, tensor in obs.items():
                np.testing.assert_array_equal(found.observation[name][k], tensor)
            np.testing.assert_array_equal(found.mask[k], info["action_mask"])
            np.testing.assert_array_equal(found.actor[k], info["actor"])
            np.testing.assert_array_equal(found.reward[k], reward)
            np.testing.assert_array_equal(found.rewards[k], info["rewards"])
            np.testing.assert_array_equal(found.terminated[k], terminated)
            np.testing.assert_array_equal(found.truncated[k], truncated)
            ended += int(terminated.sum())
        self.assertGreater(ended, 0)

    def test_steps_follow_the_program(self) -> None:
        """Two steps without data between them, one of them in a branch."""
        envs = self.made()
        reset, step = jitted(envs)

        @jax.jit
        def twice(seed: Any, further: Any) -> Any:
            first = reset(seed)
            second = step(first.mask.argmax(1).astype(jnp.int32))
            return jax.lax.cond(further, lambda m: step(m.argmax(1).astype(jnp.int32)).mask, lambda m: m, second.mask)

        for further in (False, True):
            last = twice(3, further)
            np.testing.assert_array_equal(last, envs.batch.mask)

    def test_features_of_a_byte(self) -> None:
        reset, _ = jitted(self.made(dtype="uint8"))
        self.assertEqual(jax.jit(reset)(1).observation["globals"].dtype, jnp.uint8)

    def test_an_illegal_action_is_an_error_with_its_code(self) -> None:
        reset, step = jitted(self.made())
        now = jax.jit(reset)(1)
        with self.assertRaisesRegex(Exception, "illegal-action"):
            jax.block_until_ready(jax.jit(step)(now.mask.argmin(1).astype(jnp.int32)))

    def test_other_environments_are_refused(self) -> None:
        env = kessel.make(GAME, seat="german", opponent="random")
        self.addCleanup(env.close)
        with self.assertRaisesRegex(kessel.BadInput, "envs is a kessel.VectorEnv"):
            jitted(env)  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
