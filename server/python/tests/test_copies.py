"""Environments as Gymnasium registers them, their copies, and how a program ends that closes none."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import unittest
from typing import Any

import gymnasium
import numpy as np

import kessel
from kessel.envs.registration import VERSIONS, id_of


def same(a: Any, b: Any) -> bool:
    return all(np.array_equal(a[name], b[name]) for name in a)


class CopyTest(unittest.TestCase):
    def closing(self, env: Any) -> Any:
        self.addCleanup(env.close)
        return env

    def copies(self, env: Any) -> list[Any]:
        return [self.closing(copy.deepcopy(env)), self.closing(pickle.loads(pickle.dumps(env)))]

    def test_before_the_first_reset(self) -> None:
        env = self.closing(kessel.make("toy-race", seat="south"))
        for other in self.copies(env):
            self.assertEqual((other.game.seats, other.observation_space), (env.game.seats, env.observation_space))
            self.assertTrue(same(other.reset(seed=3)[0], env.reset(seed=3)[0]))
            env = self.closing(kessel.make("toy-race", seat="south"))

    def test_a_privileged_one_under_way(self) -> None:
        env = self.closing(kessel.make("toy-race", privileged=True))
        env.reset(seed=3)
        env.step(int(env.action_masks().argmax()))
        others = self.copies(env)
        action = int(env.action_masks().argmax())
        expected = env.step(action)
        for other in others:
            got = other.step(action)
            self.assertTrue(same(got[0], expected[0]))
            self.assertEqual(got[1:4], expected[1:4])

    def test_a_privileged_batch_under_way(self) -> None:
        envs = self.closing(kessel.make_vec("toy-race", 3, privileged=True))
        _, info = envs.reset(seed=3)
        actions = kessel.sample(info["action_mask"])
        others = self.copies(envs)
        expected = envs.step(actions)
        for other in others:
            got = other.step(actions)
            self.assertTrue(same(got[0], expected[0]))
            np.testing.assert_array_equal(got[1], expected[1])

    def test_a_batch_that_replaces_illegal_actions(self) -> None:
        envs = self.closing(kessel.make_vec("toy-ambush", 3, privileged=True, illegal="random"))
        _, info = envs.reset(seed=3)
        _, _, _, _, info = envs.step(kessel.sample(info["action_mask"]))
        others = self.copies(envs)
        actions = kessel.sample(info["action_mask"])  # none of them legal after a reset
        expected = envs.step(actions)
        for other in others:
            self.assertTrue(same(other.step(actions)[0], expected[0]))

    def test_pettingzoo(self) -> None:
        env = self.closing(kessel.aec_env("toy-race", privileged=True))
        env.reset(seed=3)
        for other in self.copies(env):
            self.assertEqual(other.agent_selection, env.agent_selection)
            self.assertTrue(same(other.last()[0]["observation"], env.last()[0]["observation"]))

    def test_a_secret_state_stays(self) -> None:
        for env in (kessel.make("toy-race"), kessel.make_vec("toy-race", 2), kessel.parallel_env("toy-race")):
            self.closing(env).reset(seed=1)
            for copying in (copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "privileged=True.*Batch.clone"):
                    copying(env)


class RegistrationTest(unittest.TestCase):
    def test_every_game_is_registered(self) -> None:
        self.assertTrue(all(id_of(game) in gymnasium.registry for game in VERSIONS))

    def test_another_version_is_refused(self) -> None:
        with kessel.Client() as client:
            version = client.describe("toy-race")["version"]
        for make in (kessel.make, kessel.make_vec, kessel.aec_env):
            make("toy-race", version=version).close()
            with self.assertRaisesRegex(kessel.KesselError, f"99 of toy-race is wanted, and .* has version {version}"):
                make("toy-race", version=99)


KINDS = {
    "make": "env = kessel.make('toy-race'); env.reset()",
    "make_vec": "env = kessel.make_vec('toy-race', 2); env.reset()",
    "make_async": "env = kessel.make_async('toy-race', 4, 2); env.async_reset(); env.recv()",
    "make_pipelined": "env = kessel.make_pipelined('toy-race', 4); env.async_reset(); env.recv()",
    "parallel_env": "env = kessel.parallel_env('toy-race'); env.reset()",
    "Client": "env = kessel.Client().make('toy-race', 2)",
}


class ExitTest(unittest.TestCase):
    def test_ends_silently_without_close(self) -> None:
        for name, code in KINDS.items():
            with self.subTest(name):
                ended = subprocess.run([sys.executable, "-c", f"import kessel; {code}"], capture_output=True, text=True)
                self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
