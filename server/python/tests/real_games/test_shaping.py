"""Shaping by potentials: what it adds to an episode depends on its start alone, so that no policy gains by it."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np

import kessel

try:
    import gymnasium  # noqa: F401
except ImportError:
    raise unittest.SkipTest("needs Gymnasium") from None

GAME = "pocket-stalingrad"
GAMMA = 0.9
SHAPED: dict[str, Any] = dict(privileged=True, potentials=True)


class ShapingTest(unittest.TestCase):
    def made(self, env: Any) -> Any:
        self.addCleanup(env.close)
        return env

    def vector(self, size: int = 6, seat: str | None = "german", **more: Any) -> Any:
        return self.made(kessel.make_vec(GAME, size, **{"opponent": "random", "seat": seat, **SHAPED, **more}))

    def first_episodes(self, envs: Any, side: str, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Discounted sums of what shaping added until the first end of each episode; phi at its start and at its end."""
        rng = np.random.default_rng(1)
        _, info = envs.reset(seed=3)
        seat, k = envs.unwrapped.players.index(side), envs.unwrapped.description["potentials"].index(name)
        sign = 1 if seat == 0 else -1
        start = sign * np.array(info["potentials"][:, k])
        added, factor = np.zeros(len(start)), np.ones(len(start))
        going, last = np.ones(len(start), bool), np.zeros(len(start))
        while going.any():
            _, reward, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
            added += np.where(going, factor * (reward - info["rewards"][:, seat]), 0)
            factor *= GAMMA
            last = np.where(going & truncated, factor * sign * info["potentials"][:, k], last)
            going &= ~(terminated | truncated)
        return added, start, last

    def test_an_episode_gains_what_its_start_says(self) -> None:
        for side in ("german", "soviet"):
            for autoreset in ("next-step", "same-step"):
                with self.subTest(side=side, autoreset=autoreset):
                    envs = kessel.PotentialShapingVector(
                        kessel.FlatVector(self.vector(seat=side, autoreset=autoreset)), "material", GAMMA
                    )
                    added, start, _ = self.first_episodes(envs, side, "material")
                    np.testing.assert_allclose(added, -start, atol=1e-4)
                    self.assertGreater(np.abs(start).max(), 0.01)

    def test_what_is_cut_off_is_not_over(self) -> None:
        envs = kessel.PotentialShapingVector(self.vector(seat="soviet", max_decisions=30), "captured", GAMMA)
        added, start, last = self.first_episodes(envs, "soviet", "captured")
        np.testing.assert_allclose(added, last - start, atol=1e-4)
        self.assertTrue((last != 0).any())

    def test_next_episode_begins_anew(self) -> None:
        """The step that only starts the next episode brings nothing, and the one after it counts from the new start."""
        envs = kessel.PotentialShapingVector(self.vector(1), gamma=1.0)
        seat = envs.unwrapped.players.index("german")
        sign = 1 if seat == 0 else -1
        rng = np.random.default_rng(2)
        _, info = envs.reset(seed=5)
        for _ in range(3):
            start, added, over = sign * float(info["potentials"][0, 0]), 0.0, False
            while not over:
                _, reward, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
                added, over = added + float(reward[0] - info["rewards"][0, seat]), bool(terminated[0] | truncated[0])
            self.assertAlmostEqual(added, -start, places=4)
            _, reward, _, _, info = envs.step([0])
            self.assertEqual(reward[0], 0)

    def test_one_environment(self) -> None:
        env = self.made(kessel.make(GAME, seat="soviet", opponent="random", **SHAPED))
        shaped = kessel.Flat(kessel.PotentialShaping(env, gamma=GAMMA, weight=2.0))
        rng = np.random.default_rng(1)
        _, info = shaped.reset(seed=3)
        (name, start), *_ = info["potentials"].items()
        self.assertIn(name, env.game.description["potentials"])
        added, factor, over = 0.0, 1.0, False
        while not over:
            action = int(rng.choice(np.flatnonzero(shaped.action_masks())))
            _, reward, terminated, truncated, info = shaped.step(action)
            added += factor * (reward - info["rewards"]["soviet"])
            factor, over = factor * GAMMA, terminated or truncated
        self.assertAlmostEqual(added, 2 * start, places=4)

    def test_only_where_hidden_facts_may_be_read(self) -> None:
        with self.assertRaises(kessel.KesselError) as caught:
            kessel.make_vec(GAME, 2, seat="german", potentials=True)
        self.assertEqual(caught.exception.code, "not-privileged")
        self.assertNotIn("potentials", self.vector(potentials=False).reset(seed=1)[1])

    def test_refusals(self) -> None:
        for envs, more in (
            (self.vector(potentials=False), {}),
            (self.made(kessel.make_vec(GAME, 2, **SHAPED)), {}),
            (self.vector(autoreset="same-step", max_decisions=30), {}),
            (self.vector(), dict(potential="beauty")),
            (self.vector(), dict(gamma=1.5)),
        ):
            with self.assertRaises(ValueError):
                kessel.PotentialShapingVector(envs, **more)

    def test_worker_threads_tell_the_same(self) -> None:
        """An environment's potentials don't depend on how large its batch is: large ones are played by threads."""
        seen = []
        for size in (4, 600):
            envs = self.vector(size, seat=None, opponent=None)
            _, info = envs.reset(seed=3)
            for _ in range(12):
                chosen = info["action_mask"].argmax(axis=1)
                _, _, _, _, info = envs.step(chosen)
                seen.append(np.array(info["potentials"][:4]))
        np.testing.assert_array_equal(seen[:12], seen[12:])
        self.assertGreater(len({s.tobytes() for s in seen}), 1)

    def test_with_the_first_that_are_ready(self) -> None:
        envs = self.made(kessel.make_async(GAME, 8, 4, seat="german", **SHAPED))
        envs.async_reset(seed=1)
        info = envs.recv()[4]
        self.assertEqual(info["potentials"].shape, (4, len(envs.description["potentials"])))


if __name__ == "__main__":
    unittest.main()
