"""Sizes follow from the measurements: twice the rate needs twice the cores, and the plan names the limit."""

from __future__ import annotations

import contextlib
import io
import json
import unittest

from kessel import sizing

MEASURED = sizing.Measured(100_000, 400_000, 3000, 10_000, 200e6 + 256 * 10_000, 256)


class SizingTest(unittest.TestCase):
    def test_cores_and_memory_follow_the_rate(self) -> None:
        one = sizing.plan(MEASURED, 200_000, 1000, cores=64, memory=64e9)
        self.assertEqual((one.server_cores, one.runner_cores, one.servers), (2, 0.5, 1))
        self.assertEqual(one.memory, 200e6 + 1000 * 10_000)
        self.assertAlmostEqual(one.gigabits, 200_000 * 3000 * 8 / 1e9)
        self.assertTrue(one.fits)
        self.assertRegex(one.limit, "^the learner; .* servers take 80%")
        many = sizing.plan(MEASURED, 2_000_000, 100_000, cores=64, memory=64e9)
        self.assertEqual((many.server_cores, many.servers), (20, 5))
        self.assertEqual(many.memory, 5 * 200e6 + 100_000 * 10_000)

    def test_what_is_short_is_named(self) -> None:
        cores = sizing.plan(MEASURED, 200_000, 1000, cores=2, memory=64e9)
        self.assertFalse(cores.fits)
        self.assertRegex(cores.limit, "^cores: 3.5 are wanted .*, 2 are here, which carry 80,000 decisions/s$")
        memory = sizing.plan(MEASURED, 200_000, 1_000_000, cores=64, memory=8e9)
        self.assertFalse(memory.fits)
        self.assertRegex(memory.limit, "^memory: ")

    def test_the_command(self) -> None:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = sizing.main(["pocket-stalingrad", "--learner", "50000", "--seconds", "0.3", "--json"])
        self.assertEqual(code, 0, err.getvalue())
        told = json.loads(out.getvalue())
        self.assertGreater(told["measured"]["server"], 1000)
        self.assertGreater(told["measured"]["bytes_a_decision"], 1000)
        self.assertAlmostEqual(told["plan"]["server_cores"], 50000 / told["measured"]["server"])
        with contextlib.redirect_stderr(err):
            self.assertEqual(sizing.main(["chess", "--learner", "1"]), 2)
        self.assertIn("there is no game", err.getvalue())


if __name__ == "__main__":
    unittest.main()
