"""Tianshou: its PettingZoo wrapper, its collectors, and a short training run with masks."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from torch import nn

import kessel
from kessel.spaces import TENSORS, flatten

GAME = "pocket-stalingrad"


class Net(nn.Module):
    """The four tensors to values of actions [B, A]; Tianshou's policy applies the mask."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, 64), nn.ReLU(), nn.Linear(64, actions))

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        seen = {t: np.asarray(obs[t]) for t in TENSORS}
        return self.net(torch.as_tensor(flatten(seen, 1))), state


class One(PettingZooEnv):
    """Tianshou gives the rewards of all players; a single learner takes those of the side that acted."""

    def step(self, action: Any) -> Any:
        acted = self.agent_idx[self.env.agent_selection]
        obs, rewards, terminated, truncated, info = super().step(action)
        return obs, rewards[acted], terminated, truncated, info


class TianshouTest(unittest.TestCase):
    def test_petting_zoo_wrapper(self) -> None:
        env = PettingZooEnv(kessel.aec_env(GAME))
        self.addCleanup(env.close)
        obs, _ = env.reset(seed=1)
        rng, over, rewards = np.random.default_rng(1), False, np.zeros(2)
        while not over:
            self.assertIn(obs["agent_id"], ("german", "soviet"))
            obs, rewards, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(obs["mask"]))))
            over = terminated or truncated
        self.assertEqual(sorted(rewards), [-1, 1])

    def test_dqn(self) -> None:
        torch.manual_seed(1)
        envs = DummyVectorEnv([lambda: One(kessel.aec_env(GAME))] * 4)
        self.addCleanup(envs.close)
        envs.seed([1, 2, 3, 4])
        space = envs.action_space[0]
        obs, _ = envs.reset()
        net = Net(len(flatten(obs[0]["obs"])), int(space.n))
        policy = DiscreteQLearningPolicy(model=net, action_space=space, eps_training=0.5, eps_inference=0.5)
        dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=0.99, target_update_freq=50)
        buffer = VectorReplayBuffer(4096, 4)
        collector = Collector(dqn, envs, buffer, exploration_noise=True)
        before = [p.detach().clone() for p in net.parameters()]
        collector.reset()
        collected = collector.collect(n_step=1024)  # "raise": a choice outside the mask would have ended it
        self.assertGreater(collected.n_collected_episodes, 0)
        with torch_training(dqn):
            for _ in range(20):
                stats = dqn.update(buffer=buffer, sample_size=64)
        self.assertTrue(np.isfinite(stats.loss))
        self.assertTrue(any((a != b).any() for a, b in zip(before, net.parameters())))
        masks = np.zeros((2, int(space.n)), bool)
        masks[:, [3, 5]] = True
        both = {t: np.stack([o["obs"][t] for o in obs[:2]]) for t in TENSORS}
        seen = Batch(obs=Batch(obs=Batch(both), mask=masks), info={})
        self.assertTrue(set(policy(seen).act) <= {3, 5})


def torch_training(algorithm: Any) -> Any:
    from tianshou.utils.torch_utils import policy_within_training_step

    return policy_within_training_step(algorithm.policy)


if __name__ == "__main__":
    unittest.main()
