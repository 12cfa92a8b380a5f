"""The vector environment against a server of toy games, whose address is in KESSEL_ADDRESS."""

from __future__ import annotations

import unittest

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

import kessel


def play(envs: kessel.VectorEnv, steps: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    obs, info = envs.reset(seed=seed)
    seen = []
    for _ in range(steps):
        seen.append(np.concatenate([obs["units"].reshape(envs.num_envs, -1), obs["globals"]], axis=1))
        obs, reward, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
        seen.append(reward.copy())
    return seen


class VectorTest(unittest.TestCase):
    def make(self, game: str = "toy-race", num_envs: int = 8, **args: object) -> kessel.VectorEnv:
        envs = kessel.make_vec(game, num_envs, **args)
        self.addCleanup(envs.close)
        return envs

    def test_is_a_gymnasium_vector_env(self) -> None:
        envs = self.make("toy-ambush")
        self.assertIsInstance(envs, gymnasium.vector.VectorEnv)
        obs, info = envs.reset(seed=1)
        self.assertIn(obs, envs.observation_space)
        self.assertIn(kessel.sample(info["action_mask"]).astype(np.int64), envs.action_space)
        self.assertEqual(envs.metadata["autoreset_mode"], AutoresetMode.NEXT_STEP)

    def test_same_seed_same_play(self) -> None:
        for args in (
            {},
            {"opponent": "random"},
            {"opponent": [{"agent": "random", "weight": 1}, {"agent": "random", "weight": 2}]},
        ):
            with self.subTest(args):
                one, two = (play(self.make("toy-ambush", **args), 60, 3) for _ in range(2))
                for a, b in zip(one, two):
                    np.testing.assert_array_equal(a, b)

    def test_next_step_autoreset(self) -> None:
        envs = self.make()
        rng = np.random.default_rng(1)
        obs, info = envs.reset(seed=1)
        was_over = np.zeros(8, bool)
        games = 0
        for _ in range(200):
            obs, reward, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
            over = terminated | truncated
            self.assertFalse((over & was_over).any(), "the step after the end starts a new episode")
            self.assertTrue((reward[was_over] == 0).all())
            self.assertTrue((info["decisions"][was_over] <= 1).all())
            self.assertTrue((info["action_mask"][over] == 0).all())
            was_over = over
            games += over.sum()
        self.assertGreater(games, 8)

    def test_same_step_autoreset_keeps_the_final_observation(self) -> None:
        envs = self.make(autoreset="same-step")
        rng = np.random.default_rng(1)
        obs, info = envs.reset(seed=1)
        ends = 0
        for _ in range(200):
            obs, reward, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
            over = terminated | truncated
            self.assertTrue(info["action_mask"].any(axis=1).all())
            if over.any():
                np.testing.assert_array_equal(info["_final_obs"], over)
                for i in np.flatnonzero(over):
                    self.assertIn(info["final_obs"][i], envs.single_observation_space)
                    ends += 1
        self.assertGreater(ends, 8)

    def test_rewards_are_those_of_the_seat_played(self) -> None:
        for seat, column in (("red", 0), ("blue", 1)):
            envs = self.make("toy-ambush", seat=seat)
            rng = np.random.default_rng(1)
            obs, info = envs.reset(seed=1)
            total = 0.0
            for _ in range(150):
                obs, reward, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
                np.testing.assert_array_equal(reward, info["rewards"][:, column])
                self.assertTrue((info["actor"][~(terminated | truncated)] == column).all())
                total += np.abs(reward).sum()
            self.assertGreater(total, 0)

    def test_the_connection_is_closed_with_the_last_that_use_it(self) -> None:
        envs = self.make()
        others = [envs.another(), envs.another()]
        envs.another()  # forgotten, which keeps no connection open
        for gone, left in ((envs, others[0]), (others[0], others[1])):
            gone.close()
            play(left, 5, 3)
        others[1].close()
        with self.assertRaisesRegex(kessel.KesselError, "closed"):
            envs.client.ping()

    def test_illegal_actions_are_replaced_by_the_mask_of_a_state_that_the_batch_takes_over(self) -> None:
        for come in (
            lambda batch, saved: batch.load(saved),
            lambda batch, saved: batch.step(batch.reset(seed=3)["mask"].argmax(axis=1)),
        ):
            envs = self.make("toy-ambush", privileged=True, illegal="random")
            _, info = envs.reset(seed=3)
            _, _, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
            saved, actions = envs.batch.save(), info["action_mask"].argmax(axis=1)
            expected, reward, _, _, told = envs.step(actions)
            other = envs.another()
            self.addCleanup(other.close)
            other.reset(seed=3)  # where none of the actions is legal
            come(other.batch, saved)
            got, rewarded, _, _, info = other.step(actions)
            for name, tensor in expected.items():
                np.testing.assert_array_equal(got[name], tensor)
            np.testing.assert_array_equal(rewarded, reward)
            np.testing.assert_array_equal(info["action_mask"], told["action_mask"])

    def test_a_reward_after_a_load_is_that_of_who_then_acted(self) -> None:
        envs = self.make("toy-race", privileged=True)
        rng = np.random.default_rng(1)
        _, info = envs.reset(seed=1)
        rewards = []
        for _ in range(60):
            saved, actions, actors = envs.batch.save(), kessel.sample(info["action_mask"], rng), info["actor"]
            _, _, _, _, info = envs.step(actions)
            envs.reset()
            envs.batch.load(saved)
            _, reward, _, _, info = envs.step(actions)
            rewards.append(reward)
            np.testing.assert_array_equal(reward, info["rewards"][np.arange(8), actors])
        self.assertTrue(np.any(rewards))

    def test_partial_reset(self) -> None:
        envs = self.make(autoreset="disabled", num_envs=3)
        obs, info = envs.reset(seed=1)
        first = {k: v.copy() for k, v in obs.items()}
        envs.step(kessel.sample(info["action_mask"]))
        obs, info = envs.reset(seed=[5, 6, 7], options={"reset_mask": np.array([True, False, True])})
        self.assertEqual(info["decisions"].tolist()[0], 0)
        self.assertGreater(info["decisions"][1], 0)
        obs, info = envs.reset(seed=1)
        for k in first:
            np.testing.assert_array_equal(obs[k], first[k])

    def test_bytes(self) -> None:
        floats, coarse = self.make("toy-ambush"), self.make("toy-ambush", dtype="uint8")
        a, b = floats.reset(seed=2)[0], coarse.reset(seed=2)[0]
        self.assertIn(b, coarse.observation_space)
        np.testing.assert_array_equal(b["units"], np.round(a["units"] * 255).astype(np.uint8))


if __name__ == "__main__":
    unittest.main()
