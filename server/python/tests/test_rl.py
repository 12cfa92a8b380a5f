"""Parts of training loops, against a server of toy games whose address is in KESSEL_ADDRESS."""

from __future__ import annotations

import importlib
import math
import sys
import unittest
from unittest import mock

import numpy as np

import kessel
from kessel.rl import (
    EpisodeStatistics,
    Fleet,
    address_here,
    address_of,
    entropy,
    evaluate,
    greedy,
    log_softmax,
    sample,
    wilson,
)


class WithoutRayTest(unittest.TestCase):
    def test_what_needs_ray_says_how_to_install_it(self) -> None:
        with mock.patch.dict(sys.modules, {"ray": None}):
            sys.modules.pop("kessel.rl.rllib", None)
            for use in (Fleet, lambda: address_here("fleet"), lambda: importlib.import_module("kessel.rl.rllib")):
                with self.assertRaisesRegex(
                    ImportError, r"needs ray(\.rllib)?; install it with: pip install 'kessel\[ray\]'"
                ):
                    use()


class PolicyTest(unittest.TestCase):
    logits = np.array(
        [[1.0, 99.0, 2.0, 3.0], [np.nan, 5.0, np.inf, 5.0], [1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 7.0]], np.float32
    )
    mask = np.array([[1, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0], [0, 0, 1, 0]], np.int8)

    def test_log_softmax_is_of_the_legal_ones(self) -> None:
        got = log_softmax(self.logits, self.mask)
        e = np.exp([1.0, 2.0, 3.0])
        np.testing.assert_allclose(np.exp(got[0]), [e[0] / e.sum(), 0, e[1] / e.sum(), e[2] / e.sum()], rtol=1e-5)
        np.testing.assert_allclose(np.exp(got[1]), [0, 0.5, 0, 0.5], rtol=1e-6)
        self.assertEqual(got[2].tolist(), [0, 0, 0, 0])
        with self.assertRaises(ValueError):
            log_softmax(self.logits, self.mask, 0)

    def test_samples_come_as_often_as_they_should(self) -> None:
        n, rng = 40_000, np.random.default_rng(1)
        for temperature in (1.0, 0.5):
            actions, logp = sample(np.tile(self.logits[:1], (n, 1)), np.tile(self.mask[:1], (n, 1)), rng, temperature)
            exact = log_softmax(self.logits[0], self.mask[0], temperature)
            p = np.exp(exact)
            shares = np.bincount(actions, minlength=4) / n
            self.assertEqual(shares[1], 0)
            self.assertTrue((np.abs(shares - p) < 5 * np.sqrt(p * (1 - p) / n) + 1e-12).all(), f"{shares} for {p}")
            np.testing.assert_array_equal(logp, exact[actions])
        actions, logp = sample(self.logits, self.mask, rng)
        self.assertEqual((actions[2], logp[2], actions[3], logp[3], actions.dtype), (0, 0, 2, 0, np.int32))

    def test_greedy_and_entropy(self) -> None:
        self.assertEqual(greedy(self.logits, self.mask).tolist(), [3, 1, 0, 2])
        p = np.exp([1.0, 2.0, 3.0]) / np.exp([1.0, 2.0, 3.0]).sum()
        np.testing.assert_allclose(
            entropy(self.logits, self.mask), [-(p * np.log(p)).sum(), math.log(2), 0, 0], rtol=1e-6
        )


class StatisticsTest(unittest.TestCase):
    def play(self, steps: int, **args: object) -> EpisodeStatistics:
        """Plays, and counts beside the statistics: a length is the time from one end to the next."""
        envs = kessel.make_vec("toy-ambush", 6, seat="blue", **args)
        self.addCleanup(envs.close)
        stats, rng = EpisodeStatistics(envs, window=10_000), np.random.default_rng(3)
        obs, info = envs.reset(seed=1)
        stats.start(info)
        ended: list[tuple[int, float, int]] = []
        returns, last = np.zeros(6), np.full(6, -1)
        pause = int(envs.batch.autoreset == "next-step")
        for t in range(steps):
            obs, reward, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"], rng))
            returns += reward
            over = terminated | truncated
            ended += [(int(i), returns[i], t - last[i]) for i in np.flatnonzero(over)]
            returns[over], last[over] = 0, t + pause
            got = stats.update(terminated, truncated, info)
            self.assertEqual([e.env for e in got], np.flatnonzero(over).tolist())
            if args.get("autoreset") == "disabled" and over.any():
                _, info = envs.reset(options={"reset_mask": over})
                stats.start(info, over)
        self.assertGreater(len(ended), 20)
        self.assertEqual([(e.env, e.returns[1], e.length) for e in stats.episodes], ended)
        return stats

    def test_every_autoreset_mode(self) -> None:
        for mode in ("next-step", "same-step", "disabled"):
            with self.subTest(mode):
                self.play(150, autoreset=mode)

    def test_summary_counts(self) -> None:
        stats = self.play(100)
        s = stats.summary()
        self.assertEqual(s["wins"] + s["draws"] + s["losses"], s["episodes"])
        self.assertEqual(s["episodes"], stats.finished)
        self.assertAlmostEqual(s["win_rate"], (s["wins"] + s["draws"] / 2) / s["episodes"])
        self.assertAlmostEqual(s["mean_return"], (s["wins"] - s["losses"]) / s["episodes"])

    def test_who_of_the_pool_played(self) -> None:
        for mode in ("next-step", "same-step"):
            stats = self.play(
                150, autoreset=mode, opponent=[{"agent": "random", "weight": 3}, {"agent": "random", "weight": 1}]
            )
            met = [e.opponents for e in stats.episodes]
            self.assertTrue(all(o is not None and o[1] == -1 and o[0] in (0, 1) for o in met))
            self.assertEqual(set(stats.against(0)), {0, 1})

    def test_evaluate_plays_each_environment_once(self) -> None:
        rng = np.random.default_rng(1)
        r = evaluate(lambda obs, mask: kessel.sample(mask, rng), "toy-ambush", 50, seat="blue", opponent="random")
        self.assertEqual(r["episodes"], 50)
        self.assertLess(r["low"], r["win_rate"])
        self.assertLess(r["win_rate"], r["high"])

    def test_wilson(self) -> None:
        np.testing.assert_allclose(wilson(0.9, 10), (0.5958, 0.9821), atol=1e-4)  # as in Wilson's own formula, by hand
        self.assertEqual(wilson(0.0, 0), (0.0, 1.0))


class FleetTest(unittest.TestCase):
    def test_servers_get_equal_shares(self) -> None:
        three = ["tcp://a:1", "tcp://b:1", "tcp://c:1"]
        self.assertEqual([address_of(three, w) for w in range(1, 7)], three * 2)
        self.assertEqual(address_of("tcp://a:1, tcp://b:1", 2), "tcp://b:1")
        self.assertEqual([address_of(three, 2, v, per_worker=2) for v in range(2)], [three[2], three[0]])
        self.assertIsNone(address_of(None, 3))
        self.assertIsNone(address_of("", 3))
        with self.assertRaises(ValueError):
            address_of(three, -1)


if __name__ == "__main__":
    unittest.main()
