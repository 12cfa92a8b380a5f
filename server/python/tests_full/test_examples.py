"""Every example that trains runs for a few updates and leaves a model that a server plays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import kessel

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


class ExamplesTest(unittest.TestCase):
    def trains(self, name: str, *args: str, model: str = "model.onnx") -> None:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / ("" if model == "final.onnx" else model)
            command = [sys.executable, str(EXAMPLES / name), "--games", "20", "--out", str(out), *args]
            done = subprocess.run(command, capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            self.assertRegex(done.stdout, r"wins [\d.]+% \[.*of 20 games against random play")
            server = kessel.LocalServer(args=["--models", folder])
            self.addCleanup(server.stop)
            envs = kessel.make_vec(
                "pocket-stalingrad", 2, address=server.address, seat="soviet", opponent=f"onnx:{model}"
            )
            self.addCleanup(envs.close)
            _, info = envs.reset(seed=1)
            self.assertTrue(info["action_mask"].any(axis=1).all())

    def test_maskable(self) -> None:
        self.trains("maskable_ppo.py", "--steps", "4096")

    def test_torchrl(self) -> None:
        self.trains("torchrl_ppo.py", "--steps", "4096")

    def test_tianshou(self) -> None:
        self.trains("tianshou_ppo.py", "--steps", "2048")

    def test_selfplay(self) -> None:
        self.trains("ppo_selfplay.py", "--steps", "4096", model="final.onnx")

    def test_jax(self) -> None:
        self.trains("jax_ppo.py", "--steps", "4096")

    def test_offline(self) -> None:
        for more in ((), ("--beta", "1")):
            self.trains("offline.py", "--record", "20", "--steps", "100", *more)

    def test_grpo(self) -> None:
        """A language model of its own, from the game's text to weights that were trained; two steps."""
        with tempfile.TemporaryDirectory() as out:
            command = [sys.executable, str(EXAMPLES / "grpo_text.py"), "--steps", "2", "--turns", "3", "--out", out]
            environment = {**os.environ, "HF_HUB_OFFLINE": "1"}  # nothing is fetched
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            self.assertRegex(done.stdout, r"(?m)^2 steps, 8 games; mean reward [+-]0\.\d{3} in the first")
            norms = [float(n) for n in re.findall(r"'grad_norm': '?([\d.e-]+)", done.stdout)]
            self.assertEqual(len(norms), 2)
            self.assertGreater(max(norms), 0, "games of a group end differently, so something is learnt")
            self.assertTrue((Path(out) / "model.safetensors").is_file())

    def test_bench_strength(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            sizes = ["--steps", "4096", "--updates", "2", "--snapshots", "2", "--learners", "1", "--games", "4"]
            command = [sys.executable, str(EXAMPLES / "bench_strength.py"), *sizes, "--against", "random"]
            done = subprocess.run([*command, "--out", folder], capture_output=True, text=True, timeout=900)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            both = done.stdout.split("kessel train ppo\n\n")
            self.assertEqual(len(both), 2)
            for told in both:  # two nets of each, and when random play was matched and beaten
                self.assertRegex(told, r"(?m)^1 +\d+\.\d +[\d,]+ +[\d.]+ \[.*\n2 +\d+\.\d +[\d,]+ ")
                self.assertRegex(told, r"(?m)^random +(not reached|\d+\.\d min, [\d,]+ decisions)")


if __name__ == "__main__":
    unittest.main()
