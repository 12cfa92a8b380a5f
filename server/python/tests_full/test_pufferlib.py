"""PufferLib's emulation and its vector environments over ours."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
import pufferlib.vector
import torch
from pufferlib.emulation import GymnasiumPufferEnv, PettingZooPufferEnv
from pufferlib.pytorch import nativize_dtype, nativize_tensor

import kessel

GAME = "pocket-stalingrad"
ARGUMENTS: dict[str, Any] = dict(seat="german", opponent="random", mask_in_obs=True)


def emulated(buf: Any = None, seed: int = 0, **more: Any) -> GymnasiumPufferEnv:
    return GymnasiumPufferEnv(env_creator=kessel.make, env_args=[GAME], env_kwargs=more, buf=buf, seed=seed)


def masks_of(observations: np.ndarray, env: Any) -> np.ndarray:
    """The legal actions that PufferLib's bytes hold."""
    found = nativize_tensor(torch.as_tensor(observations), nativize_dtype(env.emulated))
    return np.asarray(found["action_mask"])


class PufferTest(unittest.TestCase):
    def test_one_environment_plays_what_it_plays_without(self) -> None:
        ours, theirs = kessel.make(GAME, **ARGUMENTS), emulated(**ARGUMENTS)
        self.addCleanup(ours.close)
        self.addCleanup(theirs.close)
        seen, info = ours.reset(seed=7)
        bytes_of, _ = theirs.reset(seed=7)
        over = False
        while not over:
            found = nativize_tensor(torch.as_tensor(bytes_of).view(1, -1), nativize_dtype(theirs.emulated))
            for name, tensor in seen.items():
                np.testing.assert_array_equal(np.asarray(found[name])[0], tensor)
            action = int(info["action_mask"].argmax())
            seen, reward, terminated, truncated, info = ours.step(action)
            bytes_of, *result, _ = theirs.step(np.array([action]))
            self.assertEqual(result, [reward, terminated, truncated])
            over = terminated or truncated

    def test_vectors_in_this_process_and_in_others(self) -> None:
        """Masks reach the policy, so no action is illegal, and each process has a server of its own."""
        for backend in (pufferlib.vector.Serial, pufferlib.vector.Multiprocessing):
            with self.subTest(backend=backend.__name__):
                workers = {} if backend is pufferlib.vector.Serial else {"num_workers": 2}
                envs = pufferlib.vector.make(emulated, num_envs=4, env_kwargs=ARGUMENTS, backend=backend, **workers)
                self.addCleanup(envs.close)
                observations, _ = envs.reset(seed=1)
                ended = 0
                for _ in range(150):
                    actions = masks_of(observations, envs.driver_env).argmax(axis=1)
                    observations, _, terminals, truncations, infos = envs.step(actions)
                    self.assertFalse(any(info.get("illegal_action") for info in infos))
                    ended += int(terminals.sum())
                    self.assertFalse(truncations.any())
                self.assertGreater(ended, 0)

    def test_both_sides(self) -> None:
        env = PettingZooPufferEnv(env_creator=kessel.parallel_env, env_args=[GAME], env_kwargs={"max_cycles": 20})
        self.addCleanup(env.close)
        seen, _ = env.reset(seed=1)
        self.assertEqual(set(seen), {"soviet", "german"})
        cut: dict[str, bool] = {}
        while not any(cut.values()):
            masks = {
                agent: masks_of(bytes_of.reshape(1, -1).view(np.uint8), env)[0] for agent, bytes_of in seen.items()
            }
            seen, _, _, cut, _ = env.step({agent: int(mask.argmax()) for agent, mask in masks.items()})
        self.assertEqual(cut, {"soviet": True, "german": True})


if __name__ == "__main__":
    unittest.main()
