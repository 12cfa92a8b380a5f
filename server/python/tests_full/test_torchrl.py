"""TorchRL: its wrappers of our vector environments and of PettingZoo's, its own checks, and a short training run."""

from __future__ import annotations

import unittest

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import GymWrapper, PettingZooWrapper
from torchrl.envs.utils import check_env_specs
from torchrl.modules import ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import kessel

GAME = "pocket-stalingrad"


def vector(size: int) -> GymWrapper:
    envs = kessel.make_vec(GAME, size, seat="german", autoreset="same-step", illegal="random")
    return GymWrapper(kessel.FlatVector(envs), categorical_action_encoding=True)


class TorchRlTest(unittest.TestCase):
    def test_petting_zoo(self) -> None:
        for made in (kessel.aec_env(GAME, illegal="random"), kessel.parallel_env(GAME, illegal="random", idle_mask=1)):
            with self.subTest(type(made).__name__):
                env = PettingZooWrapper(made, use_mask=True, categorical_actions=True, return_state=False)
                self.addCleanup(env.close)
                check_env_specs(env)
                self.assertEqual(env.rollout(20).shape[0], 20)

    def test_ppo(self) -> None:
        torch.manual_seed(1)
        env = vector(8)
        self.addCleanup(env.close)
        size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
        net = TensorDictModule(
            nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions)), ["observation"], ["logits"]
        )
        actor = ProbabilisticActor(
            net,
            in_keys=["logits"],
            spec=env.action_spec,
            distribution_class=torch.distributions.Categorical,
            return_log_prob=True,
        )
        critic = ValueOperator(nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1)), in_keys=["observation"])
        advantage, loss = GAE(gamma=1.0, lmbda=0.95, value_network=critic), ClipPPOLoss(actor, critic)
        optimiser = torch.optim.Adam(loss.parameters(), lr=1e-3)
        before = [p.detach().clone() for p in loss.parameters()]
        ends = 0
        for _ in range(4):
            with torch.no_grad():
                data = env.rollout(64, actor, break_when_any_done=False)
            ends += int(data["next", "done"].sum())
            advantage(data)
            parts = loss(data.reshape(-1))
            total = sum(parts[name] for name in ("loss_objective", "loss_critic", "loss_entropy"))
            self.assertTrue(torch.isfinite(total))
            optimiser.zero_grad()
            total.backward()
            optimiser.step()
        self.assertGreater(ends, 0, "episodes ended and began again")
        self.assertTrue(any((a != b).any() for a, b in zip(before, loss.parameters())))


if __name__ == "__main__":
    unittest.main()
