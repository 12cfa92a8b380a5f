"""Recorded games are what the environment shows, say who decided, and are enough to learn from."""

from __future__ import annotations

import unittest

import numpy as np

import kessel
from kessel import data
from kessel.envs.spaces import TENSORS, flatten

GAME = "pocket-stalingrad"
AGENTS = {"soviet": "random", "german": "heuristic:first-keep"}


def played(games: int, seed: int = 1, **more: object) -> list[data.Episode]:
    return list(data.play(GAME, AGENTS, games, seed=seed, **more))  # type: ignore[arg-type]


class DataTest(unittest.TestCase):
    def test_episodes_are_the_decisions_of_one_side(self) -> None:
        episodes = played(6)
        self.assertEqual(len(episodes), 12)
        for e in episodes:
            T = len(e.actions)
            self.assertEqual(e.agent, AGENTS[e.seat])
            self.assertTrue(e.terminated and not e.truncated)
            self.assertEqual({len(a) for a in (*e.observations.values(), e.masks, e.decisions)}, {T + 1})
            self.assertTrue((e.masks[np.arange(T), e.actions] == 1).all(), "actions are legal")
            self.assertFalse(e.masks[T].any())
            self.assertTrue((np.diff(e.decisions) > 0).all())
            self.assertFalse(e.rewards[:-1].any())
        both = {(e.game, e.seat): e.rewards[-1] for e in episodes}
        for game in range(6):
            self.assertEqual(both[game, "soviet"], -both[game, "german"])

    def test_the_same_seed_plays_the_same_games(self) -> None:
        one, two, other = played(70), played(70), played(70, seed=2)
        for a, b in zip(one, two):
            self.assertEqual((a.game, a.seat), (b.game, b.seat))
            np.testing.assert_array_equal(a.actions, b.actions)
            np.testing.assert_array_equal(a.observations["units"], b.observations["units"])
        self.assertEqual(sorted({e.game for e in one}), list(range(70)))
        self.assertNotEqual([e.actions.tolist() for e in one], [e.actions.tolist() for e in other])

    def test_functions_decide_too_and_see_what_they_may(self) -> None:
        asked = []

        def highest(observations: dict[str, np.ndarray], masks: np.ndarray) -> np.ndarray:
            asked.append(len(masks))
            self.assertEqual({len(observations[t]) for t in TENSORS}, {len(masks)})
            return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

        episodes = list(data.play(GAME, {**AGENTS, "german": highest}, 3, seats="german"))
        self.assertEqual({e.agent for e in episodes}, {"python"})
        self.assertEqual(sum(asked), sum(len(e.actions) for e in episodes))
        for e in episodes:
            np.testing.assert_array_equal(e.actions, [np.flatnonzero(m)[-1] for m in e.masks[:-1]])
            with_env = kessel.make(GAME, seat="german", opponent="random")
            self.assertTrue(with_env.observation_space.contains({t: e.observations[t][0] for t in TENSORS}))
            with_env.close()

    def test_a_policy_is_cloned(self) -> None:
        """Behaviour cloning in a few lines: one layer, trained on decisions of a scripted player, beats random play."""
        episodes = [e for e in played(100, seed=5, seats="german")]
        x = np.concatenate([flatten({t: e.observations[t][:-1] for t in TENSORS}, 1) for e in episodes])
        masks = np.concatenate([e.masks[:-1] for e in episodes]).astype(bool)
        actions = np.concatenate([e.actions for e in episodes])
        weights, rows = np.zeros((x.shape[1], masks.shape[1]), np.float32), np.arange(len(x))
        moment = np.full_like(weights, 1e-6)
        rng = np.random.default_rng(1)
        for _ in range(400):
            some = rng.choice(rows, 512)
            p = np.exp(kessel.rl.log_softmax(x[some] @ weights, masks[some]))
            p[np.arange(len(some)), actions[some]] -= 1
            gradient = x[some].T @ p / len(some)
            moment += gradient**2
            weights -= 0.3 * gradient / np.sqrt(moment)
        guess = np.where(masks, x @ weights, -np.inf).argmax(axis=1)
        self.assertGreater((guess == actions).mean(), 0.6)

        def cloned(observation: dict[str, np.ndarray], mask: np.ndarray) -> np.ndarray:
            return np.where(mask > 0, flatten(observation, 1) @ weights, -np.inf).argmax(axis=1)

        result = kessel.rl.evaluate(cloned, GAME, 200, seat="german", opponent="random", seed=3)
        self.assertGreater(result["low"], 0.4, "random play wins 8 % as German")

    def test_what_does_not_fit(self) -> None:
        for words, call in (
            ("agents is a mapping from 'soviet' and 'german'", lambda: data.play(GAME, {"soviet": "random"}, 1)),
            (r"agents\['german'\] is the name of an agent", lambda: data.play(GAME, {**AGENTS, "german": 3}, 1)),  # type: ignore[dict-item]
            ("episodes is at least 1", lambda: data.play(GAME, AGENTS, 0)),
            ("seats is a list of", lambda: data.play(GAME, AGENTS, 1, seats=["red"])),
        ):
            with self.assertRaisesRegex(kessel.BadInput, words):
                call()
        with self.assertRaisesRegex(kessel.KesselError, "there is no agent"):
            list(data.play(GAME, {**AGENTS, "german": "nobody"}, 1))


if __name__ == "__main__":
    unittest.main()
