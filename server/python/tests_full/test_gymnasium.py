"""Gymnasium: registered ids, its vector environments and wrappers, films."""

from __future__ import annotations

import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import FlattenObservation, RecordEpisodeStatistics, RecordVideo

import kessel

ID = "kessel/pocket-stalingrad-v1"


def legal(env: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(env.unwrapped.action_masks())))


class GymnasiumTest(unittest.TestCase):
    def made(self, env: Any) -> Any:
        self.addCleanup(env.close)
        return env

    def test_make(self) -> None:
        env = self.made(gymnasium.make(ID, seat="german", opponent="random", illegal="lose"))
        self.assertEqual(env.spec.id, ID)
        again = self.made(gymnasium.make(env.spec))
        self.assertEqual(again.unwrapped.game.seats, ["german"])
        plain = self.made(kessel.make("pocket-stalingrad", seat="german"))
        self.assertEqual(self.made(gymnasium.make(plain.spec)).unwrapped.game.seats, ["german"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_env(env.unwrapped, skip_render_check=False)

    def test_make_vec(self) -> None:
        envs = self.made(gymnasium.make_vec(ID, num_envs=4, seat="german", autoreset="same-step"))
        self.assertEqual(envs.spec.id, ID)
        self.assertEqual(envs.metadata["autoreset_mode"], AutoresetMode.SAME_STEP)
        again = self.made(gymnasium.make_vec(envs.spec))
        self.assertEqual((again.num_envs, again.players), (4, envs.players))

    def test_vector_of_single_environments_ends_as_ours(self) -> None:
        """What a step that ends an episode holds, beside Gymnasium's own vector environment in the same mode."""
        theirs = self.made(
            gymnasium.make_vec(
                ID,
                num_envs=3,
                vectorization_mode="sync",
                vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
            )
        )
        ours = self.made(kessel.FlatVector(kessel.make_vec("pocket-stalingrad", 3, autoreset="same-step")))
        rng = np.random.default_rng(1)
        ends: dict[str, dict[str, Any]] = {}
        for name, envs in (("theirs", theirs), ("ours", ours)):
            _, info = envs.reset(seed=1)
            while "final_info" not in info:
                _, _, terminated, _, info = envs.step(
                    kessel.sample(np.asarray(info["action_mask"]), rng).astype(np.int64)
                )
            np.testing.assert_array_equal(info["_final_obs"], terminated)
            np.testing.assert_array_equal(info["_final_info"], terminated)
            ends[name] = info
            row = int(np.flatnonzero(terminated)[0])
            last = info["final_info"]
            self.assertEqual(last["action_mask"][row].sum(), 0)
            self.assertTrue(last["_action_mask"][row] and not last["_action_mask"][~terminated].any())
            self.assertIsNotNone(info["final_obs"][row])
            if name == "ours":
                self.assertIn(info["final_obs"][row], envs.single_observation_space)
                self.assertEqual(np.abs(last["rewards"][row]).sum(), 2)
        self.assertEqual(ends["ours"]["final_obs"].dtype, ends["theirs"]["final_obs"].dtype)

    def test_wrappers(self) -> None:
        env = self.made(FlattenObservation(RecordEpisodeStatistics(gymnasium.make(ID))))
        rng = np.random.default_rng(1)
        _, info = env.reset(seed=1)
        over = False
        while not over:
            obs, _, terminated, truncated, info = env.step(legal(env, rng))
            self.assertIn(obs, env.observation_space)
            over = terminated or truncated
        self.assertGreater(info["episode"]["l"], 10)

    def test_record_video(self) -> None:
        rng = np.random.default_rng(1)
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            env = RecordVideo(gymnasium.make(ID, render_mode="rgb_array"), folder, video_length=6, disable_logger=True)
            env.reset(seed=1)
            for _ in range(8):
                env.step(legal(env, rng))
            env.close()
            films = list(Path(folder).glob("*.mp4"))
            self.assertEqual(len(films), 1)
            self.assertGreater(films[0].stat().st_size, 5_000)


if __name__ == "__main__":
    unittest.main()
