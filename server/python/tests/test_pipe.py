"""Environments of a server that this process speaks to over a pipe: the same games, many of them, and no thread in between."""

from __future__ import annotations

import os
import threading
import unittest
from typing import Any

import numpy as np

import kessel
from kessel.client.pipe import shared_pipe

GAME = "pocket-stalingrad"


def play(env: Any, steps: int, seed: int) -> list[float]:
    """What an environment shows in some steps of the first legal action."""
    obs, info = env.reset(seed=seed)
    seen = []
    for _ in range(steps):
        obs, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        seen += [*map(float, obs["decision"]), reward, info["decisions"]]
        if terminated or truncated:
            obs, info = env.reset()
    return seen


class PipeTest(unittest.TestCase):
    def make(self, **args: Any) -> Any:
        env = kessel.make(GAME, address="pipe", **args)
        self.addCleanup(env.close)
        return env

    def test_many_environments_of_one_process_play_apart(self) -> None:
        envs = [self.make() for _ in range(400)]  # more than ZeroMQ has sockets for
        self.assertEqual(len({env.batch.client._link.server.process.pid for env in envs}), 1)  # type: ignore[union-attr]
        once = [play(env, 5, seed) for seed, env in enumerate(envs)]
        again = [play(env, 5, seed) for seed, env in reversed(list(enumerate(envs)))]
        self.assertEqual(once, again[::-1])
        self.assertGreater(len({str(seen) for seen in once}), 100)

    def test_threads_take_turns(self) -> None:
        envs = [self.make(seat="german", opponent="heuristic:greedy") for _ in range(4)]
        alone = [play(env, 60, k) for k, env in enumerate(envs)]
        found: dict[int, list[float]] = {}

        def run(k: int) -> None:
            found[k] = play(envs[k], 60, k)

        threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([found[k] for k in range(4)], alone)

    def test_batches_and_requests_in_flight(self) -> None:
        envs = kessel.make_vec(GAME, 64, address="pipe", privileged=True)
        self.addCleanup(envs.close)
        obs, info = envs.reset(seed=3)
        kept = {name: a.copy() for name, a in obs.items()}
        saved = envs.batch.save()
        ids = [envs.batch.send("position", which=[k]) for k in range(64)]
        for _ in range(20):
            _, _, _, _, info = envs.step(kessel.sample(info["action_mask"]))
        self.assertEqual(len({str(envs.batch.receive(id).header["positions"]) for id in ids}), 64)
        after = envs.batch.load(saved)
        for name, tensor in kept.items():
            np.testing.assert_array_equal(tensor, obs[name], f"{name} was overwritten")
            np.testing.assert_array_equal(tensor, after[name])

    def test_a_server_that_ended_is_told_and_started_anew(self) -> None:
        env = self.make()
        env.reset(seed=1)
        shared_pipe().process.kill()
        shared_pipe().process.wait()
        with self.assertRaisesRegex(kessel.NoServer, "has ended; its log ends"):
            for _ in range(2):  # the first request may still fit into the pipe
                env.step(int(env.action_masks().argmax()))
        play(self.make(), 5, 1)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_forked_child_has_a_server_of_its_own(self) -> None:
        env = self.make()
        expected = play(env, 5, 1)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                try:
                    env.reset()
                except kessel.KesselError as e:
                    own = kessel.make(GAME, address="pipe")
                    code = 0 if e.code == "closed" and play(own, 5, 1) == expected else 2
            finally:
                os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(play(env, 5, 1), expected)


if __name__ == "__main__":
    unittest.main()
