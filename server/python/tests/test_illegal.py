"""Illegal actions: by default every interface refuses them, with one error, and nothing has moved."""

from __future__ import annotations

import inspect
import pickle
import unittest
from typing import Any, Callable

import numpy as np

import kessel
from kessel import search

FACES: dict[str, Callable[..., Any]] = {
    "make": kessel.make,
    "aec_env": kessel.aec_env,
    "parallel_env": kessel.parallel_env,
    "make_vec": kessel.make_vec,
    "make_pipelined": kessel.make_pipelined,
    "make_async": kessel.make_async,
}


def outside(mask: np.ndarray) -> int:
    return int(np.flatnonzero(mask == 0)[0])


class IllegalTest(unittest.TestCase):
    def made(self, env: Any) -> Any:
        self.addCleanup(env.close)
        return env

    def refused(self, step: Callable[[], Any], mask: np.ndarray, *named: str) -> kessel.IllegalAction:
        """The error of a step, which names the action, the game and how many actions are legal."""
        with self.assertRaises(kessel.IllegalAction) as caught:
            step()
        error, legal = caught.exception, int((mask > 0).sum())
        self.assertEqual(error.code, "illegal-action")
        self.assertIsInstance(error, (ValueError, kessel.KesselError))
        for word in ("toy-race", f"{legal} action{' is' if legal == 1 else 's are'}", *named):
            self.assertIn(word, str(error))
        return error

    def test_all_faces_have_one_default(self) -> None:
        for name, face in FACES.items():
            self.assertEqual(inspect.signature(face).parameters["illegal"].default, "raise", name)

    def test_make(self) -> None:
        env = self.made(kessel.make("toy-race"))
        obs, info = env.reset(seed=3)
        action = outside(info["action_mask"])
        error = self.refused(lambda: env.step(action), info["action_mask"], env.actions[action], info["actor"])
        self.assertIn('illegal="random"', str(error))
        self.assertIn('"lose"', str(error))
        np.testing.assert_array_equal(env.action_masks(), info["action_mask"] > 0)
        after, _, terminated, _, now = env.step(int(info["action_mask"].argmax()))
        self.assertFalse(terminated or now["illegal_action"])

    def test_aec_env(self) -> None:
        env = self.made(kessel.aec_env("toy-race", max_cycles=2))
        env.reset(seed=3)
        agent = env.agent_selection
        env._cumulative_rewards[agent] = 0.5  # what it has been given since its last action
        mask = env.last()[0]["action_mask"]
        self.refused(lambda: env.step(outside(mask)), mask, env.actions[outside(mask)], agent)
        self.assertEqual((env.agent_selection, env.last()[1]), (agent, 0.5))
        env.step(int(mask.argmax()))
        self.assertFalse(any(env.truncations.values()), "the refused action counted as a cycle")

    def test_parallel_env(self) -> None:
        env = self.made(kessel.parallel_env("toy-race", max_cycles=2))
        _, infos = env.reset(seed=3)
        mover = next(a for a in env.agents if infos[a]["action_mask"].any())
        mask = infos[mover]["action_mask"]
        self.refused(lambda: env.step(dict.fromkeys(env.agents, outside(mask))), mask, env.actions[outside(mask)])
        _, _, _, truncated, _ = env.step(dict.fromkeys(env.agents, int(mask.argmax())))
        self.assertFalse(any(truncated.values()), "the refused action counted as a cycle")

    def test_no_action_at_all(self) -> None:
        aec, parallel = self.made(kessel.aec_env("toy-race")), self.made(kessel.parallel_env("toy-race"))
        aec.reset(seed=3)
        parallel.reset(seed=3)
        for step in (lambda: aec.step(None), lambda: parallel.step({})):
            with self.assertRaisesRegex(kessel.BadInput, "bad-action: an action is one whole number, not None"):
                step()

    def test_make_vec(self) -> None:
        envs = self.made(kessel.make_vec("toy-race", 3))
        _, info = envs.reset(seed=3)
        mask = info["action_mask"]
        actions = mask.argmax(1)
        actions[1] = outside(mask[1])
        error = self.refused(lambda: envs.step(actions), mask[1], "environment 1", envs.actions[actions[1]])
        self.assertIn('illegal="random"', str(error))
        self.assertNotIn("lose", str(error))
        _, _, _, _, now = envs.step(mask.argmax(1))
        np.testing.assert_array_equal(now["decisions"] > info["decisions"], True)

    def test_groups_and_asynchronous_environments(self) -> None:
        for envs in (kessel.make_pipelined("toy-race", 4, groups=2), kessel.make_async("toy-race", 4, 2)):
            self.made(envs)
            envs.async_reset(seed=3)
            _, _, _, _, info = envs.recv()
            mask = info["action_mask"]

            def step() -> None:
                envs.send([outside(m) for m in mask], info["env_id"])
                for _ in range(2):
                    envs.recv()

            self.refused(step, mask[0], "environment ")

    def test_search(self) -> None:
        state = self.made(search.load_game("toy-race")).new_initial_state(seed=3)
        mask = np.array(state.legal_actions_mask())
        self.refused(lambda: state.child(outside(mask)), mask, state.game.actions[outside(mask)])

    def test_the_error_crosses_processes(self) -> None:
        error = pickle.loads(pickle.dumps(kessel.IllegalAction("illegal-action", "because")))
        self.assertEqual((type(error), error.code, error.message), (kessel.IllegalAction, "illegal-action", "because"))

    def test_none_is_no_choice(self) -> None:
        for name in ("make", "aec_env", "parallel_env", "make_vec"):
            with self.assertRaisesRegex(kessel.BadInput, "illegal is 'raise'", msg=name):
                FACES[name]("toy-race", illegal=None)


if __name__ == "__main__":
    unittest.main()
