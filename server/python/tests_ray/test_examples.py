"""The examples that need Ray run for an iteration; a server plays the models that they leave."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import kessel

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
GAME = "pocket-stalingrad"


class ExamplesTest(unittest.TestCase):
    def run_example(self, name: str, *args: str) -> str:
        done = subprocess.run(
            [sys.executable, str(EXAMPLES / name), *args], capture_output=True, text=True, timeout=600
        )
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return done.stdout

    def trains(self, *args: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            sizes = ["--iterations", "1", "--runners", "1", "--envs", "8", "--games", "20"]
            told = self.run_example("rllib_ppo.py", *sizes, "--out", f"{folder}/model.onnx", *args)
            server = kessel.LocalServer(args=["--models", folder])
            self.addCleanup(server.stop)
            envs = kessel.make_vec(GAME, 2, address=server.address, seat="soviet", opponent="onnx:model.onnx")
            self.addCleanup(envs.close)
            _, info = envs.reset(seed=1)
            self.assertTrue(info["action_mask"].any(axis=1).all())
        return told

    def test_rllib_on_a_fleet(self) -> None:
        self.assertRegex(self.trains(), rf"{GAME}: german wins [\d.]+% \[.*of 20 games against random play")

    def test_rllib_of_both_sides_on_a_fleet(self) -> None:
        told = self.trains("--both-sides")
        self.assertEqual(told.count("of 20 games against random play"), 2)

    def test_paper_model(self) -> None:
        told = self.run_example("bench_fleet.py", "--envs", "16", "--seconds", "0.3")
        for part in ("server", "env runner, loop", "env runner, RLlib", "learner, RLlib PPO"):
            self.assertRegex(told, rf"(?m)^{part} +[\d,]+ +[\d,]+$")
        for name in ("loop", "RLlib"):
            self.assertRegex(told, rf"(?m)^{name} +[\d,]+ +[\d,.]+$")


if __name__ == "__main__":
    unittest.main()
