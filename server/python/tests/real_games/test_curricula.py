"""Starts from recorded games, and opponents that grow with the learner."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np

import kessel
from kessel.rl import Episode, EpisodeStatistics, Ladder

try:
    import gymnasium  # noqa: F401
except ImportError:
    raise unittest.SkipTest("needs Gymnasium") from None

GAME = "pocket-stalingrad"


class StartsTest(unittest.TestCase):
    def made(self, env: Any) -> Any:
        self.addCleanup(env.close)
        return env

    def started(self, positions: Any, size: int = 8, share: float = 1.0, **more: Any) -> Any:
        envs = kessel.make_vec(GAME, size, privileged=True, autoreset="disabled", **more)
        return self.made(kessel.StartVector(envs, positions, share))

    def test_a_replay_leads_to_the_position_it_passed(self) -> None:
        """Every position of a recorded game is that of the game when it was played."""
        envs = self.made(
            kessel.make_vec(GAME, 1, privileged=True, record=True, skip_forced=False, autoreset="disabled")
        )
        rng = np.random.default_rng(1)
        _, info = envs.reset(seed=4)
        passed, over = [], False
        while not over:
            passed.append(envs.batch.position(whole=True)[0])
            _, _, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
            over = bool(terminated[0] | truncated[0])
        replay = envs.batch.replay()
        last = len(replay["actions"]) - 1
        for k in (0, last // 2, last):
            part = (k + 0.5) / last if k < last else 1.0
            self.assertEqual(kessel.positions_of([replay], (part, part)), [passed[k]])

    def test_episodes_start_from_the_positions(self) -> None:
        positions = kessel.play_for_positions(GAME, 5, (0.6, 0.9), seed=2)
        self.assertEqual(len(positions), 5)
        self.assertEqual(positions, kessel.play_for_positions(GAME, 5, (0.6, 0.9), seed=2))
        envs = self.started(positions, skip_forced=False)
        _, info = envs.reset(seed=1)
        rng, ends, known = np.random.default_rng(1), 0, [str(p) for p in positions]
        for place in envs.env.batch.position(whole=True):
            self.assertIn(str(place), known)
        while ends < 10:
            obs, rewards, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
            over = terminated | truncated
            np.testing.assert_array_equal(rewards != 0, terminated)
            if over.any():
                ends += int(over.sum())
                places = envs.env.batch.position(which=np.flatnonzero(over).tolist(), whole=True)
                self.assertTrue(all(str(place) in known for place in places))
                self.assertTrue((info["actor"] >= 0).all())
                for i in np.flatnonzero(over):
                    self.assertIn(info["final_obs"][i], envs.single_observation_space)

    def test_some_start_from_the_beginning(self) -> None:
        positions = kessel.play_for_positions(GAME, 2, (0.8, 0.9), seed=2)
        envs = self.started(positions, 40, share=0.5, skip_forced=False)
        envs.reset(seed=1)
        late = sum(str(p) in map(str, positions) for p in envs.env.batch.position(whole=True))
        self.assertTrue(5 < late < 35, late)
        with_opponents = self.started(positions, 8, seat="german", opponent="random")
        _, info = kessel.FlatVector(with_opponents).reset(seed=1)
        german = with_opponents.unwrapped.players.index("german")
        self.assertEqual(set(info["actor"]), {german})

    def test_refusals(self) -> None:
        positions = kessel.play_for_positions(GAME, 1)
        with self.assertRaises(ValueError):
            kessel.StartVector(self.made(kessel.make_vec(GAME, 2, privileged=True)), positions)
        for bad in (dict(positions=[]), dict(positions=positions, share=1.5)):
            with self.assertRaises(ValueError):
                self.started(**bad)
        with self.assertRaises(kessel.KesselError) as caught:
            self.made(kessel.StartVector(kessel.make_vec(GAME, 2, autoreset="disabled"), positions)).reset()
        self.assertEqual(caught.exception.code, "not-privileged")
        with self.assertRaises(ValueError):
            kessel.positions_of([], (0.9, 0.1))
        with self.assertRaises(kessel.BadInput):
            kessel.positions_of([{"dice": []}])


class LadderTest(unittest.TestCase):
    class Seated:
        own = 1

    def episodes(self, result: float, count: int, opponent: int | None = None) -> list[Episode]:
        drawn = None if opponent is None else (opponent, -1)
        return [Episode(0, (-result, result), 10, False, drawn)] * count

    def test_the_next_comes_after_enough_wins(self) -> None:
        ladder = Ladder(["random", "greedy"], threshold=0.6, games=10, earlier=0.25)
        self.assertEqual(ladder.pool, [{"agent": "random", "weight": 0.75}])
        self.assertFalse(ladder.update(self.episodes(1, 9), self.Seated))
        self.assertFalse(ladder.update(self.episodes(-1, 6), self.Seated), "the latest ten: four wins")
        self.assertTrue(ladder.update(self.episodes(1, 6), self.Seated), "six of ten and no more lost ones before")
        self.assertEqual([p["agent"] for p in ladder.pool], ["random", "greedy"])
        self.assertEqual([p["weight"] for p in ladder.pool], [0.25, 0.75])

    def test_only_games_against_the_present_opponent_count(self) -> None:
        ladder = Ladder(iter(["random", "greedy", "planner"]), games=2)
        self.assertTrue(ladder.update(self.episodes(1, 2), self.Seated))
        self.assertFalse(ladder.update(self.episodes(1, 50, opponent=0), self.Seated))
        self.assertTrue(np.isnan(ladder.rate))
        self.assertTrue(ladder.update(self.episodes(1, 2, opponent=1), self.Seated))
        self.assertFalse(ladder.update(self.episodes(1, 2, opponent=2), self.Seated), "nobody is left")
        self.assertEqual(ladder.met, ["random", "greedy", "planner"])

    def test_draws_count_half(self) -> None:
        ladder = Ladder(["random", "greedy"], threshold=0.6, games=4)
        self.assertFalse(ladder.update(self.episodes(0, 4), self.Seated))
        self.assertEqual(ladder.rate, 0.5)

    def test_its_pool_plays(self) -> None:
        ladder = Ladder(["random", "heuristic:first-keep"], threshold=0, games=1)
        rng = np.random.default_rng(1)
        for _ in range(2):
            envs = kessel.make_vec(GAME, 4, seat="german", opponent=ladder.pool)
            self.addCleanup(envs.close)
            stats = EpisodeStatistics(envs)
            _, info = envs.reset(seed=1)
            stats.start(info)
            came = False
            while not came and stats.finished < 20:
                _, _, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
                came = ladder.update(stats.update(terminated, truncated, info), envs)
        self.assertEqual(ladder.met, ["random", "heuristic:first-keep"])


if __name__ == "__main__":
    unittest.main()
