"""PettingZoo and SuperSuit: one request a step, a state for critics, SuperSuit's wrappers on flat observations."""

from __future__ import annotations

import unittest
import warnings
from typing import Any

import numpy as np
import supersuit
from pettingzoo.test import api_test, parallel_api_test

import kessel
from kessel.spaces import flatten

GAME = "savage-streets"


def legal(info: dict[str, Any], rng: np.random.Generator) -> int:
    mask = info["action_mask"]
    return int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0


class ParallelTest(unittest.TestCase):
    def test_both_views_are_true_at_every_step(self) -> None:
        env = kessel.parallel_env(GAME, privileged=True)
        self.addCleanup(env.close)
        rng = np.random.default_rng(1)
        _, infos = env.reset(seed=1)
        for _ in range(60):
            obs, _, _, _, infos = env.step({a: legal(infos[a], rng) for a in env.agents})
            if not env.agents:
                break
            for agent in env.agents:
                for name, tensor in env.batch.observe(agent).items():
                    np.testing.assert_array_equal(obs[agent]["observation"][name], tensor[0])
            state = env.state()
            self.assertIn(state, env.state_space)
            flat = [flatten(obs[a]["observation"]) for a in env.possible_agents]
            np.testing.assert_array_equal(state, np.concatenate(flat))

    def test_state_is_privileged(self) -> None:
        env = kessel.aec_env(GAME)
        self.addCleanup(env.close)
        env.reset(seed=1)
        with self.assertRaisesRegex(kessel.KesselError, "not-privileged.*privileged=True"):
            env.state()

    def test_flat_environments_keep_the_contracts(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            api_test(kessel.aec_env(GAME, flat=True, privileged=True), num_cycles=200)
            parallel_api_test(kessel.parallel_env(GAME, flat=True, illegal="lose"), num_cycles=200)


class SuperSuitTest(unittest.TestCase):
    def test_frame_stack(self) -> None:
        env = supersuit.frame_stack_v1(kessel.parallel_env(GAME, flat=True), 3)
        self.addCleanup(env.close)
        obs, _ = env.reset(seed=1)
        agent = env.possible_agents[0]
        self.assertIn(obs[agent], env.observation_space(agent))
        self.assertEqual(env.observation_space(agent).shape[0] % 3, 0)

    def test_concat_vec_envs(self) -> None:
        single = supersuit.pettingzoo_env_to_vec_env_v1(kessel.parallel_env(GAME, flat=True, illegal="random"))
        envs = supersuit.concat_vec_envs_v1(single, 2, num_cpus=0, base_class="gymnasium")
        self.addCleanup(envs.close)
        obs, _ = envs.reset(seed=1)
        self.assertEqual(len(obs), 4)  # two environments of two agents
        for _ in range(20):
            obs, rewards, *_ = envs.step(np.zeros(4, np.int64))
            self.assertEqual((obs.shape[0], rewards.shape), (4, (4,)))


if __name__ == "__main__":
    unittest.main()
