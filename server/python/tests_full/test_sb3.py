"""Stable-Baselines3 and sb3-contrib on a batch: what their own vector environments promise, and short training runs."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecFrameStack, VecMonitor

import kessel
from kessel.sb3 import make_vec_env

GAME = "pocket-stalingrad"
SMALL: dict[str, Any] = dict(n_steps=64, batch_size=128, gamma=1.0, seed=1, device="cpu")


class VecEnvTest(unittest.TestCase):
    def made(self, *args: Any, **more: Any) -> Any:
        envs = make_vec_env(*args, **more)
        self.addCleanup(envs.close)
        return envs

    def test_as_a_dummy_vec_env(self) -> None:
        """Shapes, types and the infos of an ended episode are those of SB3's own ``DummyVecEnv`` with ``Monitor``'s."""
        ours = self.made(GAME, 3, seed=1, seat="german", illegal="random")
        theirs = DummyVecEnv([lambda: kessel.Flat(kessel.make(GAME, seat="german", illegal="random"))] * 3)
        self.addCleanup(theirs.close)
        self.assertEqual(ours.observation_space, theirs.observation_space)
        self.assertEqual(ours.action_space, theirs.action_space)
        ends = {}
        for name, envs in (("ours", ours), ("theirs", theirs)):
            obs = envs.reset()
            self.assertEqual((obs.shape, obs.dtype), ((3, *envs.observation_space.shape), np.float32))
            info: dict[str, Any] = {}
            while "terminal_observation" not in info:
                obs, rewards, dones, infos = envs.step(np.zeros(3, np.int64))
                self.assertEqual((rewards.shape, rewards.dtype, dones.dtype), ((3,), np.float32, np.bool_))
                info = next((infos[i] for i in np.flatnonzero(dones)), {})
            self.assertIn(info["terminal_observation"], envs.observation_space)
            ends[name] = info
        self.assertEqual(ends["ours"]["TimeLimit.truncated"], ends["theirs"]["TimeLimit.truncated"])
        self.assertGreater(ends["ours"]["episode"]["l"], 5)
        self.assertIn(ends["ours"]["episode"]["r"], (-1.0, 0.0, 1.0))

    def test_masks(self) -> None:
        envs = self.made(GAME, 4, seed=1)
        envs.reset()
        self.assertTrue(is_masking_supported(envs))
        masks = get_action_masks(envs)
        self.assertEqual((masks.shape, masks.dtype), ((4, len(envs.actions)), np.bool_))
        envs.step(masks.argmax(axis=1))
        with self.assertRaises(kessel.KesselError) as caught:
            envs.step(envs.action_masks().argmin(axis=1))
        self.assertEqual(caught.exception.code, "illegal-action")

    def test_seeds(self) -> None:
        more = dict(opponent="random", seat="german", illegal="random")
        one, two = (self.made(GAME, 4, seed=5, **more) for _ in range(2))
        np.testing.assert_array_equal(one.reset(), two.reset())
        for _ in range(30):  # illegal ones become random ones, which the seed decides too
            for a, b in zip(one.step(np.ones(4, np.int64))[:3], two.step(np.ones(4, np.int64))[:3]):
                np.testing.assert_array_equal(a, b)

    def test_their_wrappers(self) -> None:
        envs = VecFrameStack(VecMonitor(self.made(GAME, 3, seed=1, illegal="random")), 2)
        self.assertEqual(envs.reset().shape, (3, 2 * envs.venv.observation_space.shape[0]))
        envs.step(np.zeros(3, np.int64))

    def test_pictures(self) -> None:
        envs = self.made(GAME, 4, seed=1, render_mode="rgb_array")
        envs.reset()
        self.assertEqual(envs.render(mode="rgb_array").shape, (2 * 720, 2 * 960, 3))


class TrainingTest(unittest.TestCase):
    def test_ppo_with_and_without_masks(self) -> None:
        for policy, flat in (("MlpPolicy", True), ("MultiInputPolicy", False)):
            for algorithm in (MaskablePPO, PPO):
                with self.subTest(algorithm=algorithm.__name__, policy=policy):
                    illegal = "raise" if algorithm is MaskablePPO else "random"
                    envs = make_vec_env(GAME, 8, seed=1, flat=flat, illegal=illegal, seat="soviet", opponent="random")
                    try:
                        model = algorithm(policy, envs, **SMALL)
                        before = [p.clone() for p in model.policy.parameters()]
                        model.learn(1024)
                        self.assertTrue(any((a != b).any() for a, b in zip(before, model.policy.parameters())))
                        self.assertGreater(len(model.ep_info_buffer), 0)
                    finally:
                        envs.close()

    def test_maskable_ppo_learns(self) -> None:
        """Random play wins some 8 % as German; a short run must do far better."""
        envs = make_vec_env(GAME, 16, seed=1, seat="german", opponent="random")
        try:
            model = MaskablePPO("MlpPolicy", envs, **{**SMALL, "n_steps": 128, "batch_size": 512}, ent_coef=0.01)
            start, _ = evaluate_policy(model, envs, n_eval_episodes=100, deterministic=False)
            model.learn(40_000)
            end, _ = evaluate_policy(model, envs, n_eval_episodes=100, deterministic=False)
        finally:
            envs.close()
        self.assertGreater(end, start + 0.4, "mean result of 100 games, from -1 to 1")


if __name__ == "__main__":
    unittest.main()
