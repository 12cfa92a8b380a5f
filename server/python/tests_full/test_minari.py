"""Datasets as Minari writes, reads and describes them."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

import minari
import numpy as np

import kessel
from kessel import data

GAME = "pocket-stalingrad"
AGENTS = {"soviet": "heuristic:first-keep", "german": "random"}


class MinariTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "games"

    def test_a_recorded_dataset(self) -> None:
        for data_format in ("hdf5", "arrow"):
            with self.subTest(data_format=data_format):
                path = self.path / data_format
                path.parent.mkdir(exist_ok=True)
                written = data.record(GAME, AGENTS, 5, path, seats="german", seed=3, data_format=data_format)
                dataset = minari.MinariDataset(path / "data")
                self.assertEqual((written.total_episodes, dataset.total_episodes), (5, 5))
                expected = list(data.play(GAME, AGENTS, 5, seats="german", seed=3))
                for found, e in zip(dataset.iterate_episodes(), expected):
                    np.testing.assert_array_equal(found.actions, e.actions)
                    np.testing.assert_array_equal(found.observations["units"], e.observations["units"])
                    np.testing.assert_array_equal(found.observations["action_mask"], e.masks)
                    np.testing.assert_array_equal(found.rewards, e.rewards)
                    np.testing.assert_array_equal(found.infos["decisions"].ravel(), e.decisions)
                    self.assertEqual(found.terminations[-1], e.terminated)
                facts = json.loads(dataset.storage.metadata["kessel"])
                self.assertEqual((facts["game"], facts["agents"], facts["seed"]), (GAME, AGENTS, "3"))
                env = dataset.recover_environment()
                obs, info = env.reset(seed=1)
                self.assertTrue(dataset.observation_space.contains(obs))
                self.assertEqual(env.observation_space, dataset.observation_space)
                np.testing.assert_array_equal(obs["action_mask"], info["action_mask"])
                env.close()
                with self.assertRaisesRegex(kessel.BadInput, "path is a folder that is not there yet"):
                    data.record(GAME, AGENTS, 1, path)

    def test_the_collector_of_minari_takes_infos(self) -> None:
        for opponent in ("random", None):
            env = kessel.make(GAME, seat="german" if opponent else None, opponent=opponent, illegal="random")
            collector = minari.DataCollector(env, record_infos=True)
            for seed in range(3):
                _, info = collector.reset(seed=seed)
                for step in range(1000):
                    action = int(info["action_mask"].argmax()) if step % 5 else 0  # some are illegal
                    _, _, terminated, truncated, info = collector.step(action)
                    if terminated or truncated:
                        break
            import os

            os.environ["MINARI_DATASETS_PATH"] = str(self.path)
            dataset = collector.create_dataset(f"kessel/collected-{opponent}-v0", algorithm_name="lowest")
            episode = dataset[0]
            steps = len(episode.actions)
            self.assertEqual(episode.infos["illegal_action"].shape, (steps + 1,))
            self.assertEqual(episode.infos["action_mask"].shape, (steps + 1, len(env.unwrapped.actions)))
            self.assertTrue(episode.infos["illegal_action"].any())
            collector.close()


if __name__ == "__main__":
    unittest.main()
