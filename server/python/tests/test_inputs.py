"""Arguments of the wrong type, shape or size are refused by name; nothing is rounded, wrapped around or passed over."""

from __future__ import annotations

import unittest

import numpy as np

import kessel
from kessel.client.inputs import GREATEST_SEED


class InputTest(unittest.TestCase):
    def setUp(self) -> None:
        self.envs = kessel.make_vec("toy-race", 3, autoreset="disabled")
        self.addCleanup(self.envs.close)
        _, self.info = self.envs.reset(seed=1)
        self.legal = kessel.sample(self.info["action_mask"])

    def refused(self, code: str, pattern: str, *calls: object) -> None:
        for call in calls:
            with self.assertRaisesRegex(kessel.BadInput, pattern) as caught:
                call()  # type: ignore[operator]
            self.assertEqual(caught.exception.code, code)
            self.assertIsInstance(caught.exception, ValueError)

    def test_actions(self) -> None:
        step = self.envs.step
        self.refused("bad-action", "whole numbers, not float64", lambda: step(self.legal.astype(float)))
        self.refused("bad-action", "whole numbers, not bool", lambda: step(self.legal.astype(bool)))
        self.refused("bad-action", "whole numbers, not <U", lambda: step(["go", "go", "go"]))
        shape = r"the shape \[3\], one for each environment, not "
        self.refused("bad-action", shape + r"\[2\]", lambda: step(self.legal[:2]))
        self.refused("bad-action", shape + r"\[3, 1\]", lambda: step(self.legal[:, None]))
        self.refused("bad-action", shape + r"\[\]", lambda: step(1))
        wrapped = self.legal.astype(np.int64) + 2**32  # int32 would hold the legal ones
        self.refused("bad-action", "beyond int32", lambda: step(wrapped))
        self.assertEqual(self.envs.batch.legal(), self.envs.batch.legal())  # the batch goes on
        step(self.legal.astype(np.uint8).tolist())

    def test_one_action(self) -> None:
        env = kessel.make("toy-race")
        self.addCleanup(env.close)
        env.reset(seed=1)
        action = int(env.action_masks().argmax())
        for wrong in (1.0, "1", None, np.array([action]), True, np.float32(0)):
            self.refused("bad-action", "one whole number, not ", lambda wrong=wrong: env.step(wrong))
        env.step(np.array(action))

    def test_unknown_keywords(self) -> None:
        # as libraries try them: TorchRL asks gymnasium.make for frameskip
        for make in (kessel.make, kessel.aec_env, kessel.parallel_env, kessel.make_vec):
            with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'frameskip'"):
                make("toy-race", frameskip=4)

    def test_seeds(self) -> None:
        env = kessel.make("toy-race")
        self.addCleanup(env.close)
        for reset in (lambda seed: env.reset(seed=seed), lambda seed: self.envs.reset(seed=seed)):
            for wrong in (2**63, 2**64, GREATEST_SEED + 1, -1):
                self.refused("bad-seed", r"must be in 0\.\.2\^53-1, but is -?\d+", lambda wrong=wrong: reset(wrong))
            for wrong in (1.5, True, b"1"):
                self.refused("bad-seed", "a whole number or a string, not", lambda wrong=wrong: reset(wrong))
        self.refused(
            "bad-seed", r"expected 3 seeds \(one per environment\), got 2", lambda: self.envs.reset(seed=[1, 2])
        )
        self.refused("bad-seed", "whole number or a string", lambda: self.envs.reset(seed=[1, 2, 3.5]))
        plain = self.envs.reset(seed=7)[0]
        for seed in (np.int64(7), np.uint8(7)):
            for name, tensor in self.envs.reset(seed=seed)[0].items():
                np.testing.assert_array_equal(tensor, plain[name])
        self.envs.reset(seed=GREATEST_SEED)

    def test_options_of_reset(self) -> None:
        env = kessel.make("toy-race")
        self.addCleanup(env.close)
        self.refused("bad-option", "takes the options position, not 'mask'", lambda: env.reset(options={"mask": 1}))
        reset = self.envs.reset
        self.refused("bad-option", "reset_mask, positions, not 'mask'", lambda: reset(options={"mask": 1}))
        self.refused("bad-option", r"is bool \[3\], not int64 \[3\]", lambda: reset(options={"reset_mask": [1, 0, 1]}))
        self.refused("bad-option", r"not bool \[2\]", lambda: reset(options={"reset_mask": [True, False]}))

    def test_positions_to_start_from(self) -> None:
        envs = kessel.make_vec("toy-race", 2, autoreset="disabled", privileged=True)
        self.addCleanup(envs.close)
        _, info = envs.reset(seed=1)
        envs.step(kessel.sample(info["action_mask"]))
        late = envs.batch.position(whole=True)
        envs.reset(seed=2)
        self.assertNotEqual(envs.batch.position(whole=True), late)
        envs.reset(options={"positions": late})
        self.assertEqual(envs.batch.position(whole=True), late)
        env = kessel.make("toy-race", privileged=True)
        self.addCleanup(env.close)
        env.reset(options={"position": late[1]})
        self.assertEqual(env.batch.position(whole=True), late[1:])

    def test_address(self) -> None:
        self.refused("bad-address", "127.0.0.1:7557' is no ZeroMQ address", lambda: kessel.Client("127.0.0.1:7557"))


if __name__ == "__main__":
    unittest.main()
